import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";

/** Makes a UUID version 7 (RFC 9562): later rows sort later, so that indexes grow at one end. */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Makes a secret that cannot be guessed: 256 random bits, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString("base64url");
export const newDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, "0");
/** Returns the hash under which the database keeps a secret of full entropy. */
export const secretHash = (secret: string): string => createHash("sha256").update(secret).digest("hex");
/** Returns the hash under which the database keeps a short value, which a plain hash would not hide. */
export const keyedHash = (key: string, ...parts: string[]): string =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("hex");

import { createHash, createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";

/** Makes a UUID version 7 (RFC 9562): later rows sort later, so that indexes grow at one end. */
export function newId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, "0");
  // Node draws the random bits of many UUIDs version 4 at once. Version 7 has the same ones behind its time.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Makes a secret that cannot be guessed: 256 random bits, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString("base64url");
export const newDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, "0");
/** Returns the hash under which the database keeps a secret of full entropy. */
export const secretHash = (secret: string): string => createHash("sha256").update(secret).digest("hex");
/** Returns the hash under which the database keeps a short value, which a plain hash would not hide. */
export const keyedHash = (key: string, ...parts: string[]): string =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("hex");

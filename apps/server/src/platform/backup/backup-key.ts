import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { StartError } from "../runtime/config.ts";

/** The key of an encrypted backup. `id` identifies the key and reveals nothing of it. */
export interface BackupKey {
  id: string;
  /** Authenticates the manifest. */
  sign(text: string): string;
  /** Derives the key of one part from its salt. */
  forPart(salt: Uint8Array): Buffer;
}

const shortestKey = 32;

/** Reads the key from a file, for example one that `openssl rand -base64 32` wrote. */
export function loadBackupKey(file: string): BackupKey {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new StartError(`The key file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  if (text.length < shortestKey)
    throw new StartError(`The key in ${file} is shorter than ${shortestKey} characters: make one with openssl rand.`);
  const derive = (purpose: string, salt: Uint8Array = new Uint8Array()): Buffer =>
    Buffer.from(hkdfSync("sha256", text, salt, `arcada backup ${purpose}`, 32));
  const mac = (purpose: string, value: string) =>
    createHmac("sha256", derive(purpose)).update(value).digest("base64url");
  return {
    id: mac("id", "").slice(0, 16),
    sign: (value) => mac("manifest", value),
    forPart: (salt) => derive("part", salt),
  };
}

/** Identifies SECRET_KEY without revealing it. */
export const fingerprintSecret = (secret: string): string =>
  createHmac("sha256", Buffer.from(hkdfSync("sha256", secret, "", "arcada backup secret", 32)))
    .update("fingerprint")
    .digest("base64url")
    .slice(0, 16);

// A part is encrypted in frames, each with a counter and a mark of the last one in its nonce: a frame is used only after
// its tag was checked, and frames that are missing, exchanged or cut off at the end are noticed (the STREAM construction
// of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
const frameBytes = 1024 * 1024;
const tagBytes = 16;
const saltBytes = 16;

const nonceOf = (frame: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(frame, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
};

/** For a pipeline: encrypts everything by AES-256-GCM. */
export const encryptWith = (key: BackupKey) =>
  async function* encrypt(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const salt = randomBytes(saltBytes);
    const partKey = key.forPart(salt);
    yield salt;
    let frame = 0;
    for await (const { bytes, isLast } of splitFrames(source, frameBytes)) {
      const cipher = createCipheriv("aes-256-gcm", partKey, nonceOf(frame++, isLast));
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    }
  };

/** For a pipeline: the reverse. Throws if any byte was changed or is missing. */
export const decryptWith = (key: BackupKey) =>
  async function* decrypt(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    let partKey: Buffer | null = null;
    let frame = 0;
    for await (const { bytes, isLast } of splitFrames(source, frameBytes + tagBytes, saltBytes)) {
      if (!partKey) {
        if (bytes.length < saltBytes) throw new DamagedError("it is cut off");
        partKey = key.forPart(bytes);
        continue;
      }
      yield openFrame(partKey, bytes, nonceOf(frame++, isLast));
    }
    if (frame === 0) throw new DamagedError("it is cut off");
  };

function openFrame(key: Buffer, bytes: Buffer, nonce: Buffer): Buffer {
  if (bytes.length < tagBytes) throw new DamagedError("it is cut off");
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    throw new DamagedError("its content was changed or is cut off");
  }
}

/** A part of a backup is not what was written. */
export class DamagedError extends Error {}

/** Cuts a stream into pieces of one size, after a first one of another size; the last one may be shorter. */
async function* splitFrames(
  source: AsyncIterable<Uint8Array>,
  size: number,
  firstSize = size,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let wanted = firstSize;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    // The last frame is marked, so a full frame waits until there is a byte after it.
    while (length > wanted) {
      const all = Buffer.concat(waiting);
      yield { bytes: all.subarray(0, wanted), isLast: false };
      waiting = [all.subarray(wanted)];
      length -= wanted;
      wanted = size;
    }
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}

/** The number of bytes that an encrypted file of this size holds. */
export const plainSize = (size: number): number => {
  const content = size - saltBytes;
  return content - Math.ceil(content / (frameBytes + tagBytes)) * tagBytes;
};

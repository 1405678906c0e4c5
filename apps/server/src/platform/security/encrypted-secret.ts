import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encrypts with AES-256-GCM under a derived key. `context` is authenticated with it: an encrypted value that is copied
 * to another row does not decrypt.
 */
export function encryptSecret(key: string, context: string, bytes: Uint8Array): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFor(key), nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** Throws if any part of the value was changed. */
export function decryptSecret(key: string, context: string, encrypted: string): Buffer {
  const bytes = Buffer.from(encrypted, "base64");
  const decipher = createDecipheriv("aes-256-gcm", keyFor(key), bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}

const keyFor = (key: string): Buffer => Buffer.from(hkdfSync("sha256", key, "", "arcada sealed secrets", 32));

import { createPublicKey, verify } from "node:crypto";

/**
 * Returns the name of the key that has signed the bytes with Ed25519; null if none of these has.
 * @param keys `name=base64` each, as the configuration holds them: raw public keys
 */
export function findSigner(bytes: Uint8Array, signature: string, keys: readonly string[]): string | null {
  const signed = Buffer.from(signature.trim(), "base64");
  for (const key of keys) {
    const [name = "", raw = ""] = key.split(/=(.*)/s);
    if (verify(null, bytes, publicKey(raw), signed)) return name;
  }
  return null;
}

const publicKey = (raw: string) =>
  createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(raw, "base64").toString("base64url") },
    format: "jwk",
  });

import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

/** Makes a private key that only its owner may read; never overwrites an existing file. */
export function createSigningKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  return privateKey;
}
/** @throws if the file holds no private Ed25519 key */
export function readSigningKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError(`${file} holds no Ed25519 key`);
  return key;
}
/** Returns the raw public key in base64, as the configuration holds it. */
export const publicKeyOf = (key: KeyObject): string =>
  Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url").toString("base64");

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { manifestText } from "@arcada/contract/upgrade/upgrade.rules";
import type { PackageManifest, SignatureFile } from "@arcada/contract/upgrade/upgrade.rules";
import type { Config } from "../kernel/config.ts";

/** Who may sign packages here: as configured, and in a demonstration whoever has the key that lies in its data folder. */
export function packageKeysOf({
  PACKAGE_KEYS,
  ARCADA_DEMO,
  dataDir,
}: Pick<Config, "PACKAGE_KEYS" | "ARCADA_DEMO" | "dataDir">) {
  const demo = demoKeyIn(dataDir);
  return ARCADA_DEMO && existsSync(demo) ? [...PACKAGE_KEYS, `demo=${publicOf(readKey(demo))}`] : PACKAGE_KEYS;
}
/** Where a demonstration keeps the private key that it signs its packages with. */
export const demoKeyIn = (dataDir: string): string => path.join(dataDir, "demo-package-key.pem");

/** Makes a private key that only its owner may read; never writes over another. */
export function makeKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  return privateKey;
}
/** @throws where the file holds no private Ed25519 key */
export function readKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError(`${file} holds no Ed25519 key`);
  return key;
}
/** The raw public key in base64, as PACKAGE_KEYS has it. */
export const publicOf = (key: KeyObject): string =>
  Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url").toString("base64");

export const signed = (manifest: PackageManifest, key: KeyObject): SignatureFile => ({
  format: "arcada-package-1",
  ...manifest,
  algorithm: "Ed25519",
  signature: sign(null, Buffer.from(manifestText(manifest)), key).toString("base64"),
});

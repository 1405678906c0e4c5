import { sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { manifestText } from "@arcada/contract/upgrade/upgrade.rules";
import type { PackageManifest, SignatureFile } from "@arcada/contract/upgrade/upgrade.rules";
import type { Config } from "../platform/runtime/config.ts";
import { publicKeyOf, readSigningKey } from "../platform/security/signing-key.ts";

/**
 * The keys that may sign packages here: those of the configuration, and in a demonstration also the key in its data
 * folder.
 */
export function listPackageKeys({
  PACKAGE_KEYS,
  ARCADA_DEMO,
  dataDir,
}: Pick<Config, "PACKAGE_KEYS" | "ARCADA_DEMO" | "dataDir">) {
  const demo = demoKeyPath(dataDir);
  return ARCADA_DEMO && existsSync(demo)
    ? [...PACKAGE_KEYS, `demo=${publicKeyOf(readSigningKey(demo))}`]
    : PACKAGE_KEYS;
}
/** Path of the private key with which a demonstration signs its packages. */
export const demoKeyPath = (dataDir: string): string => path.join(dataDir, "demo-package-key.pem");

export const signPackage = (manifest: PackageManifest, key: KeyObject): SignatureFile => ({
  format: "arcada-package-1",
  ...manifest,
  algorithm: "Ed25519",
  signature: sign(null, Buffer.from(manifestText(manifest)), key).toString("base64"),
});

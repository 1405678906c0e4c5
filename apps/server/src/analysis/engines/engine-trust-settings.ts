import { fileURLToPath } from "node:url";
import type { Config } from "../../platform/runtime/config.ts";
import type { IncludedPacks } from "./included-packs.ts";
import type { PackTrust } from "./engine-task-types.ts";
import type { AllowedServers } from "../remote/remote-request.ts";

/** The operator's settings for which packs may run and which servers may be called. */
export interface EngineTrust {
  packs: PackTrust;
  reach: AllowedServers;
  included: IncludedPacks;
}

type TrustSettings =
  | "ARCADA_DEMO"
  | "ENGINE_KEYS"
  | "ENGINE_UNSIGNED"
  | "ENGINE_HOSTS"
  | "ENGINE_NETWORKS"
  | "ENGINE_FOLDER";
export const readEngineTrust = ({
  ARCADA_DEMO,
  ENGINE_KEYS,
  ENGINE_UNSIGNED,
  ENGINE_HOSTS,
  ENGINE_NETWORKS,
  ENGINE_FOLDER,
}: Pick<Config, TrustSettings>): EngineTrust => ({
  packs: uploadedPackTrust(ENGINE_KEYS, ENGINE_UNSIGNED ?? (ARCADA_DEMO && ENGINE_KEYS.length === 0)),
  // An operator's own folder may hold packs of an operator's own signers. Unsigned files of it never run.
  included: { folder: ENGINE_FOLDER ?? packsFolder, trust: { keys: [arcadaPackKey, ...ENGINE_KEYS], unsigned: false } },
  reach: { hosts: ENGINE_HOSTS, networks: ENGINE_NETWORKS },
});

const packsFolder = fileURLToPath(new URL("../../../../../packs", import.meta.url));

/** Nobody's signature is looked at if unsigned packs are accepted and no key is named. */
const uploadedPackTrust = (keys: readonly string[], unsigned: boolean): PackTrust => ({
  keys: unsigned && keys.length === 0 ? [] : [arcadaPackKey, ...keys],
  unsigned,
});

/**
 * The public part of the key with which the project signs the packs that come with the product (Ed25519, raw, base64).
 * The private part is not in the repository: docs/developer/release.md.
 */
const arcadaPackKey = "Arcada=Na/SWe8CCqP1KYxC8thchaBZvMP6pqXMSgCQlqzz8n0=";

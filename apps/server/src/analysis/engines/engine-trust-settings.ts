import type { Config } from "../../platform/runtime/config.ts";
import type { PackTrust } from "./engine-task-types.ts";
import type { AllowedServers } from "../remote/remote-request.ts";

/** The operator's settings for which packs may run and which servers may be called. */
export interface EngineTrust {
  packs: PackTrust;
  reach: AllowedServers;
}

type TrustSettings = "ARCADA_DEMO" | "ENGINE_KEYS" | "ENGINE_UNSIGNED" | "ENGINE_HOSTS" | "ENGINE_NETWORKS";
export const readEngineTrust = ({
  ARCADA_DEMO,
  ENGINE_KEYS,
  ENGINE_UNSIGNED,
  ENGINE_HOSTS,
  ENGINE_NETWORKS,
}: Pick<Config, TrustSettings>): EngineTrust => ({
  packs: { keys: ENGINE_KEYS, unsigned: ENGINE_UNSIGNED ?? (ARCADA_DEMO && ENGINE_KEYS.length === 0) },
  reach: { hosts: ENGINE_HOSTS, networks: ENGINE_NETWORKS },
});

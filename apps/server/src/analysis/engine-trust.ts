import type { Config } from "../kernel/config.ts";
import type { Reach } from "./remote-ask.ts";

/** Whose packs may run, and which servers may be asked, as the operator has said. */
export interface EngineTrust {
  keys: readonly string[];
  reach: Reach;
}

export const engineTrustOf = ({
  ENGINE_KEYS,
  ENGINE_HOSTS,
  ENGINE_NETWORKS,
}: Pick<Config, "ENGINE_KEYS" | "ENGINE_HOSTS" | "ENGINE_NETWORKS">): EngineTrust => ({
  keys: ENGINE_KEYS,
  reach: { hosts: ENGINE_HOSTS, networks: ENGINE_NETWORKS },
});

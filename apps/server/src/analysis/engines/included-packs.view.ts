import type { Output } from "@arcada/contract/kernel/call";
import type { analysisCalls, IncludedEngine } from "@arcada/contract/analysis/analysis.calls";
import type { Config } from "../../platform/runtime/config.ts";
import type { Db } from "../../platform/database/database.ts";
import { readEngineTrust } from "./engine-trust-settings.ts";
import { readIncludedPacks, type IncludedPack } from "./included-packs.ts";
import { listClinics, readAudience } from "./included-packs.store.ts";

export const toIncluded = async (db: Db, { info, signedBy }: IncludedPack): Promise<IncludedEngine> => ({
  info,
  signedBy,
  ...(await readAudience(db, info.id)),
});

/** Returns what the operator decides on: the packs of the folder, the clinics, and the files that were refused. */
export async function listIncluded(db: Db, config: Config): Promise<Output<typeof analysisCalls.included>> {
  const { packs, refused } = await readIncludedPacks(readEngineTrust(config).included);
  const engines: IncludedEngine[] = [];
  for (const pack of packs) engines.push(await toIncluded(db, pack));
  return { engines, refused, clinics: engines.length > 0 ? await listClinics(db) : [] };
}

import type { OnUpload } from "@arcada/contract/analysis/analysis.calls";
import { engineModalities, type EngineInfo } from "@arcada/contract/analysis/observation";
import type { Db } from "../../platform/database/database.ts";
import { engineIdOf, engineInfoOf, isEngineOn, type InstalledEngine } from "../engines/engines.store.ts";

type Modality = EngineInfo["modalities"][number];

/**
 * Returns, for each kind of image that a learned engine of this institution examines, the one that analyses new images
 * without being asked. One engine at most, so that no tooth is suggested twice. By default it is the pack that comes with
 * the product; a server is never chosen by default, because pixels leave this one.
 */
export async function listOnUpload(db: Db, iid: string, engines: readonly InstalledEngine[]): Promise<OnUpload[]> {
  const chosen = await db
    .selectFrom("engine_on_upload")
    .select(["modality", "engine"])
    .where("institution_id", "=", iid)
    .execute();
  return engineModalities.flatMap((modality): OnUpload[] => {
    const able = engines.filter((one) => canRunOnUpload(one, modality));
    if (able.length === 0) return [];
    const row = chosen.find((one) => one.modality === modality);
    const choices = able.map(engineIdOf);
    const preset = able.find(({ source }) => source === "included");
    const engine = row ? row.engine : preset ? engineIdOf(preset) : null;
    // An engine that was removed or switched off is replaced by none: the clinic has chosen it and no other.
    return [{ modality, choices, engine: engine !== null && choices.includes(engine) ? engine : null }];
  });
}

const canRunOnUpload = (one: InstalledEngine, modality: Modality): boolean =>
  one.source !== "builtIn" && isEngineOn(one) && engineInfoOf(one).modalities.includes(modality);

export async function setOnUpload(
  db: Db,
  iid: string,
  { modality, engine, by }: { modality: Modality; engine: string | null; by: string },
): Promise<void> {
  const values = { engine, set_by: by };
  await db
    .insertInto("engine_on_upload")
    .values({ institution_id: iid, modality, ...values })
    .onConflict((conflict) =>
      conflict.columns(["institution_id", "modality"]).doUpdateSet({ ...values, set_at: new Date().toISOString() }),
    )
    .execute();
}

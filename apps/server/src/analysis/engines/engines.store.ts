import type { Selectable } from "kysely";
import { builtInEngine, type Engine } from "@arcada/contract/analysis/analysis.calls";
import type { EngineTrial } from "@arcada/contract/analysis/engine-trial";
import { measurementInfo } from "@arcada/analysis/measure/measurement-engine-info";
import type { Db } from "../../platform/database/database.ts";
import { readIncludedPacks, type IncludedPack, type IncludedPacks } from "./included-packs.ts";
import { listIncludedFor } from "./included-packs.store.ts";
import type { EnginePackTable, EngineRemoteTable } from "../../tables/schema.generated.ts";

type PackRow = Selectable<EnginePackTable>;
export type RemoteRow = Selectable<EngineRemoteTable>;
/** An engine and its row. */
export type InstalledEngine =
  | { source: "builtIn" }
  | { source: "included"; pack: IncludedPack }
  | { source: "pack"; row: PackRow }
  | { source: "remote"; row: RemoteRow };

/**
 * Returns the engines of an institution: the built-in one, the included packs that the operator has switched on for it,
 * then its own packs and servers by age.
 */
export async function listEngines(db: Db, iid: string, included: IncludedPacks): Promise<InstalledEngine[]> {
  const { packs: all } = await readIncludedPacks(included);
  const switchedOn = all.length > 0 ? await listIncludedFor(db, iid) : [];
  const packs = await db
    .selectFrom("engine_pack")
    .selectAll()
    .where("institution_id", "=", iid)
    .orderBy("installed_at")
    .execute();
  const remotes = await db
    .selectFrom("engine_remote")
    .selectAll()
    .where("institution_id", "=", iid)
    .orderBy("set_at")
    .execute();
  return [
    { source: "builtIn" },
    ...all.filter(({ info }) => switchedOn.includes(info.id)).map((pack) => ({ source: "included" as const, pack })),
    ...packs.map((row) => ({ source: "pack" as const, row })),
    ...remotes.map((row) => ({ source: "remote" as const, row })),
  ];
}
export const findEngine = async (
  db: Db,
  iid: string,
  id: string,
  included: IncludedPacks,
): Promise<InstalledEngine | undefined> => (await listEngines(db, iid, included)).find((one) => engineIdOf(one) === id);
/** Returns the engine of this id and version, as it is installed now. */
export const findEngineVersion = async (
  db: Db,
  iid: string,
  { engine_id, engine_version }: { engine_id: string; engine_version: string },
  included: IncludedPacks,
): Promise<InstalledEngine | undefined> =>
  (await listEngines(db, iid, included)).find((one) => {
    const { id, version } = engineInfoOf(one);
    return id === engine_id && version === engine_version;
  });

/** True if the operator allows packs for this institution; no row means no. */
export const arePacksAllowed = async (db: Db, iid: string): Promise<boolean> =>
  (await db
    .selectFrom("engine_pack_permission")
    .select("institution_id")
    .where("institution_id", "=", iid)
    .executeTakeFirst()) !== undefined;
/** @returns false if there is no such institution */
export async function setPacksAllowed(
  db: Db,
  iid: string,
  { allowed, by }: { allowed: boolean; by: string },
): Promise<boolean> {
  const found = await db
    .selectFrom("institution")
    .select("id")
    .where("id", "=", iid)
    .where("type", "=", "clinic")
    .executeTakeFirst();
  if (!found) return false;
  if (allowed)
    await db
      .insertInto("engine_pack_permission")
      .values({ institution_id: iid, allowed_by: by })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else await db.deleteFrom("engine_pack_permission").where("institution_id", "=", iid).execute();
  return true;
}

/** An included pack is known by the id in its manifest, which no uploaded pack has as the id of its row. */
export const engineIdOf = (one: InstalledEngine): string =>
  one.source === "builtIn" ? builtInEngine : one.source === "included" ? one.pack.info.id : one.row.id;
export const engineInfoOf = (one: InstalledEngine) =>
  one.source === "builtIn" ? measurementInfo : one.source === "included" ? one.pack.info : one.row.info;
export const isEngineOn = (one: InstalledEngine): boolean => !("row" in one) || one.row.state === "on";

/** Returns an engine as people see it; only those who manage it see a server's address. */
export const toEngine = (one: InstalledEngine, manages: boolean): Engine => ({
  id: engineIdOf(one),
  source: one.source,
  on: isEngineOn(one),
  info: engineInfoOf(one),
  signedBy: one.source === "pack" ? one.row.signed_by : one.source === "included" ? one.pack.signedBy : null,
  since: one.source === "pack" ? one.row.installed_at : one.source === "remote" ? one.row.set_at : null,
  remote: one.source === "remote" && manages ? toRemoteSettings(one.row) : null,
});
const toRemoteSettings = ({ address, model, model_version, token, manifest, card }: RemoteRow) => ({
  address,
  model,
  modelVersion: model_version,
  hasToken: token !== null,
  manifest,
  card,
});

const engineTables = { pack: "engine_pack", remote: "engine_remote" } as const;
export type AddedEngine = Extract<InstalledEngine, { row: unknown }>;

export async function setEngineState(db: Db, { source, row }: AddedEngine, state: "on" | "off"): Promise<void> {
  await db
    .updateTable(engineTables[source])
    .set({ state })
    .where("institution_id", "=", row.institution_id)
    .where("id", "=", row.id)
    .execute();
}
/**
 * Stores the result of a pack's trial beside the pack's own description, so that every reader of the description finds
 * it.
 */
export async function setPackTrial(db: Db, { institution_id, id, info }: PackRow, trial: EngineTrial): Promise<void> {
  await db
    .updateTable("engine_pack")
    .set({ info: { ...info, trial } })
    .where("institution_id", "=", institution_id)
    .where("id", "=", id)
    .execute();
}
export async function deleteEngine(db: Db, { source, row }: AddedEngine): Promise<void> {
  await db
    .deleteFrom(engineTables[source])
    .where("institution_id", "=", row.institution_id)
    .where("id", "=", row.id)
    .execute();
}

import type { Selectable } from "kysely";
import { builtInEngine, type Engine } from "@arcada/contract/analysis/analysis.calls";
import type { EngineTrial } from "@arcada/contract/analysis/trial";
import { measurementInfo } from "@arcada/analysis/measure/info";
import type { Db } from "../platform/database/database.ts";
import type { EnginePackTable, EngineRemoteTable } from "../tables/analysis.ts";

type PackRow = Selectable<EnginePackTable>;
export type RemoteRow = Selectable<EngineRemoteTable>;
/** An engine and its row. */
export type Installed = { source: "builtIn" } | { source: "pack"; row: PackRow } | { source: "remote"; row: RemoteRow };

/** Returns the built-in engine first, then packs and servers by age. */
export async function enginesOf(db: Db, iid: string): Promise<Installed[]> {
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
    ...packs.map((row) => ({ source: "pack" as const, row })),
    ...remotes.map((row) => ({ source: "remote" as const, row })),
  ];
}
export const engineOf = async (db: Db, iid: string, id: string): Promise<Installed | undefined> =>
  (await enginesOf(db, iid)).find((one) => idOf(one) === id);
/** Returns the engine of this id and version, as it is installed now. */
export const engineNamed = async (
  db: Db,
  iid: string,
  { engine_id, engine_version }: { engine_id: string; engine_version: string },
): Promise<Installed | undefined> =>
  (await enginesOf(db, iid)).find((one) => {
    const { id, version } = infoOf(one);
    return id === engine_id && version === engine_version;
  });

/** True if the operator allows packs for this institution; no row means no. */
export const packsAllowed = async (db: Db, iid: string): Promise<boolean> =>
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

const idOf = (one: Installed): string => (one.source === "builtIn" ? builtInEngine : one.row.id);
export const infoOf = (one: Installed) => (one.source === "builtIn" ? measurementInfo : one.row.info);
export const isOn = (one: Installed): boolean => one.source === "builtIn" || one.row.state === "on";

/** Returns an engine as people see it; only those who manage it see a server's address. */
export const engineShown = (one: Installed, manages: boolean): Engine => ({
  id: idOf(one),
  source: one.source,
  on: isOn(one),
  info: infoOf(one),
  signedBy: one.source === "pack" ? one.row.signed_by : null,
  since: one.source === "builtIn" ? null : one.source === "pack" ? one.row.installed_at : one.row.set_at,
  remote: one.source === "remote" && manages ? remoteShown(one.row) : null,
});
const remoteShown = ({ address, model, model_version, token, manifest, card }: RemoteRow) => ({
  address,
  model,
  modelVersion: model_version,
  hasToken: token !== null,
  manifest,
  card,
});

const tableOf = { pack: "engine_pack", remote: "engine_remote" } as const;
type Outside = Exclude<Installed, { source: "builtIn" }>;

export async function setState(db: Db, { source, row }: Outside, state: "on" | "off"): Promise<void> {
  await db
    .updateTable(tableOf[source])
    .set({ state })
    .where("institution_id", "=", row.institution_id)
    .where("id", "=", row.id)
    .execute();
}
/**
 * Stores the result of a pack's trial beside the pack's own description, so that every reader of the description finds
 * it.
 */
export async function setTrial(db: Db, { institution_id, id, info }: PackRow, trial: EngineTrial): Promise<void> {
  await db
    .updateTable("engine_pack")
    .set({ info: { ...info, trial } })
    .where("institution_id", "=", institution_id)
    .where("id", "=", id)
    .execute();
}
export async function deleteEngine(db: Db, { source, row }: Outside): Promise<void> {
  await db
    .deleteFrom(tableOf[source])
    .where("institution_id", "=", row.institution_id)
    .where("id", "=", row.id)
    .execute();
}

import { sql } from "kysely";
import type { analysisCalls, IncludedAudience, IncludedEngine } from "@arcada/contract/analysis/analysis.calls";
import type { Output } from "@arcada/contract/kernel/call";
import type { Db } from "../../platform/database/database.ts";
import { readIncludedPacks, type IncludedPack, type IncludedPacks } from "./included-packs.ts";

/** Returns the ids of the included packs that the operator has switched on for this institution. */
export async function listIncludedFor(db: Db, iid: string): Promise<string[]> {
  const rows = await db
    .selectFrom("engine_included")
    .innerJoin("institution", (join) => join.on("institution.id", "=", iid))
    .select("engine_id")
    .distinct()
    .where("institution.type", "=", "clinic")
    .where((where) =>
      where.or([
        where("engine_included.institution_id", "is", null),
        where("engine_included.institution_id", "=", iid),
      ]),
    )
    .execute();
  return rows.map(({ engine_id }) => engine_id);
}

/**
 * Returns what the operator decides on: the packs of the folder, the clinics, and the files that were refused. It reads
 * beyond the scope of one institution.
 */
export async function listIncluded(db: Db, source: IncludedPacks): Promise<Output<typeof analysisCalls.included>> {
  const { packs, refused } = await readIncludedPacks(source);
  const engines: IncludedEngine[] = [];
  for (const pack of packs) engines.push(await toIncluded(db, pack));
  return { engines, refused, clinics: engines.length > 0 ? await listClinics(db) : [] };
}

export const toIncluded = async (db: Db, { info, signedBy }: IncludedPack): Promise<IncludedEngine> => ({
  info,
  signedBy,
  ...(await readAudience(db, info.id)),
});

async function readAudience(db: Db, engine: string): Promise<Pick<IncludedEngine, "audience" | "institutions">> {
  const rows = await db
    .selectFrom("engine_included")
    .leftJoin("institution", "institution.id", "engine_included.institution_id")
    .select(["engine_included.institution_id as id", "institution.name"])
    .where("engine_id", "=", engine)
    .orderBy("institution.name")
    .execute();
  const institutions = rows.flatMap(({ id, name }) => (id === null ? [] : [{ id, name: name ?? "" }]));
  const audience = rows.some(({ id }) => id === null) ? "all" : institutions.length > 0 ? "chosen" : "nobody";
  return { audience, institutions };
}

/**
 * Two operators who decide on one engine do so one after the other, so that the later decision replaces the whole of the
 * earlier one.
 * @returns false if one of the institutions is no clinic of this platform
 */
export async function setAudience(
  db: Db,
  engine: string,
  { audience, institutionIds, by }: { audience: IncludedAudience; institutionIds: readonly string[]; by: string },
): Promise<boolean> {
  const wanted = audience === "all" ? [null] : audience === "chosen" ? [...new Set(institutionIds)] : [];
  const clinics = await db
    .selectFrom("institution")
    .select("id")
    .where("type", "=", "clinic")
    .where("id", "in", [...institutionIds, noInstitution])
    .execute();
  if (audience === "chosen" && clinics.length !== wanted.length) return false;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`engine included ${engine}`}, 0))`.execute(db);
  await db.deleteFrom("engine_included").where("engine_id", "=", engine).execute();
  if (wanted.length > 0)
    await db
      .insertInto("engine_included")
      .values(wanted.map((institution_id) => ({ engine_id: engine, institution_id, switched_by: by })))
      .execute();
  return true;
}

/** An empty list in a condition is no SQL. */
const noInstitution = "00000000-0000-0000-0000-000000000000";

/** Returns the clinics among which the operator may choose, by name. */
const listClinics = (db: Db): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom("institution")
    .select(["id", "name"])
    .where("type", "=", "clinic")
    .orderBy("name")
    .limit(maxListedClinics)
    .execute();
const maxListedClinics = 2000;

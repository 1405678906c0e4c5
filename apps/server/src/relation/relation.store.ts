import { sql } from "kysely";
import { relationRules } from "@arcada/contract/relation/relation.cycle";
import type { RelationAction } from "@arcada/contract/relation/relation.cycle";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";

/** Of this organisation, whichever side it stands on. */
export const relationById = (db: Db, iid: string, id: string) =>
  db.selectFrom("relation").selectAll().where("id", "=", id).where(sidesWith(iid)).executeTakeFirst();
const sidesWith = (iid: string) => sql<boolean>`${iid}::uuid in (relation.institution_id, relation.target_id)`;

/** Newest first, without those that this side hid, but with the one named. */
export const relationsOf = (db: Db, iid: string, named: string | null = null) =>
  db
    .selectFrom("relation")
    .innerJoin("institution", (join) =>
      join.on(
        sql<boolean>`institution.id = case when relation.institution_id = ${iid} then relation.target_id else relation.institution_id end`,
      ),
    )
    .selectAll("relation")
    .select([
      "institution.id as other_id",
      "institution.name",
      "institution.number",
      "institution.type",
      "institution.country",
      "institution.address",
    ])
    .where(sidesWith(iid))
    .where(sql<boolean>`(not (${iid}::uuid = any(relation.hidden_by)) or relation.id = ${named})`)
    .orderBy("relation.requested_at", "desc")
    .execute();

/** Asks; undefined when a living relationship between the two stands already, whoever asked. */
export async function insertRelation(
  db: Db,
  row: { iid: string; target: string; uid: string; auto: boolean },
): Promise<string | undefined> {
  const id = newId();
  const made = await sql<{
    id: string;
  }>`insert into relation (id, institution_id, target_id, state, requested_by, established_at)
    values (${id}, ${row.iid}, ${row.target}, ${row.auto ? "established" : "requested"}, ${row.uid}, ${row.auto ? sql`now()` : null})
    on conflict do nothing returning id`.execute(db);
  return made.rows[0]?.id;
}

/** True while a refusal of the same organisation is younger than a day. */
export async function rejectedLately(db: Db, iid: string, target: string): Promise<boolean> {
  const found =
    await sql`select 1 from relation where institution_id = ${iid} and target_id = ${target} and state = 'rejected'
    and decided_at > now() - make_interval(hours => ${relationRules.askAgainHours})`.execute(db);
  return found.rows.length > 0;
}

type Change = { state: string; stamp: ReturnType<typeof sql> };
const changes: Partial<Record<RelationAction, Change>> = {
  accept: { state: "established", stamp: sql`established_at = now(), decided_at = now()` },
  reject: { state: "rejected", stamp: sql`decided_at = now()` },
  cancel: { state: "cancelled", stamp: sql`decided_at = now()` },
  resend: { state: "requested", stamp: sql`resent_at = now()` },
  exit: { state: "closing", stamp: sql`left_at = now()` },
  resume: { state: "established", stamp: sql`left_by = null, left_at = null` },
};

/** One step, only from the version that was seen; false when somebody else was first. */
export async function moveRelation(
  db: Db,
  row: { id: string; version: number; state: string },
  action: RelationAction,
  by: { iid: string; reason: string | null },
): Promise<boolean> {
  const change = changes[action];
  const stamp = change?.stamp ?? sql`hidden_by = hidden_by || ${by.iid}::uuid`;
  const left = action === "exit" ? sql`, left_by = ${by.iid}` : sql``;
  const moved =
    await sql`update relation set state = ${change?.state ?? row.state}, version = version + 1, reason = ${by.reason}, ${stamp}${left}
    where id = ${row.id} and version = ${row.version} and state = ${row.state}`.execute(db);
  return moved.numAffectedRows === 1n;
}

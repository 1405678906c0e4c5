import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { FinishedUpload } from "../platform/upload/finish-uploads.ts";
import type { VisitFileTable, VisitTable, VisitVersionTable } from "../tables/schema.generated.ts";
import type { Row } from "../tables/row.ts";

type StoredVisit = Selectable<VisitTable>;
export type VisitRow = StoredVisit & { dentist: string; creator: string; changer: string; remover: string | null };
export type VisitVersionRow = Selectable<VisitVersionTable> & { dentist: string; saver: string };
export type VisitFile = Selectable<VisitFileTable>;
/** The fields of a visit that a person writes. */
export type VisitInput = Pick<StoredVisit, "at" | "dentist_id" | "content">;
export interface VisitCursor {
  at: string;
  id: string;
}

export const patientExists = async (db: Db, iid: string, patientId: string): Promise<boolean> =>
  (
    await sql`select from patient where institution_id = ${iid} and id = ${patientId} and deleted_at is null`.execute(
      db,
    )
  ).rows.length > 0;

/** Returns true if the user is a member of the institution. */
export const isMember = async (db: Db, iid: string, uid: string): Promise<boolean> =>
  (
    await sql`select from membership where institution_id = ${iid} and user_id = ${uid} and state = 'normal'`.execute(
      db,
    )
  ).rows.length > 0;

const displayName = (alias: string) =>
  sql<string>`coalesce(nullif(${sql.ref(`${alias}.nick_name`)}, ''), ${sql.ref(`${alias}.user_name`)})`;
const visitsWithNames = sql`select v.*, ${displayName("d")} as dentist, ${displayName("c")} as creator, ${displayName("h")} as changer, ${displayName("r")} as remover
  from visit v join users d on d.id = v.dentist_id join users c on c.id = v.created_by join users h on h.id = v.changed_by
  left join users r on r.id = v.deleted_by`;

/** Returns a patient's visits, newest first, after a position. */
export async function listVisits(
  db: Db,
  iid: string,
  patientId: string,
  page: { removed: boolean; after: VisitCursor | null; most: number },
): Promise<VisitRow[]> {
  const { after, most } = page;
  const { rows } = await sql<VisitRow>`${visitsWithNames}
    where v.institution_id = ${iid} and v.patient_id = ${patientId} and (v.deleted_at is not null) = ${page.removed}
      ${after ? sql`and (v.at, v.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by v.at desc, v.id desc limit ${most}`.execute(db);
  return rows;
}

/** A visit of a patient who is there. */
export async function findVisit(db: Db, iid: string, id: string): Promise<VisitRow | undefined> {
  const { rows } = await sql<VisitRow>`${visitsWithNames} where v.institution_id = ${iid} and v.id = ${id}
    and exists (select from patient p where p.institution_id = v.institution_id and p.id = v.patient_id and p.deleted_at is null)`.execute(
    db,
  );
  return rows[0];
}

export async function insertVisit(
  db: Db,
  { iid, uid, patientId }: { iid: string; uid: string; patientId: string },
  text: VisitInput,
): Promise<string> {
  const id = newId();
  const { content, ...rest } = text;
  await sql`insert into visit (institution_id, id, patient_id, at, dentist_id, content, created_by, changed_by)
    values (${iid}, ${id}, ${patientId}, ${rest.at}, ${rest.dentist_id}, ${JSON.stringify(content)}::jsonb, ${uid}, ${uid})`.execute(
    db,
  );
  return id;
}

/** Returns false if another save has changed the visit since `version`; its previous text is kept as a version. */
export async function updateVisit(
  db: Db,
  old: StoredVisit,
  uid: string,
  version: number,
  text: VisitInput,
): Promise<boolean> {
  const { institution_id: iid, id } = old;
  const { rows } = await sql`with kept as (
      insert into visit_version (institution_id, visit_id, version, at, dentist_id, content, saved_by, saved_at)
      select institution_id, id, version, at, dentist_id, content, changed_by, changed_at from visit
      where institution_id = ${iid} and id = ${id} and version = ${version} and deleted_at is null
      on conflict do nothing)
    update visit set at = ${text.at}, dentist_id = ${text.dentist_id}, content = ${JSON.stringify(text.content)}::jsonb,
      version = version + 1, changed_by = ${uid}, changed_at = now()
    where institution_id = ${iid} and id = ${id} and version = ${version} and deleted_at is null returning 1`.execute(
    db,
  );
  return rows.length === 1;
}

export const listVersions = (db: Db, iid: string, id: string): Promise<VisitVersionRow[]> =>
  db
    .selectFrom("visit_version as w")
    .innerJoin("users as d", "d.id", "w.dentist_id")
    .innerJoin("users as s", "s.id", "w.saved_by")
    .selectAll("w")
    .select([displayName("d").as("dentist"), displayName("s").as("saver")])
    .where("w.institution_id", "=", iid)
    .where("w.visit_id", "=", id)
    .orderBy("w.version", "desc")
    .execute();

/** Moves a visit to the bin; returns false if it was changed or removed in the meantime. */
export async function moveVisitToBin(db: Db, iid: string, uid: string, id: string, version: number, reason: string) {
  const done =
    await sql`update visit set deleted_at = now(), deleted_by = ${uid}, delete_reason = ${reason}, version = version + 1
    where institution_id = ${iid} and id = ${id} and version = ${version} and deleted_at is null`.execute(db);
  return done.numAffectedRows === 1n;
}

export async function restoreVisit(db: Db, iid: string, id: string): Promise<boolean> {
  const done =
    await sql`update visit set deleted_at = null, deleted_by = null, delete_reason = null, version = version + 1
    where institution_id = ${iid} and id = ${id} and deleted_at is not null`.execute(db);
  return done.numAffectedRows === 1n;
}

export async function listFiles(db: Db, iid: string, visits: readonly string[]): Promise<VisitFile[]> {
  if (visits.length === 0) return [];
  return db
    .selectFrom("visit_file")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("visit_id", "in", visits)
    .orderBy("added_at")
    .orderBy("id")
    .execute();
}

export async function addFiles(
  db: Db,
  { iid, uid, visitId }: { iid: string; uid: string; visitId: string },
  uploads: readonly FinishedUpload[],
): Promise<void> {
  for (const { name: label, bytes, sha256 } of uploads)
    await db
      .insertInto("visit_file")
      .values({ institution_id: iid, visit_id: visitId, id: newId(), name: label, bytes, sha256, added_by: uid })
      .execute();
}

/** Removes the attachments that are not in `keep`; returns the hashes of their contents. */
export async function removeFiles(db: Db, iid: string, visitId: string, keep: readonly string[]): Promise<string[]> {
  const { rows } = await sql<Row<"visit_file", "sha256">>`delete from visit_file
    where institution_id = ${iid} and visit_id = ${visitId} and id <> all(${[...keep]}::uuid[]) returning sha256`.execute(
    db,
  );
  return rows.map(({ sha256 }) => sha256);
}

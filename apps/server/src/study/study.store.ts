import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { asPrepared, prepared } from "../platform/database/prepared-statements.ts";
import { lockShownStudies } from "../domain/patient-matching.ts";
import type { ConvertedFileTable, InstanceTable, SeriesTable, StudyTable } from "../tables/schema.generated.ts";
import type { Column, Row } from "../tables/row.ts";

export type StudyRecord = Selectable<StudyTable>;
export type SeriesRow = Selectable<SeriesTable>;
export type InstanceRow = Selectable<InstanceTable>;
export type DerivedFileRow = Selectable<ConvertedFileTable>;
export const patientExists = async (db: Db, iid: string, patientId: string): Promise<boolean> =>
  (
    await sql`select from patient where institution_id = ${iid} and id = ${patientId} and deleted_at is null`.execute(
      db,
    )
  ).rows.length > 0;

export async function listStudies(
  db: Db,
  iid: string,
  patientId: string,
  kind: StudyKind | undefined,
): Promise<StudyRecord[]> {
  const found = db
    .selectFrom("study")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("patient_id", "=", patientId)
    .where("deleted_at", "is", null)
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind!))
    .orderBy(sql`coalesce(taken_at, created_at)`, "desc")
    .orderBy("id", "desc")
    .limit(1000);
  return (await db.executeQuery(asPrepared(found.compile()))).rows;
}

/** A study of the principal's institution, with a patient outside the bin, or without one in the inbox. */
export async function findOwnStudy(db: Db, iid: string, id: string): Promise<StudyRecord | undefined> {
  const { rows } = await sql<StudyRecord>`select study.* from study
    left join patient on patient.institution_id = study.institution_id and patient.id = study.patient_id
    where study.institution_id = ${iid} and study.id = ${id} and study.deleted_at is null and patient.deleted_at is null`.execute(
    db,
  );
  return rows[0];
}

/** An order that gives the principal access to a study, and the patient's name as the sender gave it. */
export interface OrderAccess {
  order: string;
  state: OrderState;
  holder: "sender" | "receiver";
  completedAt: string | null;
  masked: boolean;
  patientName: string;
}
/**
 * Returns a study of another institution, with the orders that give access to it; the one that reveals least about the
 * patient first.
 */
export async function findStudyByOrder(
  db: Db,
  iid: string,
  id: string,
): Promise<{ study: StudyRecord; orderAccess: OrderAccess[] } | undefined> {
  const study = await db
    .selectFrom("study")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!study || study.institution_id === iid) return undefined;
  const orderAccess = await db
    .selectFrom("orders as o")
    .select(["o.id as order", "o.state", "o.holder", "o.completed_at as completedAt", "o.name_masked as masked"])
    .select(sql<string>`coalesce(o.patient_name, '')`.as("patientName"))
    .where("o.receiver_id", "=", iid)
    .where(
      sql<boolean>`order_read_by_receiver(o.state) and exists (select from order_file f where f.institution_id = o.institution_id
        and f.order_id = o.id and f.owner_id = ${study.institution_id} and f.study_id = ${id})`,
    )
    .orderBy("o.name_masked", "desc")
    .orderBy("o.created_at", "desc")
    .execute();
  return orderAccess.length > 0 ? { study, orderAccess } : undefined;
}

/** Returns the person whom the files name, as people read it. */
export async function findNameInFiles(db: Db, { institution_id, id }: StudyRecord): Promise<string | null> {
  const { rows } = await sql<{
    name: Column<"study_person", "name_text">;
  }>`select name_text as name from study_person where institution_id = ${institution_id} and study_id = ${id}`.execute(
    db,
  );
  return rows[0]?.name ?? null;
}

/** Returns the name in the patient's record; for a study in the inbox, the name in its files. */
export async function findPatientName(db: Db, iid: string, study: StudyRecord): Promise<string> {
  if (study.patient_id === null) return (await findNameInFiles(db, study)) ?? "";
  const row = await db
    .selectFrom("patient")
    .select("name")
    .where("institution_id", "=", iid)
    .where("id", "=", study.patient_id)
    .executeTakeFirstOrThrow();
  return row.name;
}

/**
 * A reader who may know a study may know its parts. They are read with the tenant scope bypassed, for a study that was
 * read within it: planning the nested policies of the three tables took 35 ms, and reading them 1 ms.
 */
export async function loadStudyParts(db: Db, { institution_id, id }: StudyRecord) {
  const rows = async <R>(table: "series" | "instance" | "converted_file", order: RawBuilder<unknown>): Promise<R[]> =>
    (
      await sql<R>`${prepared} select * from ${sql.table(table)} where institution_id = ${institution_id} and study_id = ${id} order by ${order}`.execute(
        db,
      )
    ).rows;
  const damaged = await listDamagedFiles(db, institution_id);
  const [series, instances, converted] = await bypassTenantScope(db, () =>
    Promise.all([
      rows<SeriesRow>("series", sql`place, id`),
      rows<InstanceRow>("instance", sql`place, id`),
      rows<DerivedFileRow>("converted_file", sql`place`),
    ]),
  );
  return { series, instances, converted, damaged };
}

/** Returns originals that the store has found to be damaged; hardly ever any. */
const listDamagedFiles = async (db: Db, iid: string): Promise<Set<string>> =>
  new Set(
    (
      await sql<
        Row<"file_fault", "sha256">
      >`select sha256 from file_fault where store_id = ${iid} and area = 'originals'`.execute(db)
    ).rows.map(({ sha256 }) => sha256),
  );

/** Converted files expire after their last use; an accuracy of one day saves a write at every view. */
export async function markStudyUsed(db: Db, study: StudyRecord, now: Date): Promise<void> {
  if (now.getTime() - Date.parse(study.used_at) < 86_400_000) return;
  await bypassTenantScope(db, () =>
    sql`update study set used_at = now() where institution_id = ${study.institution_id} and id = ${study.id}`.execute(
      db,
    ),
  );
}

export const moveStudyToBin = (db: Db, { institution_id, id }: StudyRecord) =>
  sql`update study set deleted_at = now() where institution_id = ${institution_id} and id = ${id}`.execute(db);

/**
 * Returns the current row with an exclusive lock until the transaction ends: an order that is being sent with it waits,
 * or came first.
 */
export async function lockStudy(db: Db, { institution_id, id }: StudyRecord): Promise<StudyRecord | undefined> {
  const { rows } =
    await sql<StudyRecord>`select * from study where institution_id = ${institution_id} and id = ${id} for update`.execute(
      db,
    );
  return rows[0];
}

/** Returns true if an open order uses this study. */
export async function isInOpenOrder(db: Db, { institution_id, id }: StudyRecord): Promise<boolean> {
  const { rows } =
    await sql`select from order_file f join orders o on o.institution_id = f.institution_id and o.id = f.order_id
    where f.institution_id = ${institution_id} and f.study_id = ${id} and o.state <> all(${[...orderLifecycle.terminal]}::text[]) limit 1`.execute(
      db,
    );
  return rows.length > 0;
}

/** Deletes everything that a job has indexed: its files, and the studies that have no other files. */
export async function deleteJobResults(db: Db, iid: string, id: string): Promise<void> {
  const { rows } = await sql<Row<"study", "id">>`select id from study where institution_id = ${iid} and (job_id = ${id}
    or id in (select study_id from instance where institution_id = ${iid} and job_id = ${id})) order by id for update`.execute(
    db,
  );
  await lockShownStudies(
    db,
    iid,
    rows.map((study) => study.id),
  );
  await sql`delete from instance where institution_id = ${iid} and job_id = ${id}`.execute(db);
  await sql`delete from series where institution_id = ${iid} and job_id = ${id}
    and not exists (select from instance where institution_id = ${iid} and series_id = series.id)`.execute(db);
  await sql`delete from study where institution_id = ${iid} and job_id = ${id}
    and not exists (select from instance where institution_id = ${iid} and study_id = study.id)`.execute(db);
}

export async function hasStudyWithUid(
  db: Db,
  iid: string,
  patientId: string | null,
  { id, uid }: StudyRecord,
): Promise<boolean> {
  const { rows } = await sql`select from study where institution_id = ${iid} and uid = ${uid} and id <> ${id}
    and patient_id is not distinct from ${patientId}::uuid and deleted_at is null limit 1`.execute(db);
  return rows.length > 0;
}

/** Confirms the kind of studies that still have it. Returns the number of studies that were a guess before. */
export async function confirmKind(db: Db, iid: string, ids: readonly string[], kind: StudyKind): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("study")
    .set({ kind_certain: true })
    .where("institution_id", "=", iid)
    .where("id", "in", [...ids])
    .where("kind", "=", kind)
    .where("kind_certain", "=", false)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const setKind = (db: Db, { institution_id, id }: StudyRecord, kind: StudyKind) =>
  sql`update study set kind = ${kind}, kind_certain = true where institution_id = ${institution_id} and id = ${id}`.execute(
    db,
  );

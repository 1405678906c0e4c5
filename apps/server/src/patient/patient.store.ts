import { sql } from "kysely";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import type { Db } from "../platform/database/database.ts";
import type { EventData } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { formatPatientNumber, patientSearchColumns } from "./patient-column-mapping.ts";
import type { BinnedColumns, PatientColumns, RecordColumns } from "./patient-column-mapping.ts";
import type { studyReady } from "../study/study.events.ts";
import type { Column, Row } from "../tables/row.ts";

export async function findPatient(db: Db, iid: string, id: string): Promise<RecordColumns | undefined> {
  const { rows } =
    await sql<RecordColumns>`select patient.*, coalesce(nullif(users.nick_name, ''), users.user_name) as creator,
      (select count(*)::int from study_living s where s.institution_id = ${iid} and s.patient_id = ${id}) as studies,
      (select count(*)::int from orders where orders.institution_id = ${iid} and orders.patient_id = ${id}) as orders
    from patient left join users on users.id = patient.created_by
    where patient.institution_id = ${iid} and patient.id = ${id} and patient.deleted_at is null`.execute(db);
  return rows[0];
}

export async function listPatientNames(
  db: Db,
  iid: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<Row<"patient", "id" | "name">>`select id, name from patient_living
    where institution_id = ${iid} and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/**
 * Returns the next number. Until the transaction ends nobody else creates a patient in the institution: of two requests
 * for the same person the second sees the result of the first.
 */
export async function nextPatientNumber(db: Db, iid: string): Promise<string> {
  const { rows } = await sql<
    Row<"patient_counter", "last">
  >`insert into patient_counter (institution_id, last, living) values (${iid}, 1, 1)
    on conflict (institution_id) do update set last = patient_counter.last + 1, living = patient_counter.living + 1 returning last`.execute(
    db,
  );
  return formatPatientNumber(rows[0]!.last);
}

/** Waits for a transaction that is creating a patient, and blocks others until this one ends. */
export const lockPatientCounter = (db: Db, iid: string) =>
  sql`select from patient_counter where institution_id = ${iid} for update`.execute(db);

/** Makes the counter of an institution without patients, so that `lockPatientCounter` finds a row to lock. */
export const ensurePatientCounter = (db: Db, iid: string) =>
  db
    .insertInto("patient_counter")
    .values({ institution_id: iid })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export async function insertPatient(
  db: Db,
  iid: string,
  uid: string,
  number: string,
  columns: PatientColumns,
): Promise<string> {
  const id = newId();
  const row = { ...columns, number, institution_id: iid, id, created_by: uid, deleted_at: null };
  await db
    .insertInto("patient")
    .values({ ...row, ...patientSearchColumns(row) })
    .execute();
  return id;
}

/** Returns false if another user has changed the record since `version`. */
export async function updatePatient(
  db: Db,
  iid: string,
  id: string,
  version: number,
  number: string,
  columns: PatientColumns,
): Promise<boolean> {
  const done = await db
    .updateTable("patient")
    .set({ ...columns, ...patientSearchColumns({ ...columns, number }), version: version + 1 })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("version", "=", version)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Into the bin; false when the patient is not there. */
export const movePatientToBin = (db: Db, iid: string, id: string): Promise<boolean> =>
  applyCountedChange(
    db,
    iid,
    -1,
    sql`update patient set deleted_at = now(), version = version + 1
    where institution_id = ${iid} and id = ${id} and deleted_at is null`,
  );

// Neither a record that was merged into another one nor an erased record, which only closed orders refer to, is in the
// bin.
const isBinned = sql`merged_into is null and haystack <> ''`;

/** Out of the bin; false when it is not in it, or was for too long. */
export const restorePatient = (db: Db, iid: string, id: string): Promise<boolean> =>
  applyCountedChange(
    db,
    iid,
    1,
    sql`update patient set deleted_at = null, version = version + 1
    where institution_id = ${iid} and id = ${id} and ${isBinned}
      and deleted_at > now() - make_interval(days => ${patientRules.binDays})`,
  );

async function applyCountedChange(db: Db, iid: string, by: 1 | -1, step: ReturnType<typeof sql>): Promise<boolean> {
  const done = await step.execute(db);
  if (done.numAffectedRows !== 1n) return false;
  await sql`update patient_counter set living = living + ${by} where institution_id = ${iid}`.execute(db);
  return true;
}

export type DuplicateCandidate = Row<"patient", "id" | "name" | "number"> & {
  birthDate: Column<"patient", "birth_date">;
};

/** Returns patients who may be the same person: the same name and birth date, or the same identity number. */
export async function findSamePerson(
  db: Db,
  iid: string,
  { name, birth_date, id_number }: PatientColumns,
  except: string | null = null,
): Promise<DuplicateCandidate[]> {
  const { rows } = await sql<DuplicateCandidate>`select id, name, number, birth_date as "birthDate" from patient_living
    where institution_id = ${iid} and id is distinct from ${except}::uuid
      and ((lower(name) = lower(${name}) and birth_date = ${birth_date}::date) or id_number = ${id_number})
    order by recent_visit_at desc limit 10`.execute(db);
  return rows;
}

type BinnedRow = BinnedColumns & { key: string };
const binPageSize = 50;

/**
 * Returns the patients in the bin who can still be restored, the last removed first; one row more if there are more.
 */
export async function listBinnedPatients(
  db: Db,
  iid: string,
  after: { key: string; id: string } | null,
): Promise<{ rows: BinnedRow[]; isMore: boolean }> {
  const { rows } = await sql<BinnedRow>`
    select id, number, name, sex, birth_date, age_given, age_given_on, deleted_at, deleted_at::text as key,
      greatest(1, ceil(extract(epoch from deleted_at + make_interval(days => ${patientRules.binDays}) - now()) / 86400))::int as days_left
    from patient where institution_id = ${iid} and deleted_at is not null and ${isBinned}
      and deleted_at > now() - make_interval(days => ${patientRules.binDays})
      and ${after ? sql`(deleted_at, id) < (${after.key}::timestamptz, ${after.id}::uuid)` : sql`true`}
    order by deleted_at desc, id desc limit ${binPageSize + 1}`.execute(db);
  return { rows: rows.slice(0, binPageSize), isMore: rows.length > binPageSize };
}

/** Subscriber: new images mean that the patient was here. */
export async function updateLastVisit(db: Db, domainEvent: EventData<typeof studyReady>): Promise<void> {
  if (domainEvent.again) return;
  await sql`update patient set recent_visit_at = now(), last_visit_at = now() where institution_id = ${domainEvent.institution} and id = ${domainEvent.patientId}`.execute(
    db,
  );
}

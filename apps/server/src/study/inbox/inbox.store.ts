import { sql } from "kysely";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";
import { prepared, preparedForPageSize } from "../../platform/database/prepared-statements.ts";
import { lockCollection, lockPatients, namesOtherPerson } from "../../domain/patient-matching.ts";
import { lockStudy, isInOpenOrder, type StudyRecord } from "../study.store.ts";
import type { Column, Row } from "../../tables/row.ts";

export type InboxRecord = StudyRecord & {
  /** The person whom the files name; all columns are null if they name nobody. */
  person_name: Column<"study_person", "name"> | null;
  person_text: Column<"study_person", "name_text"> | null;
  person_number: Column<"study_person", "number"> | null;
  person_birth: Column<"study_person", "birth_date">;
  person_sex: Column<"study_person", "sex"> | null;
};
export const personColumns = sql`n.name as person_name, n.name_text as person_text, n.number as person_number,
  n.birth_date as person_birth, n.sex as person_sex`;

export interface InboxCursor {
  createdAt: string;
  id: string;
}

/** Condition: the study is in the inbox. A study that waits for an answer at a patient who is not deleted is not. */
const isInInbox = (iid: string) =>
  sql`s.institution_id = ${iid} and s.patient_id is null and s.deleted_at is null and not exists (
    select from study_question q join patient p on p.institution_id = q.institution_id and p.id = q.patient_id
    where q.institution_id = s.institution_id and q.study_id = s.id and p.deleted_at is null)`;

/** A page, and one row more. */
export async function listInbox(
  db: Db,
  iid: string,
  after: InboxCursor | null,
  pageSize: number,
): Promise<InboxRecord[]> {
  const behind = after ? sql`and (s.created_at, s.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``;
  const { rows } = await sql<InboxRecord>`${preparedForPageSize(pageSize)} select s.*, ${personColumns}
    from study s left join study_person n on n.institution_id = s.institution_id and n.study_id = s.id
    where ${isInInbox(iid)} ${behind} order by s.created_at desc, s.id desc limit ${sql.lit(pageSize + 1)}`.execute(db);
  return rows;
}

export async function countInbox(db: Db, iid: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`${prepared} select count(*)::int as count from study s where ${isInInbox(iid)}`.execute(db);
  return rows[0]!.count;
}

/** Returns the person whom the study's files name, if that is not this patient. */
export async function findMismatch(
  db: Db,
  { institution_id, id }: StudyRecord,
  patientId: string,
): Promise<{ name: string; birthDate: string | null } | null> {
  const { rows } = await sql<ComparedPerson>`select n.name, n.name_text as text, n.number, n.birth_date as "birthDate",
      p.name as own, p.birth_date as born from study_person n
    join patient p on p.institution_id = n.institution_id and p.id = ${patientId}
    where n.institution_id = ${institution_id} and n.study_id = ${id}`.execute(db);
  const [files] = rows;
  if (!files || !namesOtherPerson(files, { name: files.own, birthDate: files.born })) return null;
  return { name: files.text, birthDate: files.birthDate };
}
type ComparedPerson = Row<"study_person", "name" | "number"> & {
  text: Column<"study_person", "name_text">;
  birthDate: Column<"study_person", "birth_date">;
  own: Column<"patient", "name">;
  born: Column<"patient", "birth_date">;
};

/**
 * "elsewhere": the study is no longer where it was seen; "twice": the patient has a study of the same UID already;
 * "busy": an open order uses it.
 */
export type MoveResult = "moved" | "elsewhere" | "twice" | "busy";

/** Moves a study to a patient, from where it was seen (null: the inbox); of two concurrent calls one succeeds. */
export async function moveStudyToPatient(
  db: Db,
  study: StudyRecord,
  from: string | null,
  patientId: string,
): Promise<MoveResult> {
  const iid = study.institution_id;
  await lockCollection(db, iid, patientId);
  if ((await lockPatients(db, iid, [patientId])).size === 0) return "elsewhere";
  const held = await lockStudy(db, study);
  if (!held || held.deleted_at !== null || held.patient_id !== from) return "elsewhere";
  // An order names its patient and hands the study over as that patient's.
  if (await isInOpenOrder(db, study)) return "busy";
  if (await hasStudyWithUid(db, iid, patientId, study)) return "twice";
  await sql`update study set patient_id = ${patientId} where institution_id = ${iid} and id = ${study.id}`.execute(db);
  await sql`delete from study_question where institution_id = ${iid} and study_id = ${study.id}`.execute(db);
  return "moved";
}

export const setKind = (db: Db, { institution_id, id }: StudyRecord, kind: StudyKind) =>
  sql`update study set kind = ${kind}, kind_certain = true where institution_id = ${institution_id} and id = ${id}`.execute(
    db,
  );

const restorable = sql`s.deleted_at > now() - make_interval(days => ${studyRules.binDays}::int)`;

/** Returns the removed studies of a patient, or (null) of the inbox, that can be restored; the last removed first. */
export async function listRemovedStudies(db: Db, iid: string, patientId: string | null): Promise<StudyRecord[]> {
  const { rows } = await sql<StudyRecord>`select s.* from study s where s.institution_id = ${iid}
    and s.patient_id is not distinct from ${patientId}::uuid and ${restorable}
    order by s.deleted_at desc, s.id limit 500`.execute(db);
  return rows;
}

/** A removed study of the principal's institution, with a patient outside the bin or without one. */
export async function findRemovedStudy(db: Db, iid: string, id: string): Promise<StudyRecord | undefined> {
  const { rows } = await sql<StudyRecord>`select s.* from study s
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    where s.institution_id = ${iid} and s.id = ${id} and p.deleted_at is null and ${restorable}`.execute(db);
  return rows[0];
}

/** Returns false if its patient (or the inbox) has a study of the same UID in the meantime. */
export async function restoreStudy(db: Db, study: StudyRecord): Promise<boolean> {
  await lockCollection(db, study.institution_id, study.patient_id);
  if (await hasStudyWithUid(db, study.institution_id, study.patient_id, study)) return false;
  await sql`update study set deleted_at = null where institution_id = ${study.institution_id} and id = ${study.id}`.execute(
    db,
  );
  return true;
}

async function hasStudyWithUid(
  db: Db,
  iid: string,
  patientId: string | null,
  { id, uid }: StudyRecord,
): Promise<boolean> {
  const { rows } = await sql`select from study where institution_id = ${iid} and uid = ${uid} and id <> ${id}
    and patient_id is not distinct from ${patientId}::uuid and deleted_at is null limit 1`.execute(db);
  return rows.length > 0;
}

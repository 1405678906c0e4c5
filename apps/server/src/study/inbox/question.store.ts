import { sql } from "kysely";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";
import type { Person } from "../../domain/patient-matching.ts";
import { personColumns, type InboxRecord } from "./inbox.store.ts";

export interface QuestionRecord extends InboxRecord {
  files: string[];
  asked_at: string;
  until_at: string;
}

/** Returns the studies that wait for an answer at a patient, in the order in which they came. */
export async function listQuestions(db: Db, iid: string, patientId: string): Promise<QuestionRecord[]> {
  const { rows } = await sql<QuestionRecord>`select s.*, ${personColumns}, q.files, q.asked_at,
      q.asked_at + make_interval(days => ${studyRules.questionDays}::int) as until_at
    from study_question q join study s on s.institution_id = q.institution_id and s.id = q.study_id
      left join study_person n on n.institution_id = s.institution_id and n.study_id = s.id
    where q.institution_id = ${iid} and q.patient_id = ${patientId} and s.patient_id is null and s.deleted_at is null
    order by q.asked_at, s.id limit ${studyRules.maxQuestions}`.execute(db);
  return rows;
}

export async function findRecord(db: Db, iid: string, patientId: string): Promise<Person | undefined> {
  const { rows } =
    await sql<Person>`select id, number, entry_number as "entryNumber", name, sex, birth_date as "birthDate"
    from patient where institution_id = ${iid} and id = ${patientId} and deleted_at is null`.execute(db);
  return rows[0];
}

/**
 * Locks a patient who is not deleted, before the studies: a subscriber of an added study records that the patient was
 * here.
 */
export async function lockRecord(db: Db, iid: string, patientId: string): Promise<boolean> {
  const { rows } = await sql`select from patient where institution_id = ${iid} and id = ${patientId}
    and deleted_at is null for no key update`.execute(db);
  return rows.length > 0;
}

/** Removes these questions, all of them or none: of two concurrent answers the later finds fewer. */
export async function removeQuestions(
  db: Db,
  iid: string,
  patientId: string,
  studies: readonly string[],
): Promise<boolean> {
  // All writers of studies lock them in the order of their ids, and the rows below them after that.
  await sql`select from study where institution_id = ${iid} and id = any(${[...studies]}::uuid[]) order by id for update`.execute(
    db,
  );
  const these = sql`q.institution_id = ${iid} and q.patient_id = ${patientId} and q.study_id = any(${[...studies]}::uuid[])`;
  const { rows } =
    await sql`select from study_question q join study s on s.institution_id = q.institution_id and s.id = q.study_id
    where ${these} and s.patient_id is null and s.deleted_at is null`.execute(db);
  if (rows.length < studies.length) return false;
  await sql`delete from study_question q where ${these}`.execute(db);
  return true;
}

/** Returns true if another patient also waits for an answer about a study. */
export async function isQuestionElsewhere(db: Db, iid: string, study: string): Promise<boolean> {
  const { rows } =
    await sql`select from study_question where institution_id = ${iid} and study_id = ${study} limit 1`.execute(db);
  return rows.length > 0;
}

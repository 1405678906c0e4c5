import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { lockCollection, lockPatients, namesOtherPerson } from "../../domain/patient-matching.ts";
import { lockStudy, isInOpenOrder, hasStudyWithUid } from "../study.store.ts";
import type { StudyRecord } from "../study.store.ts";
import type { Column, Row } from "../../tables/row.ts";

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

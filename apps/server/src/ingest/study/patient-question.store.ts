import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { PlannedStudy, StoredFile } from "./plan-studies.ts";

// People recognise a study by a few of its names; a folder's slices have hundreds.
const maxNames = 500;

/** Asks at a patient whether a study that names another person is theirs; a question that is open already stays. */
export async function openPatientQuestion(
  db: Db,
  iid: string,
  study: string,
  patient: string,
  { series }: PlannedStudy<StoredFile>,
): Promise<void> {
  const newFiles = series.flatMap(({ files }) => files.filter(({ file }) => file.instance === undefined));
  const uploadNames = new Set(newFiles.map(({ file }) => file.sent));
  const files = JSON.stringify([...uploadNames].slice(0, maxNames));
  await sql`insert into study_question (institution_id, study_id, patient_id, files)
    values (${iid}, ${study}, ${patient}, ${files}::jsonb) on conflict do nothing`.execute(db);
}

/** Returns true if a study waits for an answer at a patient who is not deleted. */
export async function hasOpenQuestion(db: Db, iid: string, study: string): Promise<boolean> {
  const { rows } = await sql`select from study_question q
    join patient p on p.institution_id = q.institution_id and p.id = q.patient_id
    where q.institution_id = ${iid} and q.study_id = ${study} and p.deleted_at is null limit 1`.execute(db);
  return rows.length > 0;
}

import { sql } from "kysely";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";
import { countUpTo } from "../../platform/database/select-value.ts";
import { prepared, preparedForPageSize } from "../../platform/database/prepared-statements.ts";
import type { StudyRecord } from "../study.store.ts";
import type { Column } from "../../tables/row.ts";

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

/** Counts up to `maxInboxCount`: the images that a clinic brings along from another program may wait for months. */
export async function countInbox(db: Db, iid: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`${prepared} select ${countUpTo(studyRules.maxInboxCount, sql`from study s where ${isInInbox(iid)}`)} as count`.execute(
    db,
  );
  return rows[0]!.count;
}

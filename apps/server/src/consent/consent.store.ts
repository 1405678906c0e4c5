import { sql } from "kysely";
import type { Insertable, Selectable } from "kysely";
import type { ConsentKind } from "@arcada/contract/consent/consent.calls";
import type { Db } from "../platform/database/database.ts";
import type { ConsentTable } from "../tables/schema.generated.ts";

export type ConsentRow = Selectable<ConsentTable> & { recorder: string; withdrawal_recorder: string | null };

export const patientExists = async (db: Db, iid: string, patientId: string): Promise<boolean> =>
  (
    await sql`select from patient where institution_id = ${iid} and id = ${patientId} and deleted_at is null`.execute(
      db,
    )
  ).rows.length > 0;

/** Locks the patient's record, so that parallel writers follow each other; false if it does not exist. */
export const lockPatient = async (db: Db, iid: string, patientId: string): Promise<boolean> =>
  (
    await sql`select from patient where institution_id = ${iid} and id = ${patientId} and deleted_at is null for update`.execute(
      db,
    )
  ).rows.length > 0;

export async function listConsents(db: Db, iid: string, patientId: string): Promise<ConsentRow[]> {
  const name = (alias: string) =>
    sql`coalesce(nullif(${sql.ref(`${alias}.nick_name`)}, ''), ${sql.ref(`${alias}.user_name`)})`;
  const { rows } = await sql<ConsentRow>`select c.*, ${name("r")} as recorder, ${name("w")} as withdrawal_recorder
    from consent c join users r on r.id = c.recorded_by left join users w on w.id = c.withdrawal_recorded_by
    where c.institution_id = ${iid} and c.patient_id = ${patientId} order by c.given_at desc, c.id desc`.execute(db);
  return rows;
}

export const insertConsent = (db: Db, row: Insertable<ConsentTable>): Promise<unknown> =>
  db.insertInto("consent").values(row).execute();

/** Withdraws every valid consent of this kind; false if there was none. */
export async function withdrawConsents(
  db: Db,
  of: { iid: string; uid: string; patientId: string; kind: ConsentKind },
  { by, note }: { by: string; note: string | null },
): Promise<boolean> {
  const done = await sql`update consent set withdrawn_at = now(), withdrawn_by = ${by}, withdrawn_note = ${note},
      withdrawal_recorded_by = ${of.uid}
    where institution_id = ${of.iid} and patient_id = ${of.patientId} and kind = ${of.kind} and withdrawn_at is null`.execute(
    db,
  );
  return (done.numAffectedRows ?? 0n) > 0n;
}

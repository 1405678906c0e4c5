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
  const name = <Name extends string | null = string>(alias: string) =>
    sql<Name>`coalesce(nullif(${sql.ref(`${alias}.nick_name`)}, ''), ${sql.ref(`${alias}.user_name`)})`;
  return db
    .selectFrom("consent as c")
    .innerJoin("users as r", "r.id", "c.recorded_by")
    .leftJoin("users as w", "w.id", "c.withdrawal_recorded_by")
    .selectAll("c")
    .select([name("r").as("recorder"), name<string | null>("w").as("withdrawal_recorder")])
    .where("c.institution_id", "=", iid)
    .where("c.patient_id", "=", patientId)
    .orderBy("c.given_at", "desc")
    .orderBy("c.id", "desc")
    .execute();
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

import { sql } from "kysely";
import { emptyColumns } from "@arcada/contract/patient/patient-fields";
import { audit } from "../../platform/audit/audit.ts";
import { markUnneeded } from "../../platform/storage/blob-references.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import { patientTables } from "../../domain/patient-tables.ts";
import type { PatientTable } from "../../tables/schema.generated.ts";
import type { FieldColumn } from "../patient-column-mapping.ts";
import { takePatientContents, deleteCopies } from "./patient-files.store.ts";
import { expireExports } from "../../data-export/data-export.writes.ts";
import { deleteWaitingMessages } from "../../hl7/erase-patient.writes.ts";
import { blankOrders } from "../../order/erase-patient.writes.ts";
import { deleteResponsesWith } from "../../platform/http/idempotency.ts";
import type { Row } from "../../tables/row.ts";

/** The record to erase, and who requests it: a manager with their reason, or (null) the end of its time in the bin. */
export interface ErasureRequest {
  iid: string;
  id: string;
  by: { uid: string; address: string; requestId: string; reason: string | null } | null;
}

/**
 * Erases a patient and all of their data, in the transaction of the caller, who bypasses the tenant scope and has
 * checked that it is allowed. A line in the audit log remains under the record's random id, and of closed orders their
 * number, dates and work, for an empty record. Returns the stores from which files may be deleted.
 */
export async function erasePatient(db: Db, { iid, id, by }: ErasureRequest): Promise<string[]> {
  const { rows } = await sql<Row<"patient", "id" | "deleted_at">>`select id, deleted_at from patient
    where institution_id = ${iid} and (id = ${id} or merged_into = ${id}) for update`.execute(db);
  const ids = rows.map((row) => row.id);
  const stored = await takePatientContents(db, iid, ids);
  const copied = await deleteCopies(db, iid, stored);
  const expired = await expireExports(db, iid);
  const tableExports = expired.map((sha256) => ({ store: iid, area: "converted" as const, sha256 }));
  await deleteWaitingMessages(db, iid, ids);
  const blanked = await blankOrders(db, iid, ids);
  for (const { table } of patientTables.filter(({ table: name }) => name !== "orders"))
    await sql`delete from ${sql.table(table)} where institution_id = ${iid} and patient_id = any(${ids}::uuid[])`.execute(
      db,
    );
  // The first responses of commands are stored for retries.
  await deleteResponsesWith(db, sql`select user_id from membership where institution_id = ${iid}`, ids);
  await deleteRecord(db, iid, id, blanked.isNamed);
  if (rows.some((row) => row.id === id && row.deleted_at === null))
    await sql`update patient_counter set living = living - 1 where institution_id = ${iid}`.execute(db);
  const stores = Map.groupBy([...stored, ...copied, ...tableExports, ...blanked.contents], ({ store }) => store);
  for (const [store, contents] of stores) await markUnneeded(db, store, contents);
  const detail = { files: stored.length, orders: blanked.orders, ...(by?.reason && { reason: by.reason }) };
  await audit(db, {
    institution_id: iid,
    user_id: by?.uid ?? null,
    action: by ? "patient.erase" : "patient.purge",
    subject: id,
    detail,
    address: by?.address ?? null,
    request_id: by?.requestId ?? null,
  });
  await notifyClients(db, { institutions: [iid] }, "patient", id);
  return [...stores.keys()];
}

/** An order refers to a record, so an empty record replaces the patient's. */
async function deleteRecord(db: Db, iid: string, id: string, isNamed: boolean): Promise<void> {
  await sql`delete from patient_merge where institution_id = ${iid} and (kept_id = ${id} or merged_id = ${id})`.execute(
    db,
  );
  await sql`delete from patient where institution_id = ${iid} and merged_into = ${id}`.execute(db);
  if (!isNamed) await sql`delete from patient where institution_id = ${iid} and id = ${id}`.execute(db);
  else
    await db
      .updateTable("patient")
      .set({ ...emptyColumns, ...erasedOwnColumns })
      .where("institution_id", "=", iid)
      .where("id", "=", id)
      .execute();
}

type OwnColumn = Exclude<keyof PatientTable, FieldColumn | "institution_id" | "id" | "created_by" | "created_at">;
/** The columns that belong to no field of the form. A column that is missing here does not compile. */
const erasedOwnColumns = {
  number: sql<string>`'E' || replace(id::text, '-', '')`,
  recent_visit_at: sql<string>`created_at`,
  last_visit_at: null,
  updated_at: sql<string>`now()`,
  deleted_at: sql<string>`'epoch'`,
  merged_into: null,
  version: sql<number>`version + 1`,
  haystack: "",
  grams: [],
  sort_name: "",
} satisfies Record<OwnColumn, unknown>;

import { sql } from "kysely";
import { audit } from "../../platform/audit/audit.ts";
import { markUnneeded } from "../../platform/storage/blob-references.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import { patientTables } from "../../domain/patient-columns.ts";
import { takePatientContents, deleteCopies, type StoredContent } from "./patient-files.store.ts";
import { expireExports } from "../../data-export/data-export.writes.ts";
import { blankOrders } from "../../order/erase-patient.writes.ts";
import { deleteResponsesWith } from "../../platform/http/idempotency.ts";

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
  const { rows } = await sql<{ id: string; deleted_at: string | null }>`select id, deleted_at from patient
    where institution_id = ${iid} and (id = ${id} or merged_into = ${id}) for update`.execute(db);
  const ids = rows.map((row) => row.id);
  const stored = await takePatientContents(db, iid, ids);
  const copied = await deleteCopies(db, iid, stored);
  const expired = await expireExports(db, iid);
  const tableExports = expired.map((sha256) => ({ store: iid, area: "converted" as const, sha256 }));
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
    await sql`update patient set number = 'E' || replace(id::text, '-', ''), name = ${erasedName}, sex = 'other', birth_date = null,
        age_given = 0, age_given_on = '1970-01-01', phone = null, fixed_line = null, email = null, mail_address = null,
        id_number = null, passport = null, driving_licence = null, insurance_number = null, certificate_number = null,
        entry_number = null, inspection_number = null, inspected_at = null, allergies = null, past_history = null,
        diabetes = null, hypertension = null, family_genetics = null, habits = '{}', remark = null, merged_into = null,
        recent_visit_at = created_at, last_visit_at = null, deleted_at = 'epoch', version = version + 1, haystack = '', grams = '{}', sort_name = ''
      where institution_id = ${iid} and id = ${id}`.execute(db);
}
const erasedName = "—";

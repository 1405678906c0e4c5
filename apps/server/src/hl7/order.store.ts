import { sql } from "kysely";
import type { Hl7Order } from "@arcada/contract/hl7/hl7-intent";
import type { RecordContext } from "../patient/change-record.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";

/**
 * Writes the requests of a message. The placer's number identifies one: a request that comes again, or changed, is the
 * same one, and a cancelled one leaves the work list.
 */
export async function applyOrders(
  { db, principal }: RecordContext,
  connection: string,
  patient: string,
  orders: readonly Hl7Order[],
): Promise<void> {
  for (const {
    action,
    scheduledAt,
    placer,
    filler,
    accession,
    code,
    description,
    reason,
    requester,
    teeth,
  } of orders) {
    const content = { filler, accession, code, description, reason, requester, teeth: [...teeth] };
    const state = action === "cancel" ? "cancelled" : "open";
    const row = { ...content, patient_id: patient, scheduled_at: scheduledAt };
    await db
      .insertInto("hl7_order")
      .values({ ...row, institution_id: principal.iid, id: newId(), connection_id: connection, placer, state })
      .onConflict((conflict) =>
        conflict.columns(["institution_id", "connection_id", "placer"]).doUpdateSet({
          ...(action === "request" && row),
          state,
          changed_at: sql<string>`now()`,
        }),
      )
      .execute();
  }
}

/** The newest request of a system for a patient that a report has not answered yet. */
export const findOpenOrder = (db: Db, iid: string, connection: string, patient: string) =>
  db
    .selectFrom("hl7_order")
    .select(["id", "placer", "filler", "accession", "code", "description"])
    .where("institution_id", "=", iid)
    .where("connection_id", "=", connection)
    .where("patient_id", "=", patient)
    .where("state", "=", "open")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();

export const markReported = (db: Db, iid: string, id: string) =>
  db
    .updateTable("hl7_order")
    .set({ state: "reported", changed_at: sql<string>`now()` })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("state", "=", "open")
    .execute();

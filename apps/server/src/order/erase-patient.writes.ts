import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { BlobKey } from "../platform/storage/blob-references.ts";
import type { Row } from "../tables/row.ts";

interface BlankedOrders {
  orders: number;
  /** An order points at the patient's record. */
  isNamed: boolean;
  contents: (BlobKey & { store: string })[];
}

/**
 * Removes the patient's data from closed orders, and from those by which labs passed them on: name and number, free
 * text, messages, comments and all files, including designs, which show their teeth.
 */
export async function blankOrders(db: Db, iid: string, patients: readonly string[]): Promise<BlankedOrders> {
  const { rows: orders } = await sql<Row<"orders", "institution_id" | "id">>`with recursive family as (
      select institution_id, id from orders where institution_id = ${iid} and patient_id = any(${[...patients]}::uuid[])
      union select o.institution_id, o.id from orders o join family f on o.parent_id = f.id)
    select institution_id, id from family`.execute(db);
  if (orders.length === 0) return { orders: 0, isNamed: false, contents: [] };
  const ids = sql`any(${orders.map(({ id }) => id)}::uuid[])`;
  const { rows: files } = await sql<
    Row<"order_file", "owner_id" | "sha256" | "study_id">
  >`delete from order_file where order_id = ${ids} returning owner_id, sha256, study_id`.execute(db);
  for (const table of ["order_message", "order_pin", "order_reading"])
    await sql`delete from ${sql.table(table)} where order_id = ${ids}`.execute(db);
  await sql`update orders set patient_name = null, patient_number = null, rx = ${prescriptionWithoutText}, info_request = null,
    cancel_request = null where id = ${ids}`.execute(db);
  await sql`update order_rx set rx = ${prescriptionWithoutText} where order_id = ${ids}`.execute(db);
  await sql`update order_proposal set rx = ${prescriptionWithoutText}, text = null where order_id = ${ids}`.execute(db);
  await sql`update order_revision set text = null where order_id = ${ids}`.execute(db);
  await sql`update order_event set text = null, faults = null where order_id = ${ids}`.execute(db);
  return {
    orders: orders.length,
    isNamed: orders.some(({ institution_id }) => institution_id === iid),
    contents: files.flatMap(({ owner_id: store, sha256, study_id }) =>
      study_id === null ? [{ store, area: "originals" as const, sha256 }] : [],
    ),
  };
}

/** A prescription without its free text and its studies. */
const prescriptionWithoutText = sql`rx || '{"instructions": null, "sourceOrder": null, "studies": []}'::jsonb || jsonb_build_object('items',
  (select coalesce(jsonb_agg(item || '{"remark": null}'::jsonb), '[]'::jsonb) from jsonb_array_elements(rx -> 'items') item))`;

import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { searchColumns } from "../../platform/text/search-terms.ts";
import type { Row } from "../../tables/row.ts";

const batchSize = 500;

/**
 * Writes the search words of orders whose patient the reader knows from the order alone, by the name in the order:
 * masked characters are not searchable. Bypasses the tenant scope, because the words are also for the other side;
 * returns their number.
 */
export async function writeSearchWords(db: Db, orderId: string | null = null): Promise<number> {
  const { rows } = await sql<
    Row<"order_entry", "institution_id" | "order_id"> & Row<"orders", "patient_name" | "patient_number">
  >`
    select e.institution_id, e.order_id, o.patient_name, o.patient_number
    from order_entry e join orders o on o.institution_id = e.owner_id and o.id = e.order_id
    where not e.worded and (${orderId}::uuid is null or e.order_id = ${orderId}::uuid)
    order by e.institution_id, e.order_id limit ${batchSize} for update of e skip locked`.execute(db);
  const words = rows.map(({ patient_name, patient_number, ...entry }) => ({
    ...entry,
    ...searchColumns({ name: patient_name ?? "", numbers: [patient_number ?? ""] }),
  }));
  if (words.length > 0)
    await sql`
      update order_entry e set worded = true, sort_name = w.sort_name,
        haystack = order_haystack(e.number) || E'\n' || w.haystack, grams = order_grams(e.number) || w.grams
      from jsonb_to_recordset(${JSON.stringify(words)}::jsonb)
        as w(institution_id uuid, order_id uuid, sort_name text, haystack text, grams text[])
      where e.institution_id = w.institution_id and e.order_id = w.order_id`.execute(db);
  return words.length;
}

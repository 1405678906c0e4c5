import { sql } from "kysely";
import type { Database } from "./database.ts";

/**
 * A table whose rows are added up instead of updated, so that transactions of one institution never wait for each other
 * at a counter. Triggers add rows; the sum of an institution's rows for each combination of keys is the count.
 */
export interface TallyTable {
  table: string;
  /** The columns that name what is counted, beside `institution_id`. */
  keys: readonly string[];
  /** The columns that are summed. */
  sums: readonly string[];
  /** Institutions with more rows than this are combined. It must exceed the number of combinations of keys. */
  above: number;
}

/**
 * Combines the rows of institutions that have many; returns the number of removed rows. Readers see either the old rows
 * or the new ones, never both.
 */
export const compactTally = (database: Database, { table, keys, sums, above }: TallyTable): Promise<number> =>
  database.asSystem(async (db) => {
    const name = sql.table(table);
    const by = sql.join(["institution_id", ...keys].map((key) => sql.ref(key)));
    const totals = sums.map((column) => sql`sum(${sql.ref(column)})`);
    const { rows } = await sql<{ gone: number }>`
      with gone as (
        delete from ${name} where pg_try_advisory_xact_lock(hashtext(${`arcada tally ${table}`})) and institution_id in (
          select institution_id from ${name} group by institution_id having count(*) > ${above})
        returning *
      ), kept as (
        insert into ${name} select ${by}, ${sql.join(totals)} from gone group by ${by}
        having ${sql.join(
          totals.map((total) => sql`${total} <> 0`),
          sql` or `,
        )}
      )
      select count(*)::int as gone from gone`.execute(db);
    return rows[0]!.gone;
  });

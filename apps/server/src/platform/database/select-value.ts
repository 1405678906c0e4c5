import { sql } from "kysely";
import type { RawBuilder, SelectType } from "kysely";
import type { Db } from "./database.ts";

/** Lists by page numbers count up to this. */
export const maxCountedRows = 10_000;

/**
 * Counts the rows of a query up to `most`, so that a list that grows does not slow down whoever opens it.
 * @param rows what follows `select` in a query: `from`, joins and conditions
 */
export const countUpTo = (most: number, rows: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select count(*)::int from (select ${rows} limit ${sql.lit(most)}) as counted)`;

/** Computes one value. The result has the type of the expression, so that no row type is written by hand. */
export async function selectValue<T>(db: Db, expression: RawBuilder<T>): Promise<SelectType<T>> {
  const { value } = await db.selectNoFrom(expression.as("value")).executeTakeFirstOrThrow();
  return value;
}

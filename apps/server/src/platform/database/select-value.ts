import type { RawBuilder, SelectType } from "kysely";
import type { Db } from "./database.ts";

/** Computes one value. The result has the type of the expression, so that no row type is written by hand. */
export async function selectValue<T>(db: Db, expression: RawBuilder<T>): Promise<SelectType<T>> {
  const { value } = await db.selectNoFrom(expression.as("value")).executeTakeFirstOrThrow();
  return value;
}

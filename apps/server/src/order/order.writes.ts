import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "../platform/database/database.ts";

/**
 * Gives orders, rows of `o`, to another receiver.
 * @param which a condition on `o`
 */
export const replaceReceiver = (db: Db, receiver: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
  sql`update orders o set receiver_id = ${receiver} where ${which}`.execute(db);

import { sql } from "kysely";
import type { Database } from "../database/database.ts";

/**
 * Deletes kept responses of commands. They contain what they were about, patient data too, and after a day nobody
 * repeats the same command.
 */
export const deleteOldResponses = (database: Database) =>
  database.asSystem((db) => sql`delete from idempotency where at < now() - interval '1 day'`.execute(db));

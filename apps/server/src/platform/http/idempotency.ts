import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database, Db } from "../database/database.ts";

/**
 * Deletes kept responses of commands. They contain what they were about, patient data too, and after a day nobody
 * repeats the same command.
 */
export const deleteOldResponses = (database: Database) =>
  database.asSystem((db) => sql`delete from idempotency where at < now() - interval '1 day'`.execute(db));

/**
 * Deletes the kept responses to these users that contain one of these texts.
 * @param users a query of their ids
 */
export const deleteResponsesWith = (db: Db, users: RawBuilder<unknown>, texts: readonly string[]) =>
  sql`delete from idempotency where user_id in (${users})
    and answer::text like any(${texts.map((text) => `%${text}%`)}::text[])`.execute(db);

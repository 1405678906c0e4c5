import { sql } from "kysely";
import type { Database } from "../platform/database/database.ts";

/** Deletes addresses and spent secrets: no limit counts attempts older than a day. */
export const deleteSpentSecrets = (database: Database) =>
  database.asSystem(async (db) => {
    await sql`delete from login_failure where at < now() - interval '1 day'`.execute(db);
    await sql`delete from verification where created_at < now() - interval '1 day'`.execute(db);
    await sql`delete from ticket where expires_at < now() - interval '1 day'`.execute(db);
  });

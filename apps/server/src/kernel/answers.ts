import { sql } from "kysely";
import type { Database } from "./db.ts";

/** First answers hold what they were about, patients too: after a day nobody sends the same command again. */
export const forgetAnswers = (database: Database) =>
  database.asSystem((db) => sql`delete from idempotency where at < now() - interval '1 day'`.execute(db));

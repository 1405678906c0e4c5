import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Deletes notices that are older than this, at most so many; returns their number. */
export async function deleteNotices(db: Db, days: number, most: number): Promise<number> {
  const done = await sql`delete from notice where (user_id, id) in (
    select user_id, id from notice where created_at < now() - make_interval(days => ${days}::int) limit ${most})`.execute(
    db,
  );
  return Number(done.numAffectedRows);
}

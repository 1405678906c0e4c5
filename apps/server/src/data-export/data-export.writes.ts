import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { Row } from "../tables/row.ts";

/**
 * Expires the tables and archives of an institution, and cancels those under way; they can be made again. Returns the
 * contents that nothing refers to any more.
 */
export async function expireExports(db: Db, iid: string): Promise<string[]> {
  const { rows } = await sql<Row<"taking", "sha256">>`with old as (
      select id, sha256 from taking where institution_id = ${iid} and state in ('waiting', 'running', 'done') for update)
    update taking t set state = case when t.state = 'done' then 'expired' else 'cancelled' end, sha256 = null
    from old where t.institution_id = ${iid} and t.id = old.id returning old.sha256`.execute(db);
  const dropped = await db.deleteFrom("taking_file").where("institution_id", "=", iid).returning("sha256").execute();
  return [...rows, ...dropped].flatMap(({ sha256 }) => sha256 ?? []);
}

import { sql } from "kysely";
import type { ActiveMembership } from "../../platform/http/request-context.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Row } from "../../tables/row.ts";

/**
 * Returns the first active membership of a user's new session: that of the newest session which the user may still
 * enter, else the oldest membership.
 */
export async function findFirstMembership(db: Db, uid: string): Promise<ActiveMembership> {
  const found = await sql<Row<"membership", "institution_id" | "authority_id">>`
    select m.institution_id, m.authority_id from membership m
    left join lateral (select max(s.created_at) as last from session s where s.user_id = m.user_id
      and s.institution_id is not distinct from m.institution_id and s.authority_id = m.authority_id) used on true
    where m.user_id = ${uid} and m.state = 'normal' order by used.last desc nulls last, m.joined_at limit 1`.execute(
    db,
  );
  const row = found.rows[0];
  return row ? { iid: row.institution_id, authorityId: row.authority_id } : { iid: null, authorityId: 0 };
}

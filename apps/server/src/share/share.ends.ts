import { sql } from "kysely";
import type { Database, Db } from "../kernel/db.ts";
import { beyondWall } from "../kernel/db.ts";
import { tell, tellTabs } from "../kernel/events.ts";
import type { Happening } from "../kernel/events.ts";
import { moveShare, noteEvent, type ShareRow } from "./share.store.ts";

/** Listener: the links of a member who goes end with the membership. */
export async function cancelSharesOfLeavers(db: Db, happening: Happening): Promise<void> {
  if (happening.name !== "membershipChanged" || happening.to !== null) return;
  const { institution, user } = happening;
  await beyondWall(db, async () => {
    const { rows } =
      await sql<ShareRow>`select * from share where institution_id = ${institution} and created_by = ${user}
      and state in ('active', 'locked') for update`.execute(db);
    for (const row of rows) {
      await moveShare(db, row, "cancelled");
      await noteEvent(db, row, { what: "cancel" });
      await tellTabs(db, { institutions: [institution] }, "share", row.id);
    }
  });
}

const most = 500;

/** L7: ends links whose days are over, and tells who made them; answers how many. Several processes may run it at once. */
export const lapseShares = (database: Database): Promise<number> =>
  database.asSystem(async (db) => {
    await sql`delete from share_visit where expires_at < now() - interval '1 day'`.execute(db);
    const { rows } = await sql<ShareRow>`select * from share where state in ('active', 'locked') and expires_at <= now()
      order by expires_at limit ${most} for update skip locked`.execute(db);
    for (const row of rows) {
      await moveShare(db, row, "expired");
      await noteEvent(db, row, { what: "lapse" });
      const { label, institution_id: institution, created_by: user } = row;
      await tell(db, { name: "shareMoved", action: "lapse", label, institution, user });
      await tellTabs(db, { institutions: [institution] }, "share", row.id);
    }
    return rows.length;
  });

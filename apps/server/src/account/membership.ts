import { sql } from "kysely";
import { beyondWall } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { tellTabs } from "../kernel/events.ts";
import type { Happening } from "../kernel/events.ts";

/** Listener: sessions in an organisation take on a member's new role, and end with the membership. */
export async function followMembership(db: Db, happening: Happening): Promise<void> {
  if (happening.name !== "membershipChanged") return;
  const { institution, user, to } = happening;
  const change = to === null ? sql`ended_at = now(), end_reason = 'membership'` : sql`authority_id = ${to}`;
  await beyondWall(db, () =>
    sql`update session set ${change} where user_id = ${user} and institution_id = ${institution}
      and ended_at is null`.execute(db),
  );
  await tellTabs(db, { user }, "session", user);
}

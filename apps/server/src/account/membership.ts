import { sql } from "kysely";
import { beyondWall } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { tellTabs } from "../platform/events/events.ts";
import type { Happening } from "../platform/events/events.ts";

/**
 * Subscriber: sessions in an institution, or in the service, take on a member's new role, and end with the membership.
 */
export async function followMembership(db: Db, happening: Happening): Promise<void> {
  if (happening.name !== "membershipChanged" && happening.name !== "serviceChanged") return;
  const { user, to } = happening;
  const change = to === null ? sql`ended_at = now(), end_reason = 'membership'` : sql`authority_id = ${to}`;
  const place =
    happening.name === "membershipChanged"
      ? sql`institution_id = ${happening.institution}`
      : sql`institution_id is null and authority_id = ${happening.from}`;
  await beyondWall(db, () =>
    sql`update session set ${change} where user_id = ${user} and ${place} and ended_at is null`.execute(db),
  );
  await tellTabs(db, { user }, "session", user);
}

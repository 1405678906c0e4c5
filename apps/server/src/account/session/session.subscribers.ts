import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import type { EventData } from "../../platform/events/events.ts";
import type { membershipChanged } from "../../member/member.events.ts";
import type { serviceMembershipChanged } from "../../operator/staff.events.ts";

/** Subscriber: sessions in an institution take on a member's new role, and end with the membership. */
export const updateMemberSessions = (
  db: Db,
  { user, to, institution }: EventData<typeof membershipChanged>,
): Promise<void> => updateSessions(db, user, to, sql`institution_id = ${institution}`);

/** Subscriber: sessions in the platform's service take on a new role, and end with the membership. */
export const updateServiceSessions = (
  db: Db,
  { user, from, to }: EventData<typeof serviceMembershipChanged>,
): Promise<void> => updateSessions(db, user, to, sql`institution_id is null and authority_id = ${from}`);

async function updateSessions(db: Db, user: string, to: number | null, scope: RawBuilder<unknown>): Promise<void> {
  const change = to === null ? sql`ended_at = now(), end_reason = 'membership'` : sql`authority_id = ${to}`;
  await bypassTenantScope(db, () =>
    sql`update session set ${change} where user_id = ${user} and ${scope} and ended_at is null`.execute(db),
  );
  await notifyClients(db, { user }, "session", user);
}

import { sql } from "kysely";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import type { DomainEvent } from "../platform/events/events.ts";

/**
 * Subscriber: sessions in an institution, or in the service, take on a member's new role, and end with the membership.
 */
export async function followMembership(db: Db, happening: DomainEvent): Promise<void> {
  if (happening.name !== "membershipChanged" && happening.name !== "serviceChanged") return;
  const { user, to } = happening;
  const change = to === null ? sql`ended_at = now(), end_reason = 'membership'` : sql`authority_id = ${to}`;
  const place =
    happening.name === "membershipChanged"
      ? sql`institution_id = ${happening.institution}`
      : sql`institution_id is null and authority_id = ${happening.from}`;
  await bypassTenantScope(db, () =>
    sql`update session set ${change} where user_id = ${user} and ${place} and ended_at is null`.execute(db),
  );
  await notifyClients(db, { user }, "session", user);
}

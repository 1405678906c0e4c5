import { sql } from "kysely";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import type { DomainEvent } from "../../platform/events/events.ts";

/**
 * Subscriber: sessions in an institution, or in the service, take on a member's new role, and end with the membership.
 */
export async function updateSessionMemberships(db: Db, domainEvent: DomainEvent): Promise<void> {
  if (domainEvent.name !== "membershipChanged" && domainEvent.name !== "serviceChanged") return;
  const { user, to } = domainEvent;
  const change = to === null ? sql`ended_at = now(), end_reason = 'membership'` : sql`authority_id = ${to}`;
  const scope =
    domainEvent.name === "membershipChanged"
      ? sql`institution_id = ${domainEvent.institution}`
      : sql`institution_id is null and authority_id = ${domainEvent.from}`;
  await bypassTenantScope(db, () =>
    sql`update session set ${change} where user_id = ${user} and ${scope} and ended_at is null`.execute(db),
  );
  await notifyClients(db, { user }, "session", user);
}

import { sql } from "kysely";
import { rightsRules, sharingEnd } from "@arcada/contract/order/receiver-rights";
import type { Database, Db } from "../platform/database/database.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import type { EventData } from "../platform/events/events.ts";
import { transitionShare, insertEvent } from "./share.store.ts";
import type { ShareRow, ListedShare } from "./share.store.ts";
import { shareTransitioned } from "./share.events.ts";
import type { membershipChanged } from "../member/member.events.ts";
import type { labSharingEnded, orderTransitioned } from "../order/order.events.ts";
import { shareRules } from "@arcada/contract/share/share.rules";

/** Subscriber: the links of a leaving member end with the membership. */
export async function cancelLeaversShares(db: Db, domainEvent: EventData<typeof membershipChanged>): Promise<void> {
  if (domainEvent.to !== null) return;
  const { institution, user } = domainEvent;
  await bypassTenantScope(db, async () => {
    const { rows } = await sql<ShareRow>`select * from share where house_id = ${institution} and created_by = ${user}
      and state in ('active', 'locked') for update`.execute(db);
    for (const row of rows) {
      await transitionShare(db, row, "cancelled");
      await insertEvent(db, row, { what: "cancel" });
      await notifyClients(db, { institutions: [institution, row.institution_id] }, "share", row.id);
    }
  });
}

/** Subscriber: links that a lab made with its sender's permission end with that permission. */
export async function cancelLabShares(db: Db, domainEvent: EventData<typeof labSharingEnded>): Promise<void> {
  const { orderId, sender, receiver } = domainEvent;
  await bypassTenantScope(db, async () => {
    const { rows } = await sql<ShareRow>`select * from share where institution_id = ${sender} and thing_id = ${orderId}
      and house_id = ${receiver} and state in ('active', 'locked') for update`.execute(db);
    for (const row of rows) {
      await transitionShare(db, row, "cancelled");
      await insertEvent(db, row, { what: "cancel" });
      await notifyClients(db, { institutions: [sender, receiver] }, "share", row.id);
    }
  });
}

/**
 * Subscriber: the links to an order end with it; those to a completed order stay valid for as long as it may be shown.
 */
export async function endOrderShares(db: Db, domainEvent: EventData<typeof orderTransitioned>): Promise<void> {
  const { orderId, sender, to } = domainEvent;
  if (to !== "cancelled" && to !== "refused" && to !== "completed") return;
  await bypassTenantScope(db, async () => {
    const { rows } = await sql<ShareRow>`select * from share where institution_id = ${sender} and thing_id = ${orderId}
      and state in ('active', 'locked') for update`.execute(db);
    for (const row of rows) {
      if (to === "completed") await shortenShare(db, row);
      else {
        await transitionShare(db, row, "cancelled");
        await insertEvent(db, row, { what: "cancel" });
      }
      await notifyClients(db, { institutions: [sender, row.house_id] }, "share", row.id);
    }
  });
}
const shortenShare = (db: Db, { institution_id, id }: ShareRow) =>
  sql`update share set expires_at = least(expires_at, now() + make_interval(days => ${rightsRules.shareDays}))
    where institution_id = ${institution_id} and id = ${id}`.execute(db);

const maxPerRun = 500;

/** L7: ends expired links, and notifies their creators; returns their number. Several processes may run it at once. */
export const expireShares = (database: Database): Promise<number> =>
  database.asSystem(async (db) => {
    await sql`delete from share_visit where expires_at < now() - interval '1 day'`.execute(db);
    const { rows } = await sql<ShareRow>`select * from share where state in ('active', 'locked') and expires_at <= now()
      order by expires_at limit ${maxPerRun} for update skip locked`.execute(db);
    for (const row of rows) {
      await transitionShare(db, row, "expired");
      await insertEvent(db, row, { what: "lapse" });
      const { label, house_id: institution, created_by: user } = row;
      await publish(db, shareTransitioned, { action: "lapse", label, institution, user });
      await notifyClients(db, { institutions: [institution, row.institution_id] }, "share", row.id);
    }
    return rows.length;
  });

/** Null: the link would exist longer than any link may, or longer than its order is shown. */
export function extendExpiry(
  row: Pick<ListedShare, "created_at" | "expires_at" | "order_state" | "order_holder" | "completed_at">,
  days: number,
): string | null {
  const until = Date.parse(row.expires_at) + days * day;
  const isTooLong = until > Date.parse(row.created_at) + shareRules.lifeDays * day;
  return isTooLong || until > latestExpiry(row) ? null : new Date(until).toISOString();
}
const day = 86_400_000;

const latestExpiry = ({
  order_state: state,
  order_holder: holder,
  completed_at: completedAt,
}: Pick<ListedShare, "order_state" | "order_holder" | "completed_at">) =>
  state === null || holder === null
    ? Number.POSITIVE_INFINITY
    : (sharingEnd({ state, holder, completedAt })?.getTime() ?? 0);

/** Returns the expiry of a link that is made now. */
export const calculateExpiry = (days: number, latest: Date | null, now: Date): string =>
  new Date(Math.min(now.getTime() + days * day, latest?.getTime() ?? Number.POSITIVE_INFINITY)).toISOString();

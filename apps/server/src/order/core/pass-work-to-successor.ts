import { sql } from "kysely";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import { audit } from "../../platform/audit/audit.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import type { EventData } from "../../platform/events/events.ts";
import type { membershipChanged } from "../../member/member.events.ts";
import type { Column, Row } from "../../tables/row.ts";

/**
 * Subscriber: open orders that a leaving member created or accepted pass to their successor; ended orders keep the
 * member.
 */
export async function passWorkToSuccessor(db: Db, domainEvent: EventData<typeof membershipChanged>): Promise<void> {
  if (domainEvent.to !== null || domainEvent.successor === null) return;
  const { institution, user, successor, by } = domainEvent;
  const moved = await bypassTenantScope(db, async () => {
    const found = await sql<
      Row<"orders", "id"> & { other: Column<"orders", "receiver_id"> }
    >`update orders set version = version + 1, updated_at = clock_timestamp(),
        creator_id = case when institution_id = ${institution} and creator_id = ${user} then ${successor}::uuid else creator_id end,
        assignee_id = case when receiver_id = ${institution} and assignee_id = ${user} then ${successor}::uuid else assignee_id end
      where state <> all(${[...orderLifecycle.terminal]}::text[])
        and ((institution_id = ${institution} and creator_id = ${user}) or (receiver_id = ${institution} and assignee_id = ${user}))
      returning id, case when handed_over_at is null then null when institution_id = ${institution} then receiver_id else institution_id end as other`.execute(
      db,
    );
    return found.rows;
  });
  for (const { id, other } of moved) await notifyClients(db, { institutions: [institution, other] }, "order", id);
  if (moved.length > 0)
    await audit(db, {
      institution_id: institution,
      user_id: by,
      action: "order.handWorkOver",
      subject: successor,
      detail: { from: user, orders: moved.length },
    });
}

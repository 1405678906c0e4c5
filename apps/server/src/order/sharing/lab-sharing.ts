import type { Parsed } from "@arcada/contract/kernel/call";
import type { forwardCalls } from "@arcada/contract/order/forwarding.calls";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { publish, notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { findVisibleOrder } from "../core/order.store.ts";
import { canDecideOnSharing } from "../files/file-access.ts";
import { labSharingEnded } from "../order.events.ts";

/** Lets the lab make links to the order, or withdraws that permission. */
export async function setLabSharing(
  { db, principal }: MemberContext,
  { id, on }: Parsed<typeof forwardCalls.letShare>,
): Promise<void> {
  const order = (await findVisibleOrder(db, principal.iid, id)) ?? refuse("notFound");
  if (order.institution_id !== principal.iid || order.parent_id !== null) refuse("notFound");
  if (!canDecideOnSharing(order, principal)) refuse("notAllowed");
  await db
    .updateTable("orders")
    .set({ receiver_shares: on })
    .where("institution_id", "=", principal.iid)
    .where("id", "=", id)
    .execute();
  const { receiver_id: receiver } = order;
  if (!on && receiver) await publish(db, labSharingEnded, { orderId: id, sender: principal.iid, receiver });
  await notifyClients(
    db,
    { institutions: [principal.iid, order.handed_over_at === null ? null : receiver] },
    "order",
    id,
  );
}

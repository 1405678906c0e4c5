import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { endsDigitally } from "@arcada/contract/order/order.rules";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import type { EventData } from "../../platform/events/events.ts";
import { lockChild, lockParent } from "./related-orders.ts";
import { isDirectShipment } from "../transition/forwarding-transitions.ts";
import { systemInput, emptyActionInput, applyTransition } from "../transition/apply-transition.ts";
import type { TransitionInput } from "../transition/apply-transition.ts";
import { findOrder } from "../core/order.store.ts";
import type { Order } from "../core/order.store.ts";
import type { orderTransitioned } from "../order.events.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

/**
 * Subscriber: an order moved that has a related order. Works in the publisher's transaction, one generation at a time.
 */
export async function followRelatedOrder(db: Db, domainEvent: EventData<typeof orderTransitioned>): Promise<void> {
  if (!domainEvent.hasRelatedOrders) return;
  const { sender, orderId, to } = domainEvent;
  const action = domainEvent.action as OrderAction;
  await bypassTenantScope(db, async () => {
    const order = await findOrder(db, { institution_id: sender, id: orderId });
    if (!order) return;
    if (order.parent_id !== null) await followChild(db, order, action);
    if (to === "completed" || action === "redeliver") await receiveChild(db, order);
  });
}

/** Applies a child's step to its parent. */
async function followChild(db: Db, child: Order, action: OrderAction): Promise<void> {
  const parent = await lockParent(db, child);
  const next = parent && parentTransition(parent, child, action);
  if (parent && next) await applyTransition(db, parent, next.action, next.input);
}

function parentTransition(
  parent: Order,
  child: Order,
  action: OrderAction,
): { action: OrderAction; input: TransitionInput } | null {
  const now = new Date();
  if (action === "handOver" && parent.state === "awaiting_sending")
    return { action: "forward", input: systemInput(now) };
  if (action === "correctShipment" && parent.state === "awaiting_receipt" && isDirectShipment(child))
    return { action, input: deliveryInput(child, now) };
  if (parent.state !== "forwarded") return null;
  if (child.state === "cancelled" || child.state === "refused")
    return { action: "childFailed", input: systemInput(now) };
  const isInTransit = child.state === "awaiting_receipt" && isDirectShipment(child);
  return child.state === "completed" || isInTransit
    ? { action: "childDelivered", input: deliveryInput(child, now) }
    : null;
}

/** If the shipment goes straight to the first sender, its details are passed on to them. */
function deliveryInput(child: Order, now: Date): TransitionInput {
  const isStraight = isDirectShipment(child);
  const shipment = {
    ...pickColumns(child, "carrier", "tracking_number", "hand_delivery"),
  };
  return {
    side: "system",
    given: {
      ...emptyActionInput,
      now,
      uid: null,
      child: { digital: endsDigitally(child.rx), straight: isStraight },
      ...(isStraight && shipment),
    },
  };
}

/**
 * If a delivery that came straight to the sender is received, it is also received for the lab between. A new delivery
 * is then that lab's own task.
 */
async function receiveChild(db: Db, parent: Order): Promise<void> {
  const child = await lockChild(db, parent);
  if (child?.state === "awaiting_receipt" && isDirectShipment(child))
    await applyTransition(db, child, "confirmReceipt", systemInput(new Date()));
}

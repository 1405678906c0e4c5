import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { isDigital } from "@arcada/contract/order/order.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { DomainEvent } from "../platform/events/events.ts";
import { holdChild, holdParent } from "./order.family.ts";
import { straight } from "./order.forward.effects.ts";
import { bySystem, nothingGiven, perform } from "./order.perform.ts";
import type { Act } from "./order.perform.ts";
import { orderOf } from "./order.store.ts";
import type { Order } from "./order.store.ts";

/**
 * Subscriber: an order moved that has a related order. Works in the publisher's transaction, one generation at a time.
 */
export async function followKin(db: Db, happening: DomainEvent): Promise<void> {
  if (happening.name !== "orderMoved" || !happening.kin) return;
  const { sender, orderId, to } = happening;
  const action = happening.action as OrderAction;
  await bypassTenantScope(db, async () => {
    const order = await orderOf(db, { institution_id: sender, id: orderId });
    if (!order) return;
    if (order.parent_id !== null) await follow(db, order, action);
    if (to === "completed" || action === "redeliver") await receiveBelow(db, order);
  });
}

/** Applies a child's step to its parent. */
async function follow(db: Db, child: Order, action: OrderAction): Promise<void> {
  const parent = await holdParent(db, child);
  const next = parent && stepOf(parent, child, action);
  if (parent && next) await perform(db, parent, next.action, next.act);
}

function stepOf(parent: Order, child: Order, action: OrderAction): { action: OrderAction; act: Act } | null {
  const now = new Date();
  if (action === "handOver" && parent.state === "awaiting_sending") return { action: "forward", act: bySystem(now) };
  if (action === "correctShipment" && parent.state === "awaiting_receipt" && straight(child))
    return { action, act: arrival(child, now) };
  if (parent.state !== "forwarded") return null;
  if (child.state === "cancelled" || child.state === "refused") return { action: "childFailed", act: bySystem(now) };
  const isOnItsWay = child.state === "awaiting_receipt" && straight(child);
  return child.state === "completed" || isOnItsWay ? { action: "childDelivered", act: arrival(child, now) } : null;
}

/** If the shipment goes straight to the first sender, its details are passed on to them. */
function arrival(child: Order, now: Date): Act {
  const isStraight = straight(child);
  const shipment = {
    carrier: child.carrier,
    trackingNumber: child.tracking_number,
    handDelivery: child.hand_delivery,
  };
  return {
    side: "system",
    given: {
      ...nothingGiven,
      now,
      uid: null,
      child: { digital: isDigital(child.rx), straight: isStraight },
      ...(isStraight && shipment),
    },
  };
}

/**
 * If a delivery that came straight to the sender is received, it is also received for the lab between. A new delivery
 * is then that lab's own task.
 */
async function receiveBelow(db: Db, parent: Order): Promise<void> {
  const child = await holdChild(db, parent);
  if (child?.state === "awaiting_receipt" && straight(child))
    await perform(db, child, "confirmReceipt", bySystem(new Date()));
}

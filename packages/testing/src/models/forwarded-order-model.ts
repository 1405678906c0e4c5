import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { actions, newDraftModel, isAllowedAction, applyAction } from "./order-model.ts";
import type { Actor as Role, OrderModel } from "./order-model.ts";
import { present } from "../require-present.ts";

/** An order and the one by which its lab passes it on, as the written table sees them. */
export interface ForwardedOrder {
  parent: OrderModel;
  child: OrderModel | null;
  /** True if the child's work is shipped to the first sender. */
  isDirect: boolean;
  /** The state in which the parent continues when it comes back. */
  resume: string;
}
export type OrderSide = "parent" | "child";
export const actors = ["dentist", "clinic", "colleague", "lab", "designer", "plant", "maker", "stranger"] as const;
export type ForwardingActor = (typeof actors)[number];

/** The role of each person in either order. */
const roles: Record<OrderSide, Record<ForwardingActor, Role>> = {
  parent: {
    dentist: "dentist",
    clinic: "clinic",
    colleague: "colleague",
    lab: "lab",
    designer: "designer",
    plant: "stranger",
    maker: "stranger",
    stranger: "stranger",
  },
  child: {
    dentist: "stranger",
    clinic: "stranger",
    colleague: "stranger",
    lab: "dentist",
    designer: "colleague",
    plant: "lab",
    maker: "designer",
    stranger: "stranger",
  },
};
export const isStranger = (side: OrderSide, who: ForwardingActor): boolean => roles[side][who] === "stranger";
const workStates = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"];
const shipsDirectly = ({ isDirect: straight, child }: ForwardedOrder): boolean =>
  straight && child?.hasMachining === true;

/** True if the table offers this action to the person. */
export function isActionOffered(
  forwarded: ForwardedOrder,
  who: ForwardingActor,
  side: OrderSide,
  action: OrderAction,
): boolean {
  const model = forwarded[side];
  if (!model) return false;
  const role = roles[side][who];
  const isSender = role === "dentist" || role === "clinic";
  if (side === "child") {
    const closed = ["confirmReceipt", "redeliver", "recallDispatch"].includes(action) && shipsDirectly(forwarded);
    return action !== "delete" && !closed && isAllowedAction(model, role, action);
  }
  const isQuiet =
    !model.isInfoRequested && !model.isCancelRequested && !model.isChangeProposed && model.step !== "submitted";
  if (action === "prepareForward") return role === "lab" && workStates.includes(model.state) && isQuiet;
  if (action === "dropForward") return role === "lab" && model.state === "awaiting_sending";
  if (model.state === "forwarded") {
    if (action === "requestCancel") return isSender && !model.isCancelRequested;
    return action === "decideCancel" && role === "lab" && model.isCancelRequested;
  }
  if (action === "recallDispatch" && shipsDirectly(forwarded) && forwarded.child?.state === "awaiting_receipt")
    return false;
  return isAllowedAction(model, role, action);
}
/** Actions that are offered but rejected, because the other lab is already at work. */
export const isActionTooLate = ({ parent, child }: ForwardedOrder, side: OrderSide, action: OrderAction): boolean =>
  side === "parent" && action === "decideCancel" && parent.state === "forwarded" && child?.state !== "pending";

export const offeredActions = (forwarded: ForwardedOrder, who: ForwardingActor, side: OrderSide): OrderAction[] =>
  actions.filter((action) => isActionOffered(forwarded, who, side, action));

/** Returns both orders after an action on one of them. */
export function applyForwardedAction(
  forwarded: ForwardedOrder,
  who: ForwardingActor,
  side: OrderSide,
  action: OrderAction,
  straight: boolean,
): ForwardedOrder {
  return side === "parent" ? afterParent(forwarded, who, action, straight) : afterChild(forwarded, who, action);
}

const withChange = (model: OrderModel, change: Partial<OrderModel>): OrderModel => {
  const now = { ...model, ...change };
  return { ...now, turn: now.isInfoRequested ? "sender" : now.turnAfter };
};
const ended = (model: OrderModel, state: string): OrderModel =>
  withChange(model, {
    state,
    turnAfter: "nobody",
    isInfoRequested: false,
    isCancelRequested: false,
    isChangeProposed: false,
  });

function afterParent(
  forwarded: ForwardedOrder,
  who: ForwardingActor,
  action: OrderAction,
  straight: boolean,
): ForwardedOrder {
  const { parent, child, resume } = forwarded;
  if (action === "prepareForward")
    return {
      parent: withChange(parent, { state: "awaiting_sending", turnAfter: "receiver" }),
      child: newChild(parent),
      isDirect: straight,
      resume: parent.state,
    };
  if (action === "dropForward")
    return { ...forwarded, parent: withChange(parent, { state: resume, turnAfter: "receiver" }), child: null };
  if (parent.state === "forwarded" && action === "requestCancel")
    return { ...forwarded, parent: withChange(parent, { isCancelRequested: true }) };
  if (parent.state === "forwarded")
    return { ...forwarded, parent: ended(parent, "cancelled"), child: child && ended(child, "cancelled") };
  const now = applyAction(parent, roles.parent[who], action);
  const isReceived = now.state === "completed" || action === "redeliver";
  const arrived = isReceived && child?.state === "awaiting_receipt" && shipsDirectly(forwarded);
  return { ...forwarded, parent: now, child: arrived ? ended(child, "completed") : child };
}

function newChild(parent: OrderModel): OrderModel {
  const kinds = [...(parent.hasDesign ? ["design"] : []), ...(parent.hasMachining ? ["machining"] : [])];
  const isMade = parent.state === "awaiting_dispatch" && parent.hasMachining;
  return newDraftModel({ schemeRequired: parent.state === "awaiting_scheme", work: isMade ? ["machining"] : kinds });
}

function afterChild(forwarded: ForwardedOrder, who: ForwardingActor, action: OrderAction): ForwardedOrder {
  const child = applyAction(present(forwarded.child, "child"), roles.child[who], action);
  const { parent, resume } = forwarded;
  const now = { ...forwarded, child };
  if (action === "submit") return { ...now, parent: withChange(parent, { state: "forwarded", turnAfter: "nobody" }) };
  if (parent.state !== "forwarded") return now;
  if (child.state === "cancelled" || child.state === "refused")
    return { ...now, parent: withChange(parent, { state: resume, turnAfter: "receiver" }) };
  if (child.state === "awaiting_receipt" && shipsDirectly(now))
    return {
      ...now,
      parent: withChange(parent, { state: "awaiting_receipt", turnAfter: "sender", isCancelRequested: false }),
    };
  if (child.state !== "completed") return now;
  const back = !child.hasMachining && parent.hasDesign ? "awaiting_design" : "awaiting_dispatch";
  const step = back === "awaiting_design" ? "preparing" : "production";
  return { ...now, parent: withChange(parent, { state: back, step, turnAfter: "receiver" }) };
}

import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { actions, draftModel, may, next } from "./order-model.ts";
import type { Actor as Role, Model } from "./order-model.ts";

/** An order and the one by which its lab passes it on, as the written table sees them. */
export interface Family {
  parent: Model;
  child: Model | null;
  /** True if the child's work is shipped to the first sender. */
  straight: boolean;
  /** The state in which the parent continues when it comes back. */
  resume: string;
}
export type Kin = "parent" | "child";
export const people = ["dentist", "clinic", "colleague", "lab", "designer", "plant", "maker", "stranger"] as const;
export type Somebody = (typeof people)[number];

/** The role of each person in either order. */
const roles: Record<Kin, Record<Somebody, Role>> = {
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
export const isOutside = (kin: Kin, who: Somebody): boolean => roles[kin][who] === "stranger";
const work = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"];
const isStraight = ({ straight, child }: Family): boolean => straight && child?.makes === true;

/** True if the table offers this action to the person. */
export function mayDo(family: Family, who: Somebody, kin: Kin, action: OrderAction): boolean {
  const model = family[kin];
  if (!model) return false;
  const role = roles[kin][who];
  const isSender = role === "dentist" || role === "clinic";
  if (kin === "child") {
    const closed = ["confirmReceipt", "redeliver", "recallDispatch"].includes(action) && isStraight(family);
    return action !== "delete" && !closed && may(model, role, action);
  }
  const isQuiet = !model.asked && !model.cancelling && !model.changing && model.step !== "submitted";
  if (action === "prepareForward") return role === "lab" && work.includes(model.state) && isQuiet;
  if (action === "dropForward") return role === "lab" && model.state === "awaiting_sending";
  if (model.state === "forwarded") {
    if (action === "requestCancel") return isSender && !model.cancelling;
    return action === "decideCancel" && role === "lab" && model.cancelling;
  }
  if (action === "recallDispatch" && isStraight(family) && family.child?.state === "awaiting_receipt") return false;
  return may(model, role, action);
}
/** Actions that are offered but rejected, because the other lab is already at work. */
export const isTooLate = ({ parent, child }: Family, kin: Kin, action: OrderAction): boolean =>
  kin === "parent" && action === "decideCancel" && parent.state === "forwarded" && child?.state !== "pending";

export const offered = (family: Family, who: Somebody, kin: Kin): OrderAction[] =>
  actions.filter((action) => mayDo(family, who, kin, action));

/** Returns both orders after an action on one of them. */
export function after(family: Family, who: Somebody, kin: Kin, action: OrderAction, straight: boolean): Family {
  return kin === "parent" ? afterParent(family, who, action, straight) : afterChild(family, who, action);
}

const moved = (model: Model, change: Partial<Model>): Model => {
  const now = { ...model, ...change };
  return { ...now, turn: now.asked ? "sender" : now.below };
};
const over = (model: Model, state: string): Model =>
  moved(model, { state, below: "nobody", asked: false, cancelling: false, changing: false });

function afterParent(family: Family, who: Somebody, action: OrderAction, straight: boolean): Family {
  const { parent, child, resume } = family;
  if (action === "prepareForward")
    return {
      parent: moved(parent, { state: "awaiting_sending", below: "receiver" }),
      child: begun(parent),
      straight,
      resume: parent.state,
    };
  if (action === "dropForward")
    return { ...family, parent: moved(parent, { state: resume, below: "receiver" }), child: null };
  if (parent.state === "forwarded" && action === "requestCancel")
    return { ...family, parent: moved(parent, { cancelling: true }) };
  if (parent.state === "forwarded")
    return { ...family, parent: over(parent, "cancelled"), child: child && over(child, "cancelled") };
  const now = next(parent, roles.parent[who], action);
  const isReceived = now.state === "completed" || action === "redeliver";
  const arrived = isReceived && child?.state === "awaiting_receipt" && isStraight(family);
  return { ...family, parent: now, child: arrived ? over(child, "completed") : child };
}

function begun(parent: Model): Model {
  const kinds = [...(parent.designs ? ["design"] : []), ...(parent.makes ? ["machining"] : [])];
  const isMade = parent.state === "awaiting_dispatch" && parent.makes;
  return draftModel({ schemeRequired: parent.state === "awaiting_scheme", work: isMade ? ["machining"] : kinds });
}

function afterChild(family: Family, who: Somebody, action: OrderAction): Family {
  const child = next(family.child!, roles.child[who], action);
  const { parent, resume } = family;
  const now = { ...family, child };
  if (action === "submit") return { ...now, parent: moved(parent, { state: "forwarded", below: "nobody" }) };
  if (parent.state !== "forwarded") return now;
  if (child.state === "cancelled" || child.state === "refused")
    return { ...now, parent: moved(parent, { state: resume, below: "receiver" }) };
  if (child.state === "awaiting_receipt" && isStraight(now))
    return { ...now, parent: moved(parent, { state: "awaiting_receipt", below: "sender", cancelling: false }) };
  if (child.state !== "completed") return now;
  const back = !child.makes && parent.designs ? "awaiting_design" : "awaiting_dispatch";
  const step = back === "awaiting_design" ? "preparing" : "production";
  return { ...now, parent: moved(parent, { state: back, step, below: "receiver" }) };
}

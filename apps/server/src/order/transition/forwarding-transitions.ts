import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { endsDigitally } from "@arcada/contract/order/order.rules";
import { allowedIf, shipmentColumns, toTimestamp } from "./transition-types.ts";
import type { OrderChange, Transition, ActionInput, OrderFacts } from "./transition-types.ts";

type Forwarding = "prepareForward" | "forward" | "dropForward" | "childFailed" | "childDelivered";

/** An order that its receiver has another lab make, by a separate order: the child. */
export const forwardingTransitions = {
  prepareForward: {
    // Nobody could answer these requests while the order is elsewhere.
    guard: ({ info_request: info, cancel_request: cancel, change_request: change, step }) =>
      info === null && cancel === null && change === null ? allowedIf(step !== "submitted") : "orderRequestOpen",
    apply: (order) => ({
      state: "awaiting_sending",
      holder: "receiver",
      turn: "receiver",
      resume_state: order.state,
    }),
  },
  forward: {
    guard: (order) => allowedIf(order.holder === "receiver"),
    apply: () => ({ state: "forwarded", holder: "sender", turn: "nobody" }),
  },
  dropForward: {
    guard: (order) => allowedIf(order.holder === "receiver"),
    apply: resumeWork,
  },
  childFailed: { apply: resumeWork },
  childDelivered: { apply: receiveDelivery },
} satisfies Record<Forwarding, Transition> & Partial<Record<OrderAction, Transition>>;

/** A child whose work goes to the first sender without passing through the lab between. */
export const isDirectShipment = (order: Pick<OrderFacts, "straight" | "rx">): boolean =>
  order.straight && !endsDigitally(order.rx);
export const hasRelatedOrders = (order: Pick<OrderFacts, "parent_id" | "resume_state">): boolean =>
  order.parent_id !== null || order.resume_state !== null;
/** Returns true if an order of another lab replaces this one now. */
export const isForwarded = (order: Pick<OrderFacts, "resume_state">): boolean => order.resume_state !== null;

function resumeWork(order: OrderFacts): OrderChange {
  return { state: order.resume_state ?? order.state, resume_state: null, holder: "sender", turn: "receiver" };
}

function receiveDelivery(order: OrderFacts, actionInput: ActionInput): OrderChange {
  if (actionInput.child?.straight)
    return {
      state: "awaiting_receipt",
      turn: "sender",
      dispatched_at: toTimestamp(actionInput),
      // A shipped order cannot be cancelled any more.
      cancel_request: null,
      ...shipmentColumns(actionInput),
    };
  const isDesign = actionInput.child?.digital === true && order.rx.workKinds.includes("design");
  return {
    state: isDesign ? "awaiting_design" : "awaiting_dispatch",
    step: isDesign ? "preparing" : "production",
    turn: "receiver",
    resume_state: null,
  };
}

import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { isDigital } from "@arcada/contract/order/order.rules";
import { allowed, shipped, stamp } from "./order.effect.ts";
import type { Change, Effect, Given, OrderFacts } from "./order.effect.ts";

type Forwarding = "prepareForward" | "forward" | "dropForward" | "childFailed" | "childDelivered";

/** An order that its receiver has another lab make, by an order of its own: the child. */
export const forwardEffects = {
  prepareForward: {
    // Nobody could answer these requests while the order is elsewhere.
    closed: ({ info_request: asked, cancel_request: cancel, change_request: change, step }) =>
      asked === null && cancel === null && change === null ? allowed(step !== "submitted") : "orderRequestOpen",
    move: (order) => ({
      state: "awaiting_sending",
      holder: "receiver",
      turn: "receiver",
      resume_state: order.state,
    }),
  },
  forward: {
    closed: (order) => allowed(order.holder === "receiver"),
    move: () => ({ state: "forwarded", holder: "sender", turn: "nobody" }),
  },
  dropForward: {
    closed: (order) => allowed(order.holder === "receiver"),
    move: resumed,
  },
  childFailed: { move: resumed },
  childDelivered: { move: delivered },
} satisfies Record<Forwarding, Effect> & Partial<Record<OrderAction, Effect>>;

/** A child whose work goes to the first sender without touching the lab between. */
export const straight = (order: Pick<OrderFacts, "straight" | "rx">): boolean => order.straight && !isDigital(order.rx);
export const hasKin = (order: Pick<OrderFacts, "parent_id" | "resume_state">): boolean =>
  order.parent_id !== null || order.resume_state !== null;
/** Returns true if an order of another lab replaces this one now. */
export const passedOn = (order: Pick<OrderFacts, "resume_state">): boolean => order.resume_state !== null;

function resumed(order: OrderFacts): Change {
  return { state: order.resume_state ?? order.state, resume_state: null, holder: "sender", turn: "receiver" };
}

function delivered(order: OrderFacts, given: Given): Change {
  if (given.child?.straight)
    return {
      state: "awaiting_receipt",
      turn: "sender",
      dispatched_at: stamp(given),
      // A shipped order cannot be cancelled any more.
      cancel_request: null,
      ...shipped(given),
    };
  const isDesign = given.child?.digital === true && order.rx.workKinds.includes("design");
  return {
    state: isDesign ? "awaiting_design" : "awaiting_dispatch",
    step: isDesign ? "preparing" : "production",
    turn: "receiver",
    resume_state: null,
  };
}

import type { OrderState } from "./order.lifecycle.ts";

/**
 * The things that are to be done with an open order, seen from the organisation that reads it. An order is in at
 * most one task of its reader.
 */
export const orderTasks = [
  "answer",
  "reviewScheme",
  "reviewDesign",
  "receive",
  "resend",
  "accept",
  "plan",
  "design",
  "ship",
  "forward",
  "atClinic",
  "shipped",
] as const;
export type OrderTask = (typeof orderTasks)[number];

interface TaskRule {
  /** The list in which the reader has the order: sent or received. */
  list: "sent" | "received";
  states: readonly OrderState[];
  /** True if the reader has to act. */
  isMyTurn: boolean;
  /** True if a question of the receiver is open; undefined: either. */
  isAsked?: boolean;
}
const workStates = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"] as const satisfies readonly OrderState[];

export const taskRules: Record<OrderTask, TaskRule> = {
  answer: { list: "sent", states: ["pending", ...workStates], isMyTurn: true, isAsked: true },
  reviewScheme: { list: "sent", states: ["awaiting_scheme"], isMyTurn: true, isAsked: false },
  reviewDesign: { list: "sent", states: ["awaiting_design"], isMyTurn: true, isAsked: false },
  receive: { list: "sent", states: ["awaiting_receipt"], isMyTurn: true },
  resend: { list: "sent", states: ["awaiting_sending"], isMyTurn: true },
  accept: { list: "received", states: ["pending"], isMyTurn: true },
  plan: { list: "received", states: ["awaiting_scheme"], isMyTurn: true },
  design: { list: "received", states: ["awaiting_design"], isMyTurn: true },
  ship: { list: "received", states: ["awaiting_dispatch"], isMyTurn: true },
  forward: { list: "received", states: ["awaiting_sending"], isMyTurn: true },
  atClinic: { list: "received", states: ["pending", ...workStates], isMyTurn: false },
  shipped: { list: "received", states: ["awaiting_receipt"], isMyTurn: false },
};

/** Returns the task of a received order; null if it is in no stage of the laboratory's work. */
export const findReceivedTask = (state: OrderState, isMyTurn: boolean): OrderTask | null =>
  orderTasks.find((task) => {
    const rule = taskRules[task];
    return rule.list === "received" && rule.isMyTurn === isMyTurn && rule.states.includes(state);
  }) ?? null;

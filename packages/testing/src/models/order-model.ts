import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import { present } from "../require-present.ts";

/** An order as the written table sees it; nothing here is taken from the server's own tables. */
export interface OrderModel {
  state: string;
  step: string;
  turn: string;
  turnAfter: string;
  isInfoRequested: boolean;
  isCancelRequested: boolean;
  /** A proposal waits for the lab. */
  isChangeProposed: boolean;
  scheme: number;
  design: number;
  schemeRequired: boolean;
  hasMachining: boolean;
  hasDesign: boolean;
  assignee: string | null;
}
export type Actor = "dentist" | "clinic" | "colleague" | "lab" | "designer" | "drafter" | "stranger" | "rival";
type Change = (model: OrderModel) => Partial<OrderModel>;
interface Rule {
  states: string[];
  isAllowed: (actor: Actor, model: OrderModel) => boolean;
  condition?: (model: OrderModel) => boolean;
  change: Change;
}
const isSender = (actor: Actor) => actor === "dentist" || actor === "clinic";
const isLabAdmin = (actor: Actor) => actor === "lab";
export const isLabMember = (actor: Actor) => actor === "lab" || actor === "designer" || actor === "drafter";
const isWorker = (actor: Actor, model: OrderModel) => actor === "lab" || actor === model.assignee;
const workStates = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"];
const openStates = ["pending", ...workStates];
const moveTo =
  (state: string, step: string, turn: string): Change =>
  () => ({ state, step, turnAfter: turn });
const endWith =
  (state: string): Change =>
  () => ({ state, turnAfter: "nobody", isInfoRequested: false, isCancelRequested: false, isChangeProposed: false });
const stateAfterScheme = (model: OrderModel) => (model.hasDesign ? "awaiting_design" : "awaiting_dispatch");
const isSubmitted = (model: OrderModel) => model.step === "submitted";
const isNotSubmitted = (model: OrderModel) => !isSubmitted(model);

export const transitions: Partial<Record<OrderAction, Rule>> = {
  delete: { states: ["draft"], isAllowed: isSender, change: () => ({ state: "gone" }) },
  submit: { states: ["draft"], isAllowed: isSender, change: moveTo("pending", "preparing", "receiver") },
  cancel: { states: ["pending"], isAllowed: isSender, change: endWith("cancelled") },
  requestInfo: {
    states: openStates,
    isAllowed: isWorker,
    condition: (model) => !model.isInfoRequested,
    change: () => ({ isInfoRequested: true }),
  },
  supplyInfo: {
    states: openStates,
    isAllowed: isSender,
    condition: (model) => model.isInfoRequested,
    change: () => ({ isInfoRequested: false }),
  },
  accept: {
    states: ["pending"],
    isAllowed: isLabMember,
    change: (model) => ({
      state: model.schemeRequired ? "awaiting_scheme" : stateAfterScheme(model),
      step: "preparing",
      turnAfter: "receiver",
      isInfoRequested: false,
    }),
  },
  refuse: { states: ["pending"], isAllowed: isLabMember, change: endWith("refused") },
  submitScheme: {
    states: ["awaiting_scheme"],
    isAllowed: isWorker,
    condition: isNotSubmitted,
    change: (model) => ({ step: "submitted", turnAfter: "sender", scheme: model.scheme + 1 }),
  },
  confirmScheme: {
    states: ["awaiting_scheme"],
    isAllowed: isSender,
    condition: isSubmitted,
    change: (model) => ({ state: stateAfterScheme(model), step: "preparing", turnAfter: "receiver" }),
  },
  returnScheme: {
    states: ["awaiting_scheme"],
    isAllowed: isSender,
    condition: isSubmitted,
    change: moveTo("awaiting_scheme", "returned", "receiver"),
  },
  submitDesign: {
    states: ["awaiting_design"],
    isAllowed: isWorker,
    condition: isNotSubmitted,
    change: (model) => ({ step: "submitted", turnAfter: "sender", design: model.design + 1 }),
  },
  confirmDesign: {
    states: ["awaiting_design"],
    isAllowed: isSender,
    condition: (model) => isSubmitted(model) && model.hasMachining,
    change: moveTo("awaiting_dispatch", "production", "receiver"),
  },
  confirmDelivery: {
    states: ["awaiting_design"],
    isAllowed: isSender,
    condition: (model) => isSubmitted(model) && !model.hasMachining,
    change: endWith("completed"),
  },
  returnDesign: {
    states: ["awaiting_design"],
    isAllowed: isSender,
    condition: isSubmitted,
    change: moveTo("awaiting_design", "returned", "receiver"),
  },
  withdraw: {
    states: ["awaiting_scheme", "awaiting_design"],
    isAllowed: isWorker,
    condition: isSubmitted,
    change: () => ({ step: "preparing", turnAfter: "receiver" }),
  },
  backToScheme: {
    states: ["awaiting_design"],
    isAllowed: isSender,
    condition: (model) => model.schemeRequired,
    change: moveTo("awaiting_scheme", "returned", "receiver"),
  },
  backToDesign: {
    states: ["awaiting_dispatch"],
    isAllowed: isWorker,
    condition: (model) => model.hasDesign,
    change: moveTo("awaiting_design", "preparing", "receiver"),
  },
  dispatch: {
    states: ["awaiting_dispatch"],
    isAllowed: isWorker,
    condition: (model) => !model.isCancelRequested && !model.isChangeProposed,
    change: () => ({ state: "awaiting_receipt", turnAfter: "sender", isInfoRequested: false }),
  },
  correctShipment: { states: ["awaiting_receipt"], isAllowed: isWorker, change: () => ({}) },
  recallDispatch: {
    states: ["awaiting_receipt"],
    isAllowed: isWorker,
    change: () => ({ state: "awaiting_dispatch", turnAfter: "receiver" }),
  },
  confirmReceipt: { states: ["awaiting_receipt"], isAllowed: isSender, change: endWith("completed") },
  redeliver: {
    states: ["awaiting_receipt"],
    isAllowed: isSender,
    change: moveTo("awaiting_dispatch", "returned", "receiver"),
  },
  requestCancel: {
    states: workStates,
    isAllowed: isSender,
    condition: (model) => !model.isCancelRequested,
    change: () => ({ isCancelRequested: true }),
  },
  decideCancel: {
    states: workStates,
    isAllowed: isLabAdmin,
    condition: (model) => model.isCancelRequested,
    change: endWith("cancelled"),
  },
  // Only the texts change: the tests of the routes cover what is discarded if other work is requested.
  proposeChange: {
    states: workStates,
    isAllowed: isSender,
    condition: (model) => !model.isChangeProposed,
    change: () => ({ isChangeProposed: true }),
  },
  decideChange: {
    states: workStates,
    isAllowed: isLabAdmin,
    condition: (model) => model.isChangeProposed,
    change: () => ({ isChangeProposed: false }),
  },
  cancelByReceiver: { states: workStates, isAllowed: isLabAdmin, change: endWith("cancelled") },
  // The person is the actor's choice: see applyAction.
  assign: { states: openStates, isAllowed: isLabAdmin, change: () => ({}) },
};
export const actors: Actor[] = ["dentist", "clinic", "colleague", "lab", "designer", "drafter", "stranger", "rival"];
export const actions = Object.keys(orderLifecycle.steps) as OrderAction[];

/** True if the written table lets this person act. */
export const isAllowedAction = (model: OrderModel, actor: Actor, action: OrderAction): boolean => {
  const row = transitions[action];
  return (
    row !== undefined &&
    row.states.includes(model.state) &&
    row.isAllowed(actor, model) &&
    (row.condition?.(model) ?? true)
  );
};
/** The order after an action that is allowed. */
export function applyAction(model: OrderModel, actor: Actor, action: OrderAction): OrderModel {
  const changed = { ...model, ...present(transitions[action]).change(model) };
  if (action === "accept") changed.assignee = model.assignee ?? actor;
  if (action === "assign") changed.assignee = actor;
  return { ...changed, turn: changed.isInfoRequested ? "sender" : changed.turnAfter };
}

export const newDraftModel = ({
  schemeRequired,
  work: kinds,
}: {
  schemeRequired: boolean;
  work: readonly string[];
}): OrderModel => ({
  state: "draft",
  step: "preparing",
  turn: "nobody",
  turnAfter: "nobody",
  isInfoRequested: false,
  isCancelRequested: false,
  isChangeProposed: false,
  scheme: 0,
  design: 0,
  schemeRequired,
  hasMachining: kinds.includes("machining"),
  hasDesign: kinds.includes("design"),
  assignee: null,
});

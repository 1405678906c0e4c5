import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { orderCycle } from "@arcada/contract/order/order.cycle";

/** An order as the written table sees it; nothing here is taken from the server's own tables. */
export interface Model {
  state: string;
  step: string;
  turn: string;
  below: string;
  asked: boolean;
  cancelling: boolean;
  /** A proposal waits for the lab. */
  changing: boolean;
  scheme: number;
  design: number;
  schemeRequired: boolean;
  makes: boolean;
  designs: boolean;
  assignee: string | null;
}
export type Actor = "dentist" | "clinic" | "colleague" | "lab" | "designer" | "drafter" | "stranger" | "rival";
type Move = (model: Model) => Partial<Model>;
interface Row {
  in: string[];
  by: (actor: Actor, model: Model) => boolean;
  if?: (model: Model) => boolean;
  does: Move;
}
const sender = (actor: Actor) => actor === "dentist" || actor === "clinic";
const labAdmin = (actor: Actor) => actor === "lab";
export const labMember = (actor: Actor) => actor === "lab" || actor === "designer" || actor === "drafter";
const maker = (actor: Actor, model: Model) => actor === "lab" || actor === model.assignee;
const work = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"];
const open = ["pending", ...work];
const to =
  (state: string, step: string, turn: string): Move =>
  () => ({ state, step, below: turn });
const end =
  (state: string): Move =>
  () => ({ state, below: "nobody", asked: false, cancelling: false, changing: false });
const afterScheme = (model: Model) => (model.designs ? "awaiting_design" : "awaiting_dispatch");
const decided = (model: Model) => model.step === "submitted";
const undecided = (model: Model) => !decided(model);

export const table: Partial<Record<OrderAction, Row>> = {
  delete: { in: ["draft"], by: sender, does: () => ({ state: "gone" }) },
  submit: { in: ["draft"], by: sender, does: to("pending", "preparing", "receiver") },
  cancel: { in: ["pending"], by: sender, does: end("cancelled") },
  requestInfo: { in: open, by: maker, if: (model) => !model.asked, does: () => ({ asked: true }) },
  supplyInfo: { in: open, by: sender, if: (model) => model.asked, does: () => ({ asked: false }) },
  accept: {
    in: ["pending"],
    by: labMember,
    does: (model) => ({
      state: model.schemeRequired ? "awaiting_scheme" : afterScheme(model),
      step: "preparing",
      below: "receiver",
      asked: false,
    }),
  },
  refuse: { in: ["pending"], by: labMember, does: end("refused") },
  submitScheme: {
    in: ["awaiting_scheme"],
    by: maker,
    if: undecided,
    does: (model) => ({ step: "submitted", below: "sender", scheme: model.scheme + 1 }),
  },
  confirmScheme: {
    in: ["awaiting_scheme"],
    by: sender,
    if: decided,
    does: (model) => ({ state: afterScheme(model), step: "preparing", below: "receiver" }),
  },
  returnScheme: {
    in: ["awaiting_scheme"],
    by: sender,
    if: decided,
    does: to("awaiting_scheme", "returned", "receiver"),
  },
  submitDesign: {
    in: ["awaiting_design"],
    by: maker,
    if: undecided,
    does: (model) => ({ step: "submitted", below: "sender", design: model.design + 1 }),
  },
  confirmDesign: {
    in: ["awaiting_design"],
    by: sender,
    if: (model) => decided(model) && model.makes,
    does: to("awaiting_dispatch", "production", "receiver"),
  },
  confirmDelivery: {
    in: ["awaiting_design"],
    by: sender,
    if: (model) => decided(model) && !model.makes,
    does: end("completed"),
  },
  returnDesign: {
    in: ["awaiting_design"],
    by: sender,
    if: decided,
    does: to("awaiting_design", "returned", "receiver"),
  },
  withdraw: {
    in: ["awaiting_scheme", "awaiting_design"],
    by: maker,
    if: decided,
    does: () => ({ step: "preparing", below: "receiver" }),
  },
  backToScheme: {
    in: ["awaiting_design"],
    by: sender,
    if: (model) => model.schemeRequired,
    does: to("awaiting_scheme", "returned", "receiver"),
  },
  backToDesign: {
    in: ["awaiting_dispatch"],
    by: maker,
    if: (model) => model.designs,
    does: to("awaiting_design", "preparing", "receiver"),
  },
  dispatch: {
    in: ["awaiting_dispatch"],
    by: maker,
    if: (model) => !model.cancelling && !model.changing,
    does: () => ({ state: "awaiting_receipt", below: "sender", asked: false }),
  },
  correctShipment: { in: ["awaiting_receipt"], by: maker, does: () => ({}) },
  recallDispatch: {
    in: ["awaiting_receipt"],
    by: maker,
    does: () => ({ state: "awaiting_dispatch", below: "receiver" }),
  },
  confirmReceipt: { in: ["awaiting_receipt"], by: sender, does: end("completed") },
  redeliver: { in: ["awaiting_receipt"], by: sender, does: to("awaiting_dispatch", "returned", "receiver") },
  requestCancel: { in: work, by: sender, if: (model) => !model.cancelling, does: () => ({ cancelling: true }) },
  decideCancel: { in: work, by: labAdmin, if: (model) => model.cancelling, does: end("cancelled") },
  // Only the texts change: the tests of the routes cover what is discarded if other work is requested.
  proposeChange: { in: work, by: sender, if: (model) => !model.changing, does: () => ({ changing: true }) },
  decideChange: { in: work, by: labAdmin, if: (model) => model.changing, does: () => ({ changing: false }) },
  cancelByReceiver: { in: work, by: labAdmin, does: end("cancelled") },
};
export const actors: Actor[] = ["dentist", "clinic", "colleague", "lab", "designer", "drafter", "stranger", "rival"];
export const actions = Object.keys(orderCycle.steps) as OrderAction[];

/** True if the written table lets this person act. */
export const may = (model: Model, actor: Actor, action: OrderAction): boolean => {
  const row = table[action];
  return row !== undefined && row.in.includes(model.state) && row.by(actor, model) && (row.if?.(model) ?? true);
};
/** The order after an action that is allowed. */
export function next(model: Model, actor: Actor, action: OrderAction): Model {
  const moved = { ...model, ...table[action]!.does(model) };
  if (action === "accept") moved.assignee = actor;
  return { ...moved, turn: moved.asked ? "sender" : moved.below };
}

export const draftModel = ({
  schemeRequired,
  work: kinds,
}: {
  schemeRequired: boolean;
  work: readonly string[];
}): Model => ({
  state: "draft",
  step: "preparing",
  turn: "nobody",
  below: "nobody",
  asked: false,
  cancelling: false,
  changing: false,
  scheme: 0,
  design: 0,
  schemeRequired,
  makes: kinds.includes("machining"),
  designs: kinds.includes("design"),
  assignee: null,
});

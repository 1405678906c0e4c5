import { defineLifecycle } from "../kernel/lifecycle.ts";

export const orderStates = [
  "draft",
  "awaiting_sending",
  "pending",
  "awaiting_scheme",
  "awaiting_design",
  "awaiting_dispatch",
  "awaiting_receipt",
  "forwarded",
  "completed",
  "cancelled",
  "refused",
] as const;
export type OrderState = (typeof orderStates)[number];

/**
 * The parties that may act.
 * - creator: the responsible user of the sending institution
 * - drafter: the person who created the order for them
 * - assistant: an assistant of the clinic who created the order, and leaves sending it to the dentist
 * - senderAdmin, receiverAdmin: managers of the two institutions
 * - senderMember: any member of the sending institution
 * - acceptor: a member of the receiving institution who may accept
 * - assignee: the member to whom the order is assigned
 */
export type OrderParty =
  | "creator"
  | "drafter"
  | "assistant"
  | "senderAdmin"
  | "senderMember"
  | "receiverAdmin"
  | "acceptor"
  | "assignee"
  | "system";
/** The inputs that a transition requires or accepts from the acting person. */
export type OrderInput =
  | "reason"
  | "text"
  | "files"
  | "modelFiles"
  | "revision"
  | "shipment"
  | "promise"
  | "assignee"
  | "target"
  | "prescription"
  | "decision";

const senderParties = ["creator", "senderAdmin"] as const satisfies readonly OrderParty[];
/** Until the receiver accepts the work; afterwards the responsible user decides on its questions and deliveries. */
const draftingParties = [...senderParties, "drafter"] as const satisfies readonly OrderParty[];
const makerParties = ["assignee", "receiverAdmin"] as const satisfies readonly OrderParty[];
const workStates = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"] as const satisfies readonly OrderState[];
const openStates = ["pending", ...workStates] as const satisfies readonly OrderState[];
const finalStates = ["completed", "cancelled", "refused"] as const satisfies readonly OrderState[];

/**
 * Every action on an order. `id` is the row of the written table; several actions may share one row (edit and delete,
 * …).
 */
export const orderLifecycle = defineLifecycle<OrderState, OrderParty, OrderInput>(
  orderStates,
  finalStates,
)({
  create: { id: "O1", from: [], to: ["draft"], by: ["senderAdmin", "senderMember"], asks: ["prescription"] },
  edit: { id: "O2", from: ["draft"], to: ["draft"], by: [...draftingParties, "assistant"], asks: ["prescription"] },
  delete: { id: "O2", from: ["draft"], to: ["draft"], by: [...draftingParties, "assistant"], removes: true },
  submit: { id: "O3", from: ["draft"], to: ["awaiting_sending"], by: draftingParties },
  handOver: { id: "O4", from: ["awaiting_sending"], to: ["pending"], by: ["system"] },
  transferFailed: { id: "O5", from: ["awaiting_sending"], to: ["awaiting_sending"], by: ["system"] },
  recall: { id: "O6", from: ["awaiting_sending"], to: ["draft"], by: draftingParties },
  cancel: { id: "O7", from: ["awaiting_sending", "pending"], to: ["cancelled"], by: draftingParties, asks: ["reason"] },
  requestInfo: { id: "O8", from: openStates, to: openStates, by: makerParties, asks: ["text"] },
  supplyInfo: { id: "O9", from: openStates, to: openStates, by: senderParties, asks: ["text", "files"] },
  accept: {
    id: "O10",
    from: ["pending"],
    to: workStates,
    by: ["receiverAdmin", "acceptor"],
    asks: ["promise", "assignee"],
  },
  refuse: { id: "O11", from: ["pending"], to: ["refused"], by: ["receiverAdmin", "acceptor"], asks: ["reason"] },
  submitScheme: {
    id: "O12",
    from: ["awaiting_scheme"],
    to: ["awaiting_scheme"],
    by: makerParties,
    asks: ["text", "files"],
  },
  confirmScheme: {
    id: "O13",
    from: ["awaiting_scheme"],
    to: ["awaiting_design", "awaiting_dispatch"],
    by: senderParties,
    asks: ["revision"],
  },
  returnScheme: { id: "O14", from: ["awaiting_scheme"], to: ["awaiting_scheme"], by: senderParties, asks: ["reason"] },
  submitDesign: {
    id: "O15",
    from: ["awaiting_design"],
    to: ["awaiting_design"],
    by: makerParties,
    asks: ["text", "modelFiles"],
  },
  confirmDesign: {
    id: "O16",
    from: ["awaiting_design"],
    to: ["awaiting_dispatch"],
    by: senderParties,
    asks: ["revision"],
  },
  confirmDelivery: { id: "O17", from: ["awaiting_design"], to: ["completed"], by: senderParties, asks: ["revision"] },
  returnDesign: { id: "O18", from: ["awaiting_design"], to: ["awaiting_design"], by: senderParties, asks: ["reason"] },
  withdraw: {
    id: "O19",
    from: ["awaiting_scheme", "awaiting_design"],
    to: ["awaiting_scheme", "awaiting_design"],
    by: makerParties,
  },
  backToScheme: { id: "O20", from: ["awaiting_design"], to: ["awaiting_scheme"], by: senderParties, asks: ["reason"] },
  backToDesign: { id: "O21", from: ["awaiting_dispatch"], to: ["awaiting_design"], by: makerParties, asks: ["reason"] },
  dispatch: { id: "O22", from: ["awaiting_dispatch"], to: ["awaiting_receipt"], by: makerParties, asks: ["shipment"] },
  correctShipment: {
    id: "O23",
    from: ["awaiting_receipt"],
    to: ["awaiting_receipt"],
    by: makerParties,
    asks: ["shipment"],
  },
  recallDispatch: { id: "O23", from: ["awaiting_receipt"], to: ["awaiting_dispatch"], by: makerParties },
  confirmReceipt: { id: "O24", from: ["awaiting_receipt"], to: ["completed"], by: senderParties },
  redeliver: {
    id: "O25",
    from: ["awaiting_receipt"],
    to: ["awaiting_dispatch"],
    by: senderParties,
    asks: ["reason", "files"],
  },
  autoComplete: { id: "O26", from: ["awaiting_receipt"], to: ["completed"], by: ["system"] },
  requestCancel: {
    id: "O27",
    from: [...workStates, "forwarded"],
    to: [...workStates, "forwarded"],
    by: senderParties,
    asks: ["reason"],
  },
  decideCancel: {
    id: "O28",
    from: [...workStates, "forwarded"],
    to: ["cancelled", ...workStates, "forwarded"],
    by: ["receiverAdmin"],
    asks: ["decision", "reason"],
  },
  cancelByReceiver: { id: "O29", from: workStates, to: ["cancelled"], by: ["receiverAdmin"], asks: ["reason"] },
  prepareForward: { id: "O30", from: workStates, to: ["awaiting_sending"], by: ["receiverAdmin"], asks: ["target"] },
  forward: { id: "O31", from: ["awaiting_sending"], to: ["forwarded"], by: ["system"] },
  dropForward: { id: "O32", from: ["awaiting_sending"], to: workStates, by: ["receiverAdmin"] },
  childFailed: { id: "O33", from: ["forwarded"], to: workStates, by: ["system"] },
  childDelivered: {
    id: "O34",
    from: ["forwarded"],
    to: ["awaiting_design", "awaiting_dispatch", "awaiting_receipt"],
    by: ["system"],
  },
  proposeChange: { id: "O35", from: workStates, to: workStates, by: senderParties, asks: ["prescription", "files"] },
  decideChange: {
    id: "O36",
    from: workStates,
    to: workStates,
    by: ["receiverAdmin"],
    asks: ["decision", "promise", "reason"],
  },
  assign: { id: "O37", from: openStates, to: openStates, by: ["receiverAdmin"], asks: ["assignee"] },
});
export type OrderAction = keyof typeof orderLifecycle.steps;

type OrderStateKey = `state.${OrderState}` | `stateByStep.${"scheme" | "design"}${"Submitted" | "Preparing"}`;
/**
 * Returns the key of order.json for an order's stage. In the scheme and design stages the receiver works until it
 * submits, and then the sender decides: the two have different names.
 */
export function orderStateKey({ state, step }: { state: OrderState; step: string }): OrderStateKey {
  if (state !== "awaiting_scheme" && state !== "awaiting_design") return `state.${state}`;
  return `stateByStep.${state === "awaiting_scheme" ? "scheme" : "design"}${step === "submitted" ? "Submitted" : "Preparing"}`;
}

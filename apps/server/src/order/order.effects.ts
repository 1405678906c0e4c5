import type { Selectable } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.cycle";
import { afterScheme, isDigital, orderRules, routeOf } from "@arcada/contract/order/order.rules";
import type { CaseType } from "@arcada/contract/order/order.rules";
import type { OrderRevisionTable, OrdersTable, Rx } from "../tables/order.ts";

/** What a decision is made from. */
export type OrderFacts = Pick<
  Selectable<OrdersTable>,
  | "institution_id"
  | "receiver_id"
  | "creator_id"
  | "assignee_id"
  | "state"
  | "turn"
  | "turn_after"
  | "step"
  | "rx"
  | "rx_revision"
  | "scheme_revision"
  | "design_revision"
  | "redelivery_count"
  | "due_date"
  | "promised_date"
  | "info_request"
  | "info_asked_at"
  | "cancel_request"
  | "submitted_at"
  | "dispatched_at"
>;
export type Change = Partial<
  Pick<
    Selectable<OrdersTable>,
    | "state"
    | "turn"
    | "step"
    | "rx"
    | "case_type"
    | "rx_revision"
    | "assignee_id"
    | "accepted_by"
    | "accepted_at"
    | "scheme_revision"
    | "design_revision"
    | "redelivery_count"
    | "promised_date"
    | "due_date"
    | "carrier"
    | "tracking_number"
    | "hand_delivery"
    | "info_request"
    | "info_asked_at"
    | "cancel_request"
    | "handed_over_at"
    | "submitted_at"
    | "dispatched_at"
    | "completed_at"
  >
>;
/** What the person who acts gave along, null where nothing. `files` counts those that were sent. */
export interface Given {
  now: Date;
  uid: string | null;
  reason: string | null;
  text: string | null;
  files: number;
  carrier: string | null;
  trackingNumber: string | null;
  handDelivery: boolean;
  promisedDate: string | null;
  assigneeId: string | null;
  approve: boolean | null;
  rx: { rx: Rx; case_type: CaseType; due_date: string | null } | null;
}
export interface Effect {
  /** Why the action is closed although the table names this state. */
  closed?: (order: OrderFacts, now: Date) => RefusalName | null;
  move: (order: OrderFacts, given: Given) => Change;
  /** What becomes of the newest revisions, by kind; "new" makes one. */
  revisions?: (order: OrderFacts) => RevisionMarks;
}
export type RevisionMarks = Partial<
  Record<OrderRevisionTable["kind"], "new" | Exclude<OrderRevisionTable["state"], "submitted">>
>;

const always = (change: Change) => (): Change => change;
const stamp = (given: Given): string => given.now.toISOString();
const allowed = (holds: boolean): RefusalName | null => (holds ? null : "orderActionNotAllowed");
const undecided = (order: OrderFacts) => allowed(order.step === "submitted");
const inMaking = (order: OrderFacts) => allowed(order.step === "preparing" || order.step === "returned");
const kindNow = (order: OrderFacts) => (order.state === "awaiting_scheme" ? "scheme" : "design");
const nothingShipped = { carrier: null, tracking_number: null, hand_delivery: false, dispatched_at: null } as const;
const shipped = ({ carrier, trackingNumber, handDelivery }: Given) =>
  ({ carrier, tracking_number: trackingNumber, hand_delivery: handDelivery }) as const;

const ended = (state: "completed" | "cancelled" | "refused", given: Given): Change => ({
  state,
  turn: "nobody",
  info_request: null,
  cancel_request: null,
  ...(state === "completed" && { completed_at: stamp(given) }),
});

/** A promise is moved on by the whole days that the work waited for the sender. */
function promiseAfter(order: OrderFacts, waitingSince: string | null, now: Date): Change {
  if (!order.promised_date || !waitingSince) return {};
  const days = Math.floor((now.getTime() - Date.parse(waitingSince)) / 86_400_000);
  return { promised_date: daysAfter(order.promised_date, days) };
}
const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const submission = (kind: OrderRevisionTable["kind"]): Effect => ({
  closed: inMaking,
  move: (order, given) => ({
    step: "submitted",
    turn: "sender",
    submitted_at: stamp(given),
    ...(kind === "scheme"
      ? { scheme_revision: order.scheme_revision + 1 }
      : { design_revision: order.design_revision + 1 }),
  }),
  revisions: () => ({ [kind]: "new" }),
});
const late = (dispatchedAt: string | null, now: Date): boolean =>
  now.getTime() - Date.parse(dispatchedAt ?? "") > orderRules.recallDispatchHours * 3_600_000;

/** What each action does to an order. Null: its screen comes later, and the action is offered to nobody. */
export const effects: Record<OrderAction, Effect | null> = {
  create: { move: always({ state: "draft", turn: "nobody", step: "preparing" }) },
  edit: { move: always({}) },
  delete: { move: always({}) },
  submit: { move: always({ state: "awaiting_sending", turn: "nobody", step: "uploading" }) },
  handOver: {
    move: (_, given) => ({ state: "pending", turn: "receiver", step: "preparing", handed_over_at: stamp(given) }),
  },
  transferFailed: { move: always({ turn: "sender", step: "send_failed" }) },
  recall: { move: always({ state: "draft", turn: "nobody", step: "preparing" }) },
  cancel: { move: (_, given) => ended("cancelled", given) },
  requestInfo: {
    closed: (order) => (order.info_request === null ? null : "orderRequestOpen"),
    move: (_, given) => ({ info_request: given.text, info_asked_at: stamp(given) }),
  },
  supplyInfo: {
    closed: (order) => (order.info_request === null ? "orderNoRequest" : null),
    move: (order, given) => ({
      info_request: null,
      info_asked_at: null,
      ...promiseAfter(order, order.info_asked_at, given.now),
      ...(given.rx && { ...given.rx, rx_revision: order.rx_revision + 1 }),
    }),
  },
  accept: {
    move: (order, given) => ({
      state: routeOf(order.rx) satisfies OrderState,
      step: "preparing",
      turn: "receiver",
      info_request: null,
      info_asked_at: null,
      accepted_at: stamp(given),
      accepted_by: given.uid,
      assignee_id: given.assigneeId ?? given.uid,
      promised_date: given.promisedDate ?? order.due_date,
    }),
  },
  refuse: { move: (_, given) => ended("refused", given) },
  submitScheme: submission("scheme"),
  confirmScheme: {
    closed: undecided,
    move: (order) => ({ state: afterScheme(order.rx), step: "preparing", turn: "receiver" }),
    revisions: () => ({ scheme: "confirmed" }),
  },
  returnScheme: {
    closed: undecided,
    move: always({ step: "returned", turn: "receiver" }),
    revisions: () => ({ scheme: "returned" }),
  },
  submitDesign: submission("design"),
  confirmDesign: {
    closed: (order) => undecided(order) ?? allowed(!isDigital(order.rx)),
    move: always({ state: "awaiting_dispatch", step: "production", turn: "receiver" }),
    revisions: () => ({ design: "confirmed" }),
  },
  confirmDelivery: {
    closed: (order) => undecided(order) ?? allowed(isDigital(order.rx)),
    move: (_, given) => ended("completed", given),
    revisions: () => ({ design: "confirmed" }),
  },
  returnDesign: {
    closed: undecided,
    move: (order, given) => ({
      step: "returned",
      turn: "receiver",
      ...promiseAfter(order, order.submitted_at, given.now),
    }),
    revisions: () => ({ design: "returned" }),
  },
  withdraw: {
    closed: undecided,
    move: always({ step: "preparing", turn: "receiver" }),
    revisions: (order) => ({ [kindNow(order)]: "withdrawn" }),
  },
  backToScheme: {
    closed: (order) => allowed(order.rx.schemeRequired),
    move: always({ state: "awaiting_scheme", step: "returned", turn: "receiver" }),
    // A design that waits for its confirmation falls with the scheme that it was made from.
    revisions: (order) => ({ scheme: "voided", ...(order.step === "submitted" && { design: "voided" }) }),
  },
  backToDesign: {
    closed: (order) => allowed(order.rx.workKinds.includes("design")),
    move: always({ state: "awaiting_design", step: "preparing", turn: "receiver" }),
    revisions: () => ({ design: "voided" }),
  },
  dispatch: {
    // What is on its way cannot be cancelled any more, so the receiver decides the sender's wish first.
    closed: (order) => (order.cancel_request === null ? null : "orderRequestOpen"),
    move: (_, given) => ({
      state: "awaiting_receipt",
      turn: "sender",
      dispatched_at: stamp(given),
      info_request: null,
      info_asked_at: null,
      ...shipped(given),
    }),
  },
  correctShipment: { move: (_, given) => shipped(given) },
  recallDispatch: {
    closed: (order, now) => (late(order.dispatched_at, now) ? "orderRecallTooLate" : null),
    move: always({ state: "awaiting_dispatch", turn: "receiver", ...nothingShipped }),
  },
  confirmReceipt: { move: (_, given) => ended("completed", given) },
  redeliver: {
    move: (order) => ({
      state: "awaiting_dispatch",
      step: "returned",
      turn: "receiver",
      redelivery_count: order.redelivery_count + 1,
      ...nothingShipped,
    }),
  },
  autoComplete: {
    closed: (order, now) =>
      allowed(now.getTime() - Date.parse(order.dispatched_at ?? "") > orderRules.receiptDays * 86_400_000),
    move: (_, given) => ended("completed", given),
  },
  requestCancel: {
    closed: (order) => (order.cancel_request === null ? null : "orderRequestOpen"),
    move: (_, given) => ({ cancel_request: given.reason }),
  },
  decideCancel: {
    closed: (order) => (order.cancel_request === null ? "orderNoRequest" : null),
    move: (_, given) => (given.approve ? ended("cancelled", given) : { cancel_request: null }),
  },
  cancelByReceiver: { move: (_, given) => ended("cancelled", given) },
  prepareForward: null,
  forward: null,
  dropForward: null,
  childFailed: null,
  childDelivered: null,
  proposeChange: null,
  decideChange: null,
};

import { daysAfter, daysBetween } from "@arcada/contract/kernel/time-zone";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.cycle";
import { afterScheme, isDigital, orderRules, routeOf } from "@arcada/contract/order/order.rules";
import type { OrderRevisionTable } from "../tables/order.ts";
import { allowed, always, ended, kindNow, shipped, stamp } from "./order.effect.ts";
import type { Change, Effect, OrderFacts } from "./order.effect.ts";
import { forwardEffects, passedOn, straight } from "./order.forward.effects.ts";
import { changeEffects } from "./order.change.effects.ts";

const undecided = (order: OrderFacts) => allowed(order.step === "submitted");
const inMaking = (order: OrderFacts) => allowed(order.step === "preparing" || order.step === "returned");
/** A promised date is postponed by the whole days for which the work waited for the sender. */
function promiseAfter(order: OrderFacts, waitingSince: string | null, now: Date): Change {
  if (!order.promised_date || !waitingSince) return {};
  const days = Math.floor((now.getTime() - Date.parse(waitingSince)) / 86_400_000);
  return { promised_date: daysAfter(order.promised_date, Math.min(days, daysBetween(order.promised_date, lastDay))) };
}
/** A calendar ends with the year 9999. */
const lastDay = "9999-12-31";

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
const nothingShipped = {
  carrier: null,
  tracking_number: null,
  hand_delivery: false,
  dispatched_at: null,
  receipt_reminded: 0,
} as const;
const late = (dispatchedAt: string | null, now: Date): boolean =>
  now.getTime() - Date.parse(dispatchedAt ?? "") > orderRules.recallDispatchHours * 3_600_000;

/** The effect of each action on an order. */
export const effects: Record<OrderAction, Effect> = {
  create: { move: always({ state: "draft", turn: "nobody", step: "preparing" }) },
  edit: { move: always({}) },
  // The draft of a child order is only deleted by dropForward, which resets its parent.
  delete: { closed: (order) => allowed(order.parent_id === null), move: always({}) },
  submit: { move: always({ state: "awaiting_sending", turn: "nobody", step: "uploading" }) },
  handOver: {
    move: (_, given) => ({ state: "pending", turn: "receiver", step: "preparing", handed_over_at: stamp(given) }),
  },
  transferFailed: { move: always({ turn: "sender", step: "send_failed" }) },
  recall: {
    closed: (order) => allowed(order.holder === "sender"),
    move: always({ state: "draft", turn: "nobody", step: "preparing" }),
  },
  cancel: {
    closed: (order) => allowed(order.state === "pending" || (order.holder === "sender" && order.parent_id === null)),
    move: (_, given) => ended("cancelled", given),
  },
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
    // A design that waits for its confirmation is voided with the scheme on which it is based.
    revisions: (order) => ({ scheme: "voided", ...(order.step === "submitted" && { design: "voided" }) }),
  },
  backToDesign: {
    closed: (order) => allowed(order.rx.workKinds.includes("design")),
    move: always({ state: "awaiting_design", step: "preparing", turn: "receiver" }),
    revisions: () => ({ design: "voided" }),
  },
  dispatch: {
    // A shipped order cannot be cancelled or changed any more, so the receiver must decide the sender's requests first.
    closed: (order) => (order.cancel_request === null && order.change_request === null ? null : "orderRequestOpen"),
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
    closed: (order, now) =>
      (straight(order) || passedOn(order) ? "orderActionNotAllowed" : null) ??
      (late(order.dispatched_at, now) ? "orderRecallTooLate" : null),
    move: always({ state: "awaiting_dispatch", turn: "receiver", ...nothingShipped }),
  },
  // A delivery that went straight to the first sender is received there.
  confirmReceipt: {
    closed: (order) => allowed(!straight(order)),
    move: (_, given) => ended("completed", given),
  },
  redeliver: {
    closed: (order) => allowed(!straight(order)),
    move: (order) => ({
      state: "awaiting_dispatch",
      step: "returned",
      turn: "receiver",
      redelivery_count: order.redelivery_count + 1,
      resume_state: null,
      ...nothingShipped,
    }),
  },
  autoComplete: {
    // The number of days is the sender's choice; the caller checks it.
    closed: (order) => allowed(!straight(order) && order.info_request === null && order.cancel_request === null),
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
  ...forwardEffects,
  ...changeEffects,
};

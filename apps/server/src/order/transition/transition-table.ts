import { addDays, daysBetween } from "@arcada/contract/kernel/time-zone";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.lifecycle";
import {
  nextStateAfterScheme,
  endsDigitally,
  orderRules,
  nextStateAfterAcceptance,
} from "@arcada/contract/order/order.rules";
import type { OrderRevisionTable } from "../../tables/schema.generated.ts";
import {
  allowedIf,
  constantChange,
  endOrder,
  pendingRevisionKind,
  shipmentColumns,
  toTimestamp,
} from "./transition-types.ts";
import type { OrderChange, Transition, OrderFacts } from "./transition-types.ts";
import { forwardingTransitions, isForwarded, isDirectShipment } from "./forwarding-transitions.ts";
import { changeRequestTransitions } from "./change-request-transitions.ts";

const guardSubmitted = (order: OrderFacts) => allowedIf(order.step === "submitted");
const guardInPreparation = (order: OrderFacts) => allowedIf(order.step === "preparing" || order.step === "returned");
/** A promised date is postponed by the whole days for which the work waited for the sender. */
function postponePromise(order: OrderFacts, waitingSince: string | null, now: Date): OrderChange {
  if (!order.promised_date || !waitingSince) return {};
  const days = Math.floor((now.getTime() - Date.parse(waitingSince)) / 86_400_000);
  return { promised_date: addDays(order.promised_date, Math.min(days, daysBetween(order.promised_date, lastDay))) };
}
/** A calendar ends with the year 9999. */
const lastDay = "9999-12-31";

const submitRevision = (kind: OrderRevisionTable["kind"]): Transition => ({
  guard: guardInPreparation,
  apply: (order, actionInput) => ({
    step: "submitted",
    turn: "sender",
    submitted_at: toTimestamp(actionInput),
    ...(kind === "scheme"
      ? { scheme_revision: order.scheme_revision + 1 }
      : { design_revision: order.design_revision + 1 }),
  }),
  revisions: () => ({ [kind]: "new" }),
});
const clearedShipment = {
  carrier: null,
  tracking_number: null,
  hand_delivery: false,
  dispatched_at: null,
  receipt_reminded: 0,
} as const;
const isRecallTooLate = (dispatchedAt: string | null, now: Date): boolean =>
  now.getTime() - Date.parse(dispatchedAt ?? "") > orderRules.recallDispatchHours * 3_600_000;

/** The effect of each action on an order. */
export const transitionTable: Record<OrderAction, Transition> = {
  create: { apply: constantChange({ state: "draft", turn: "nobody", step: "preparing" }) },
  edit: { apply: constantChange({}) },
  // The draft of a child order is only deleted by dropForward, which resets its parent.
  delete: { guard: (order) => allowedIf(order.parent_id === null), apply: constantChange({}) },
  submit: { apply: constantChange({ state: "awaiting_sending", turn: "nobody", step: "uploading" }) },
  handOver: {
    apply: (_, actionInput) => ({
      state: "pending",
      turn: "receiver",
      step: "preparing",
      handed_over_at: toTimestamp(actionInput),
    }),
  },
  transferFailed: { apply: constantChange({ turn: "sender", step: "send_failed" }) },
  recall: {
    guard: (order) => allowedIf(order.holder === "sender"),
    apply: constantChange({ state: "draft", turn: "nobody", step: "preparing" }),
  },
  cancel: {
    guard: (order) => allowedIf(order.state === "pending" || (order.holder === "sender" && order.parent_id === null)),
    apply: (_, actionInput) => endOrder("cancelled", actionInput),
  },
  requestInfo: {
    guard: (order) => (order.info_request === null ? null : "orderRequestOpen"),
    apply: (_, actionInput) => ({ info_request: actionInput.text, info_asked_at: toTimestamp(actionInput) }),
  },
  supplyInfo: {
    guard: (order) => (order.info_request === null ? "orderNoRequest" : null),
    apply: (order, actionInput) => ({
      info_request: null,
      info_asked_at: null,
      ...postponePromise(order, order.info_asked_at, actionInput.now),
      ...(actionInput.rx && { ...actionInput.rx, rx_revision: order.rx_revision + 1 }),
    }),
  },
  accept: {
    apply: (order, actionInput) => ({
      state: nextStateAfterAcceptance(order.rx) satisfies OrderState,
      step: "preparing",
      turn: "receiver",
      info_request: null,
      info_asked_at: null,
      accepted_at: toTimestamp(actionInput),
      accepted_by: actionInput.uid,
      assignee_id: actionInput.assigneeId ?? order.assignee_id ?? actionInput.uid,
      promised_date: actionInput.promisedDate ?? order.due_date,
    }),
  },
  refuse: { apply: (_, actionInput) => endOrder("refused", actionInput) },
  submitScheme: submitRevision("scheme"),
  confirmScheme: {
    guard: guardSubmitted,
    apply: (order) => ({ state: nextStateAfterScheme(order.rx), step: "preparing", turn: "receiver" }),
    revisions: () => ({ scheme: "confirmed" }),
  },
  returnScheme: {
    guard: guardSubmitted,
    apply: constantChange({ step: "returned", turn: "receiver" }),
    revisions: () => ({ scheme: "returned" }),
  },
  submitDesign: submitRevision("design"),
  confirmDesign: {
    guard: (order) => guardSubmitted(order) ?? allowedIf(!endsDigitally(order.rx)),
    apply: constantChange({ state: "awaiting_dispatch", step: "production", turn: "receiver" }),
    revisions: () => ({ design: "confirmed" }),
  },
  confirmDelivery: {
    guard: (order) => guardSubmitted(order) ?? allowedIf(endsDigitally(order.rx)),
    apply: (_, actionInput) => endOrder("completed", actionInput),
    revisions: () => ({ design: "confirmed" }),
  },
  returnDesign: {
    guard: guardSubmitted,
    apply: (order, actionInput) => ({
      step: "returned",
      turn: "receiver",
      ...postponePromise(order, order.submitted_at, actionInput.now),
    }),
    revisions: () => ({ design: "returned" }),
  },
  withdraw: {
    guard: guardSubmitted,
    apply: constantChange({ step: "preparing", turn: "receiver" }),
    revisions: (order) => ({ [pendingRevisionKind(order)]: "withdrawn" }),
  },
  backToScheme: {
    guard: (order) => allowedIf(order.rx.schemeRequired),
    apply: constantChange({ state: "awaiting_scheme", step: "returned", turn: "receiver" }),
    // A design that waits for its confirmation is voided with the scheme on which it is based.
    revisions: (order) => ({ scheme: "voided", ...(order.step === "submitted" && { design: "voided" }) }),
  },
  backToDesign: {
    guard: (order) => allowedIf(order.rx.workKinds.includes("design")),
    apply: constantChange({ state: "awaiting_design", step: "preparing", turn: "receiver" }),
    revisions: () => ({ design: "voided" }),
  },
  dispatch: {
    // A shipped order cannot be cancelled or changed any more, so the receiver must decide the sender's requests first.
    guard: (order) => (order.cancel_request === null && order.change_request === null ? null : "orderRequestOpen"),
    apply: (_, actionInput) => ({
      state: "awaiting_receipt",
      turn: "sender",
      dispatched_at: toTimestamp(actionInput),
      info_request: null,
      info_asked_at: null,
      ...shipmentColumns(actionInput),
    }),
  },
  correctShipment: { apply: (_, actionInput) => shipmentColumns(actionInput) },
  recallDispatch: {
    guard: (order, now) =>
      (isDirectShipment(order) || isForwarded(order) ? "orderActionNotAllowed" : null) ??
      (isRecallTooLate(order.dispatched_at, now) ? "orderRecallTooLate" : null),
    apply: constantChange({ state: "awaiting_dispatch", turn: "receiver", ...clearedShipment }),
  },
  // A delivery that went straight to the first sender is received there.
  confirmReceipt: {
    guard: (order) => allowedIf(!isDirectShipment(order)),
    apply: (_, actionInput) => endOrder("completed", actionInput),
  },
  redeliver: {
    guard: (order) => allowedIf(!isDirectShipment(order)),
    apply: (order) => ({
      state: "awaiting_dispatch",
      step: "returned",
      turn: "receiver",
      redelivery_count: order.redelivery_count + 1,
      resume_state: null,
      ...clearedShipment,
    }),
  },
  autoComplete: {
    // The number of days is the sender's choice; the caller checks it.
    guard: (order) =>
      allowedIf(!isDirectShipment(order) && order.info_request === null && order.cancel_request === null),
    apply: (_, actionInput) => endOrder("completed", actionInput),
  },
  requestCancel: {
    guard: (order) => (order.cancel_request === null ? null : "orderRequestOpen"),
    apply: (_, actionInput) => ({ cancel_request: actionInput.reason }),
  },
  decideCancel: {
    guard: (order) => (order.cancel_request === null ? "orderNoRequest" : null),
    apply: (_, actionInput) => (actionInput.approve ? endOrder("cancelled", actionInput) : { cancel_request: null }),
  },
  cancelByReceiver: { apply: (_, actionInput) => endOrder("cancelled", actionInput) },
  assign: { apply: (_, actionInput) => ({ assignee_id: actionInput.assigneeId }) },
  ...forwardingTransitions,
  ...changeRequestTransitions,
};

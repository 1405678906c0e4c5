import { endsDigitally } from "@arcada/contract/order/order.rules";
import { pendingRevisionKind } from "./transition-types.ts";
import type { OrderChange, Transition, ActionInput, OrderFacts, RevisionChanges } from "./transition-types.ts";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";

/** Effects of the sender's change requests once the work has begun. */
export const changeRequestTransitions = {
  proposeChange: {
    guard: (order) => (order.change_request === null ? null : "orderRequestOpen"),
    apply: () => ({}),
  },
  decideChange: {
    guard: (order) => (order.change_request === null ? "orderNoRequest" : null),
    apply: (order, actionInput) => ({
      change_request: null,
      ...(actionInput.approve && actionInput.rx && applyAcceptedChange(order, actionInput, actionInput.rx)),
    }),
    revisions: (order, actionInput) =>
      actionInput.approve && actionInput.rx ? voidedRevisions(order, actionInput.rx.rx) : {},
  },
} satisfies Record<"proposeChange" | "decideChange", Transition>;

function applyAcceptedChange(
  order: OrderFacts,
  actionInput: ActionInput,
  change: NonNullable<ActionInput["rx"]>,
): OrderChange {
  const state = findStage(order, change.rx);
  return {
    ...change,
    rx_revision: order.rx_revision + 1,
    promised_date: actionInput.promisedDate ?? order.promised_date,
    ...(state !== order.state && { state, step: "preparing", turn: "receiver" }),
  };
}

type RequestedWork = Pick<OrderFacts["rx"], "schemeRequired" | "workKinds" | "items">;

/**
 * Returns the stage of the work under a new prescription: an earlier confirmation that is required and missing comes
 * first.
 */
function findStage(order: Pick<OrderFacts, "state" | "rx">, requested: RequestedWork): OrderState {
  if (requested.schemeRequired && (order.state === "awaiting_scheme" || !order.rx.schemeRequired))
    return "awaiting_scheme";
  const isDesigned =
    order.state === "awaiting_dispatch" &&
    order.rx.workKinds.includes("design") &&
    designKey(order.rx) === designKey(requested) &&
    !endsDigitally(requested);
  return requested.workKinds.includes("design") && !isDesigned ? "awaiting_design" : "awaiting_dispatch";
}
/**
 * Returns the part of a prescription that a design is made for. If only other parts change, the design may stay the
 * same.
 */
const designKey = ({ items }: Pick<RequestedWork, "items">): string =>
  JSON.stringify(items.map(({ teeth, kind, pontics }) => [teeth, kind, pontics]));

function voidedRevisions(order: OrderFacts, requested: RequestedWork): RevisionChanges {
  const state = findStage(order, requested);
  if (state === order.state) return {};
  return {
    ...(order.step === "submitted" && { [pendingRevisionKind(order)]: "voided" }),
    ...(order.state === "awaiting_dispatch" && order.rx.workKinds.includes("design") && { design: "voided" }),
  };
}

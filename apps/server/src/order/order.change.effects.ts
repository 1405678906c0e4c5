import { isDigital } from "@arcada/contract/order/order.rules";
import { kindNow } from "./order.effect.ts";
import type { Change, Effect, Given, OrderFacts, RevisionMarks } from "./order.effect.ts";
import type { OrderState } from "@arcada/contract/order/order.cycle";

/** Effects of the sender's change requests once the work has begun. */
export const changeEffects = {
  proposeChange: {
    closed: (order) => (order.change_request === null ? null : "orderRequestOpen"),
    move: () => ({}),
  },
  decideChange: {
    closed: (order) => (order.change_request === null ? "orderNoRequest" : null),
    move: (order, given) => ({
      change_request: null,
      ...(given.approve && given.rx && changed(order, given, given.rx)),
    }),
    revisions: (order, given) => (given.approve && given.rx ? fallen(order, given.rx.rx) : {}),
  },
} satisfies Record<"proposeChange" | "decideChange", Effect>;

function changed(order: OrderFacts, given: Given, change: NonNullable<Given["rx"]>): Change {
  const state = stageOf(order, change.rx);
  return {
    ...change,
    rx_revision: order.rx_revision + 1,
    promised_date: given.promisedDate ?? order.promised_date,
    ...(state !== order.state && { state, step: "preparing", turn: "receiver" }),
  };
}

type Wish = Pick<OrderFacts["rx"], "schemeRequired" | "workKinds" | "items">;

/**
 * Returns the stage of the work under a new prescription: an earlier confirmation that is required and missing comes
 * first.
 */
function stageOf(order: Pick<OrderFacts, "state" | "rx">, wish: Wish): OrderState {
  if (wish.schemeRequired && (order.state === "awaiting_scheme" || !order.rx.schemeRequired)) return "awaiting_scheme";
  const isDesigned =
    order.state === "awaiting_dispatch" &&
    order.rx.workKinds.includes("design") &&
    shapeOf(order.rx) === shapeOf(wish) &&
    !isDigital(wish);
  return wish.workKinds.includes("design") && !isDesigned ? "awaiting_design" : "awaiting_dispatch";
}
/**
 * Returns the part of a prescription that a design is made for. If only other parts change, the design may stay the
 * same.
 */
const shapeOf = ({ items }: Pick<Wish, "items">): string =>
  JSON.stringify(items.map(({ teeth, kind, pontics }) => [teeth, kind, pontics]));

function fallen(order: OrderFacts, wish: Wish): RevisionMarks {
  const state = stageOf(order, wish);
  if (state === order.state) return {};
  return {
    ...(order.step === "submitted" && { [kindNow(order)]: "voided" }),
    ...(order.state === "awaiting_dispatch" && order.rx.workKinds.includes("design") && { design: "voided" }),
  };
}

import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import type { Translate } from "../../i18n/texts.ts";

export type Revision = Order["revisions"][number];

/** The decisions on a design, the one that approves it last, as the main action of a group of buttons. */
export const reviewActions = [
  "returnDesign",
  "confirmDesign",
  "confirmDelivery",
] as const satisfies readonly OrderAction[];

type ReviewedOrder = Pick<Order, "state" | "step" | "mine" | "revisions">;

/** Returns the design that waits for the decision of the reader's side, else null. */
export function findDesignToReview(order: ReviewedOrder): Revision | null {
  if (order.mine !== "sender" || order.state !== "awaiting_design" || order.step !== "submitted") return null;
  return order.revisions.findLast(({ kind, state }) => kind === "design" && state === "submitted") ?? null;
}

/** Returns the reader's comments as the reason of a return, one in each line. */
export const joinPinReasons = (t: Translate, pins: readonly { number: number; text: string }[]): string =>
  pins.map(({ number, text }) => t("orderDetail.review.pinReason", { number, text })).join("\n");

import { daysBetween } from "@arcada/contract/kernel/time-zone";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import type { Translate } from "../kernel/texts.ts";
import { today } from "../kernel/zone.ts";

type Standing = Pick<
  OrderRow,
  "state" | "step" | "holder" | "turn" | "schemeRevision" | "designRevision" | "myTurn" | "mine" | "sender" | "receiver"
>;

/** Returns the current step and the side whose turn it is, in one line: "design 2 submitted, your turn". */
export function turnLine(t: Translate, order: Standing): string {
  const { key, revision } = standing[order.state](order);
  const what = t(`order.stand.${key}`, { revision: revision ?? null });
  const who = whoseTurn(t, order);
  return who ? t("order.turn.line", { what, who }) : what;
}

/** Empty if nobody has to act. */
function whoseTurn(t: Translate, order: Standing): string {
  if (order.turn === "nobody") return "";
  return t(`order.turn.${order.myTurn ? "mine" : order.turn}`);
}

export const otherSide = (order: Pick<OrderRow, "mine" | "sender" | "receiver">): OrderRow["receiver"] =>
  order.mine === "sender" ? order.receiver : order.sender;

export const isEnded = (state: OrderState): boolean => (orderCycle.terminal as readonly OrderState[]).includes(state);

interface Stand {
  key: string;
  revision?: number;
}
/** If it is the sender's turn during the receiver's work, the receiver has asked something. */
const made =
  (kind: "scheme" | "design", newest: (order: Standing) => number) =>
  (order: Standing): Stand => {
    if (order.step === "submitted") return { key: `${kind}Submitted`, revision: newest(order) };
    return order.turn === "sender" ? { key: "question" } : { key: `${kind}Preparing`, revision: newest(order) + 1 };
  };
const standing: Record<OrderState, (order: Standing) => Stand> = {
  draft: () => ({ key: "draft" }),
  awaiting_sending: ({ step, holder }) => ({
    key: holder === "receiver" ? "passingOn" : step === "send_failed" ? "sendFailed" : "uploading",
  }),
  pending: ({ turn }) => ({ key: turn === "sender" ? "question" : "pending" }),
  awaiting_scheme: made("scheme", ({ schemeRevision }) => schemeRevision),
  awaiting_design: made("design", ({ designRevision }) => designRevision),
  awaiting_dispatch: ({ turn, step }) => ({
    key: turn === "sender" ? "question" : step === "returned" ? "again" : "production",
  }),
  awaiting_receipt: () => ({ key: "shipped" }),
  forwarded: () => ({ key: "forwarded" }),
  completed: () => ({ key: "completed" }),
  cancelled: () => ({ key: "cancelled" }),
  refused: () => ({ key: "refused" }),
};

export interface Due {
  day: string;
  says: string;
  /** "none": not urgent. */
  urgency: "late" | "soon" | "none";
}
/** Returns the day that the lab promised, else the one that the sender requested, and its urgency. */
export function dueOf(
  t: Translate,
  order: Pick<OrderRow, "dueDate" | "promisedDate" | "state">,
  now: Date = new Date(),
): Due | null {
  const day = order.promisedDate ?? order.dueDate;
  if (!day) return null;
  if (isEnded(order.state)) return { day, says: "", urgency: "none" };
  const days = daysBetween(today(now), day);
  if (days < 0) return { day, says: t("order.due.late", { count: -days }), urgency: "late" };
  if (days < 2) return { day, says: t(days === 0 ? "order.due.today" : "order.due.tomorrow"), urgency: "soon" };
  return { day, says: t("order.due.in", { count: days }), urgency: "none" };
}

/**
 * Mantine colours of the states: grey for drafts and cancelled orders, green for completed, red for refused, other
 * colours for orders in progress.
 */
export const stateColours: Record<OrderState, string> = {
  draft: "gray",
  awaiting_sending: "cyan",
  pending: "orange",
  awaiting_scheme: "grape",
  awaiting_design: "indigo",
  awaiting_dispatch: "blue",
  awaiting_receipt: "teal",
  forwarded: "violet",
  completed: "green",
  cancelled: "gray",
  refused: "red",
};

import { daysBetween } from "@arcada/contract/kernel/time-zone";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import type { Translate, NameUnder } from "../../i18n/texts.ts";
import { getToday } from "../../i18n/time-zone.ts";

type OrderStatus = Pick<
  OrderRow,
  "state" | "step" | "holder" | "turn" | "schemeRevision" | "designRevision" | "myTurn" | "mine" | "sender" | "receiver"
>;

/** Returns the current step and the side whose turn it is, in one line: "design 2 submitted, your turn". */
export function describeTurn(t: Translate, order: OrderStatus): string {
  const { key, revision } = statusTexts[order.state](order);
  const what = t(`order.stand.${key}`, { revision: revision ?? null });
  const who = translateTurn(t, order);
  return who ? t("order.turn.line", { what, who }) : what;
}

/** Empty if nobody has to act. */
function translateTurn(t: Translate, order: OrderStatus): string {
  if (order.turn === "nobody") return "";
  return t(`order.turn.${order.myTurn ? "mine" : order.turn}`);
}

export const getOtherSide = (order: Pick<OrderRow, "mine" | "sender" | "receiver">): OrderRow["receiver"] =>
  order.mine === "sender" ? order.receiver : order.sender;

export const isEnded = (state: OrderState): boolean =>
  (orderLifecycle.terminal as readonly OrderState[]).includes(state);

interface StatusText {
  key: NameUnder<"order.stand">;
  revision?: number;
}
/** If it is the sender's turn during the receiver's work, the receiver has asked something. */
const getRevisionText =
  (kind: "scheme" | "design", newest: (order: OrderStatus) => number) =>
  (order: OrderStatus): StatusText => {
    if (order.step === "submitted") return { key: `${kind}Submitted`, revision: newest(order) };
    return order.turn === "sender" ? { key: "question" } : { key: `${kind}Preparing`, revision: newest(order) + 1 };
  };
const statusTexts: Record<OrderState, (order: OrderStatus) => StatusText> = {
  draft: () => ({ key: "draft" }),
  awaiting_sending: ({ step, holder }) => ({
    key: holder === "receiver" ? "passingOn" : step === "send_failed" ? "sendFailed" : "uploading",
  }),
  pending: ({ turn }) => ({ key: turn === "sender" ? "question" : "pending" }),
  awaiting_scheme: getRevisionText("scheme", ({ schemeRevision }) => schemeRevision),
  awaiting_design: getRevisionText("design", ({ designRevision }) => designRevision),
  awaiting_dispatch: ({ turn, step }) => ({
    key: turn === "sender" ? "question" : step === "returned" ? "again" : "production",
  }),
  awaiting_receipt: () => ({ key: "shipped" }),
  forwarded: () => ({ key: "forwarded" }),
  completed: () => ({ key: "completed" }),
  cancelled: () => ({ key: "cancelled" }),
  refused: () => ({ key: "refused" }),
};

export interface DueStatus {
  day: string;
  text: string;
  /** "none": not urgent. */
  urgency: "late" | "soon" | "none";
}
/** Returns the day that the lab promised, else the one that the sender requested, and its urgency. */
export function getDueStatus(
  t: Translate,
  order: Pick<OrderRow, "dueDate" | "promisedDate" | "state">,
  now: Date = new Date(),
): DueStatus | null {
  const day = order.promisedDate ?? order.dueDate;
  if (!day) return null;
  if (isEnded(order.state)) return { day, text: "", urgency: "none" };
  const days = daysBetween(getToday(now), day);
  if (days < 0) return { day, text: t("order.due.late", { count: -days }), urgency: "late" };
  if (days < 2) return { day, text: t(days === 0 ? "order.due.today" : "order.due.tomorrow"), urgency: "soon" };
  return { day, text: t("order.due.in", { count: days }), urgency: "none" };
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

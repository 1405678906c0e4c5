import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import type { Translate, NameUnder } from "../../i18n/texts.ts";
import { isEnded } from "../core/order-status-text.ts";

type OrderStatus = Pick<
  Order,
  "state" | "step" | "holder" | "turn" | "schemeRevision" | "designRevision" | "myTurn" | "mine" | "sender" | "receiver"
> & { family: { child: { labName: string | null } | null } };

/**
 * Returns the next step and its responsible side: "You: confirm design 2 or return it.", "Waiting for Star Dental Lab
 * to submit design 2."
 */
export function describeNextStep(t: Translate, order: OrderStatus): string {
  if (isEnded(order.state)) return t("order.detail.nobodyTurn");
  const { key, revision } = getNextStep(order);
  const values = {
    ...(revision !== undefined && { revision }),
    who: getResponsibleName(order),
    lab: order.family.child?.labName ?? "",
  };
  return t(`orderDetail.expected.${isReadersStep(order) ? "you" : "they"}.${key}`, values);
}

/** A draft waits for the side that writes it, although nobody's turn is counted before the order is sent. */
export const isReadersStep = (order: Pick<OrderStatus, "state" | "holder" | "myTurn" | "mine">): boolean =>
  order.myTurn ||
  (order.state === "draft" && order.mine === "sender") ||
  (order.state === "awaiting_sending" && order.holder === "receiver" && order.mine === "receiver");

interface NextStep {
  key: NameUnder<"orderDetail.expected.you">;
  revision?: number;
}

function getNextStep(order: OrderStatus): NextStep {
  if (isQuestionOpen(order)) return { key: "answer" };
  return nextSteps[order.state](order);
}

/** If it is the sender's turn during the receiver's work, the receiver has asked something. */
const isQuestionOpen = ({ state, step, turn }: OrderStatus): boolean =>
  turn === "sender" &&
  (state === "pending" ||
    state === "awaiting_dispatch" ||
    ((state === "awaiting_scheme" || state === "awaiting_design") && step !== "submitted"));

const getRevisionStep =
  (kind: "scheme" | "design", newest: (order: OrderStatus) => number) =>
  (order: OrderStatus): NextStep =>
    order.step === "submitted"
      ? { key: `${kind}Decide`, revision: newest(order) }
      : { key: `${kind}Submit`, revision: newest(order) + 1 };

const nextSteps: Record<OrderState, (order: OrderStatus) => NextStep> = {
  draft: () => ({ key: "send" }),
  awaiting_sending: ({ step, holder }) => ({
    key: holder === "receiver" ? "passOn" : step === "send_failed" ? "sendAgain" : "sending",
  }),
  pending: () => ({ key: "accept" }),
  awaiting_scheme: getRevisionStep("scheme", ({ schemeRevision }) => schemeRevision),
  awaiting_design: getRevisionStep("design", ({ designRevision }) => designRevision),
  awaiting_dispatch: ({ step }) => ({ key: step === "returned" ? "makeAgain" : "make" }),
  awaiting_receipt: () => ({ key: "receive" }),
  forwarded: () => ({ key: "forwarded" }),
  completed: () => ({ key: "nothing" }),
  cancelled: () => ({ key: "nothing" }),
  refused: () => ({ key: "nothing" }),
};

/** Returns the name of the side whose turn it is. A draft and an order that is being sent belong to the sender. */
const getResponsibleName = ({ turn, state, holder, sender, receiver }: OrderStatus): string =>
  turn === "receiver" || (state === "awaiting_sending" && holder === "receiver") ? (receiver?.name ?? "") : sender.name;

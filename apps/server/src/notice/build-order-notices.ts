import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { orderMessageSent, orderTransitioned, receiptDue } from "../order/order.events.ts";
import type { EventData } from "../platform/events/events.ts";
import { orderTopic } from "./notice-groups.store.ts";
import type { NewNotice, Settlement } from "./send-notice.ts";

/** Actions of an order that have a notice of their own, instead of one about the new state. */
const orderNoticeKinds: Record<string, NoticeKind> = {
  handOver: "orderArrived",
  accept: "orderAccepted",
  requestInfo: "orderInfoAsked",
  supplyInfo: "orderAnswered",
  submitScheme: "orderToDecide",
  submitDesign: "orderToDecide",
  requestCancel: "orderToDecide",
  proposeChange: "orderToDecide",
  returnScheme: "orderReturned",
  returnDesign: "orderReturned",
  backToScheme: "orderReturned",
  redeliver: "orderReturned",
  transferFailed: "orderNotSent",
  childFailed: "orderNotSent",
  assign: "orderAssigned",
};

const aboutOrder = (id: string, sender: string, receiver: string | null) => ({
  link: `/orderDetail/page?id=${id}`,
  topic: orderTopic(id),
  institutions: [sender, ...(receiver ? [receiver] : [])],
});

export const buildOrderNotice = (moved: EventData<typeof orderTransitioned>): NewNotice => ({
  ...aboutOrder(moved.orderId, moved.sender, moved.receiver),
  kind: orderNoticeKinds[moved.action] ?? "orderMoved",
  params: { number: moved.number, action: moved.action, state: moved.to },
  to: { users: moved.recipients },
  personal: moved.responsible,
});

export const buildReceiptNotice = (due: EventData<typeof receiptDue>): NewNotice => ({
  ...aboutOrder(due.orderId, due.sender, null),
  kind: "orderReceiptDue",
  params: { number: due.number, days: String(due.days) },
  to: { users: due.recipients },
});

/** A message without mentions is shown in the order's conversation only. */
export function buildMentionNotice(sent: EventData<typeof orderMessageSent>): NewNotice | null {
  if (sent.mentions.length === 0) return null;
  const about = aboutOrder(sent.orderId, sent.sender, sent.receiver);
  return {
    ...about,
    kind: "orderMentioned",
    params: { number: sent.number, name: sent.author },
    link: `${about.link}#message-${sent.messageId}`,
    to: { users: sent.mentions },
  };
}

const finalStates: readonly string[] = ["completed", "cancelled", "refused"];
/** A side has done what waited for it by its own step. At the end, nothing is to be done by anybody. */
export function findSettledOrder({
  orderId,
  to,
  side,
  sender,
  receiver,
}: EventData<typeof orderTransitioned>): Settlement {
  const acting = side === "sender" ? sender : side === "receiver" ? receiver : null;
  return { topic: orderTopic(orderId), ...(acting !== null && !finalStates.includes(to) && { institution: acting }) };
}

import { defineEvent } from "../platform/events/events.ts";

export const orderTransitioned = defineEvent<{
  orderId: string;
  number: string;
  action: string;
  to: string;
  by: string;
  /** The side that acted. */
  side: "sender" | "receiver" | "system";
  sender: string;
  receiver: string | null;
  /** An order of another lab succeeds this one, or this one succeeds another. */
  hasRelatedOrders: boolean;
  recipients: string[];
  /** The people by name: who answers for it, who made it, and to whom it is assigned. */
  responsible: string[];
}>("orderTransitioned");

/** A message was written to the other side of an order; `receiver` if that side may read it. */
export const orderMessageSent = defineEvent<{
  orderId: string;
  number: string;
  messageId: string;
  by: string;
  /** The displayed name of the author. */
  author: string;
  /** The people whom it calls by name. */
  mentions: string[];
  side: "sender" | "receiver";
  sender: string;
  receiver: string | null;
}>("orderMessageSent");

/** A shipment has been under way for `days` days, and nobody has confirmed its receipt. */
export const receiptDue = defineEvent<{
  orderId: string;
  number: string;
  sender: string;
  days: number;
  recipients: string[];
}>("receiptDue");

/** The sender of an order no longer lets its lab make links to it. */
export const labSharingEnded = defineEvent<{
  orderId: string;
  sender: string;
  receiver: string;
}>("labSharingEnded");

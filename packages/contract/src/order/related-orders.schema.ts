import { z } from "zod";
import { id, instant, text } from "../kernel/fields.ts";
import { orderStates } from "./order.lifecycle.ts";
import { faultKinds, remakeBearers, remakeClasses } from "./order-steps.rules.ts";
import { orderRules } from "./order.rules.ts";

const state = z.enum(orderStates);
const relatedOrder = z.object({ id, number: z.string(), state });

/** The faults in the design of one item; `item` is its index in the prescription. */
export const designFault = z.object({
  item: z
    .int()
    .min(0)
    .max(orderRules.maxItems - 1),
  kinds: z.array(z.enum(faultKinds)).min(1).max(faultKinds.length),
});

export const remakeReason = {
  class: z.enum(remakeClasses),
  bears: z.enum(remakeBearers),
};

/** The orders related to this one, as far as the reader may know of them. */
export const relatedOrders = z.object({
  /** For a forwarded order: the order that it serves. Only the institution that forwarded it sees this. */
  parent: relatedOrder.nullable(),
  /** The newest order by which this one was forwarded; `order` is null for readers other than its creator. */
  child: z.object({ order: relatedOrder.nullable(), labName: z.string().nullable(), straight: z.boolean() }).nullable(),
  /** The child's design waits to be submitted as one's own. */
  delivered: z.boolean(),
  /** True if the receiver may forward the order to another lab. */
  mayForward: z.boolean(),
  remakeOf: relatedOrder.extend(remakeReason).nullable(),
  remakes: z.array(relatedOrder.extend(remakeReason)),
  copies: z.int(),
});

export const orderSharing = z.object({
  /** True if the reader may make links to it. */
  mayShare: z.boolean(),
  /** True if the lab may make links to it; null for a reader who does not decide on it. */
  labShares: z.boolean().nullable(),
  /** The lab knows the patient by no name. */
  nameHidden: z.boolean(),
});

export const proposalHead = {
  id,
  time: instant,
  who: z.string(),
  text: text(2000).nullable(),
  /** Names of the fields that differ. */
  changed: z.array(z.string()),
};

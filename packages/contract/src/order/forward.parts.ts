import { z } from "zod";
import { id, instant, text } from "../kernel/fields.ts";
import { orderStates } from "./order.cycle.ts";
import { faultKinds, remakeBearers, remakeClasses } from "./forward.rules.ts";
import { orderRules } from "./order.rules.ts";

const state = z.enum(orderStates);
const kin = z.object({ id, number: z.string(), state });

/** What is wrong with the design of one item; `item` is its place in the prescription. */
export const fault = z.object({
  item: z
    .int()
    .min(0)
    .max(orderRules.itemsMost - 1),
  kinds: z.array(z.enum(faultKinds)).min(1).max(faultKinds.length),
});

export const remakeReason = {
  class: z.enum(remakeClasses),
  bears: z.enum(remakeBearers),
};

/** The orders that stand beside this one, as far as the reader may know of them. */
export const family = z.object({
  /** Of a child: the order that it serves. Only who passed it on knows of it. */
  parent: kin.nullable(),
  /** The newest order by which this one was passed on; `order` is null for whom it was not made. */
  child: z.object({ order: kin.nullable(), labName: z.string().nullable(), straight: z.boolean() }).nullable(),
  /** The child's design waits to be submitted as one's own. */
  delivered: z.boolean(),
  /** Whether the receiver may pass the order on to another lab. */
  mayForward: z.boolean(),
  remakeOf: kin.extend(remakeReason).nullable(),
  remakes: z.array(kin.extend(remakeReason)),
  copies: z.int(),
});

export const sharing = z.object({
  /** Whether the reader may make links to it. */
  mayShare: z.boolean(),
  /** Whether the lab may; null for a reader who does not decide on it. */
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

import { z } from "zod";
import { id, instant } from "../kernel/fields.ts";
import { designFault } from "./related-orders.schema.ts";

/** The contact of one side of an order, as the other side sees it. */
export const orderContact = z.object({
  /** The responsible dentist of the sender, the assignee of the receiver; null while there is none. */
  person: z.string().nullable(),
  phone: z.string().nullable(),
  contactPerson: z.string().nullable(),
  contactWay: z.string().nullable(),
  address: z.string().nullable(),
});
export type OrderContact = z.output<typeof orderContact>;

export const orderEvent = z.object({
  id,
  time: instant,
  action: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  who: z.string(),
  side: z.enum(["sender", "receiver", "system"]),
  text: z.string().nullable(),
  revision: z.int().nullable(),
  /** Fields of the prescription that this step changed. */
  changed: z.array(z.string()).optional(),
  /** The chosen kind of reason, and the faults of each item. */
  code: z.string().optional(),
  faults: z.array(designFault).optional(),
});
export const orderRevision = z.object({
  id,
  kind: z.enum(["scheme", "design"]),
  number: z.int(),
  hash: z.string(),
  text: z.string().nullable(),
  state: z.enum(["submitted", "confirmed", "returned", "withdrawn", "voided"]),
  time: instant,
  who: z.string(),
  /** The person who confirmed, returned, withdrew or voided it, and the time. */
  decided: z.object({ who: z.string(), time: instant }).nullable(),
  /** True if the reader has opened it. A design is approved only by a person who has. */
  seen: z.boolean(),
});
export const orderMessage = z.object({
  id,
  time: instant,
  who: z.string(),
  mine: z.boolean(),
  text: z.string(),
  /** The names of the people whom the text calls with an @ before the name. */
  mentions: z.array(z.string()),
});

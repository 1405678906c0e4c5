import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, required } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { prescription } from "./order.calls.ts";
import { messageRules } from "./messages.rules.ts";

/** In the file's own space, mm. */
const modelPoint = z.tuple([z.number(), z.number(), z.number()]);
const comment = z.object({ id, time: instant, who: z.string(), mine: z.boolean(), text: z.string() });

/** A comment at a point of a model. It belongs to the bytes of the file: another revision is another surface. */
export const orderPin = z.object({
  ...comment.shape,
  /** In the order in which they were set, from 1. */
  number: z.int(),
  fileId: id,
  sha256: z.string(),
  point: modelPoint,
  replies: z.array(comment),
  /** Null while it is open. */
  settled: z.object({ who: z.string(), time: instant }).nullable(),
  /** True for its author as long as nobody has answered. */
  mayRemove: z.boolean(),
});
export type OrderPin = z.output<typeof orderPin>;

/** The prescription from one transition on. */
export const rxRevision = z.object({
  revision: z.int(),
  time: instant,
  /** The fields in the order's own columns are unknown for revisions older than these columns. */
  prescription: prescription
    .omit({ patientId: true, uploads: true, studies: true, targetIid: true, maskName: true })
    .partial({ caseType: true, dueDate: true }),
});
export type RxRevision = z.output<typeof rxRevision>;

const pinList = z.object({ list: z.array(orderPin), mayWrite: z.boolean() });

/** A person of either side who can see an order. */
export const orderPerson = z.object({ id, name: z.string(), mine: z.boolean() });
export type OrderPerson = z.output<typeof orderPerson>;

export const messageCalls = {
  people: call({
    method: "GET",
    path: "/v1/order/people",
    access: caseRoles,
    summary: "The people of both sides who can see an order, for mentions; the asker is left out.",
    audit: "order.people",
    input: z.object({ id }),
    output: z.array(orderPerson),
  }),
  read: call({
    method: "POST",
    path: "/v1/order/read",
    access: caseRoles,
    summary: "Says that the asker has read the messages of an order up to this one.",
    audit: "order.readMessages",
    input: z.object({ id, message: id }),
    output: z.null(),
  }),
  openRevision: call({
    method: "POST",
    path: "/v1/order/openRevision",
    access: caseRoles,
    summary: "Says that the asker has opened a scheme or a design; a design can be approved only after this.",
    audit: "order.openRevision",
    input: z.object({ id, revision: id }),
    output: z.null(),
  }),
  pins: call({
    method: "GET",
    path: "/v1/order/pins",
    access: caseRoles,
    summary: "Comments at places of an order's models, with their answers.",
    audit: "order.pins",
    input: z.object({ id }),
    output: pinList,
  }),
  addPin: call({
    method: "POST",
    path: "/v1/order/addPin",
    access: caseRoles,
    summary: "Sets a comment at a place of one of an order's models.",
    isIdempotent: true,
    audit: "order.addPin",
    input: z.object({ id, file: id, point: modelPoint, text: required(messageRules.maxPinLength) }),
    output: z.object({ id }),
  }),
  answerPin: call({
    method: "POST",
    path: "/v1/order/answerPin",
    access: caseRoles,
    summary: "Answers a comment at a place of a model.",
    isIdempotent: true,
    audit: "order.answerPin",
    input: z.object({ id, pin: id, text: required(messageRules.maxPinLength) }),
    output: z.null(),
  }),
  settlePin: call({
    method: "POST",
    path: "/v1/order/settlePin",
    access: caseRoles,
    summary: "Closes a comment at a place of a model, or opens it again.",
    audit: "order.settlePin",
    input: z.object({ id, pin: id, settled: z.boolean() }),
    output: z.null(),
  }),
  removePin: call({
    method: "POST",
    path: "/v1/order/removePin",
    access: caseRoles,
    summary: "Takes back a comment of one's own that nobody has answered.",
    audit: "order.removePin",
    input: z.object({ id, pin: id }),
    output: z.null(),
  }),
  rx: call({
    method: "GET",
    path: "/v1/order/rx",
    access: caseRoles,
    summary: "The prescription of an order as it was handed over and after each change.",
    audit: "order.rx",
    input: z.object({ id }),
    output: z.object({ list: z.array(rxRevision) }),
  }),
} as const;

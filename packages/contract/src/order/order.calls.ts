import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, pageOf, pagingParameters, text, version } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";
import { allTeeth, jaws } from "../kernel/tooth-numbers.ts";
import { orderCountCalls } from "./order-counts.calls.ts";
import { relatedOrders, designFault, proposalHead, orderSharing } from "./related-orders.schema.ts";
import { cancelReasons, refusalReasons } from "./order-steps.rules.ts";
import { orderContact, orderEvent, orderMessage, orderRevision } from "./order-parts.schema.ts";
import { orderFilter, orderSorting } from "./order-list.filter.ts";
import { orderLifecycle, orderStates } from "./order.lifecycle.ts";
import type { OrderAction } from "./order.lifecycle.ts";
import { messageInput, orderReading } from "./messages.schema.ts";
import {
  antagonists,
  fixTypes,
  gingivaSources,
  itemKinds,
  materials,
  shades,
  stumpShades,
  torqueRange,
} from "./prescription.choices.ts";
import { streamingCopy } from "../study/study.schema.ts";
import { caseTypes, orderRules, workKinds } from "./order.rules.ts";

const actions = Object.keys(orderLifecycle.steps) as [OrderAction, ...OrderAction[]];
const state = z.enum(orderStates);
const tooth = z.int().refine((value) => allTeeth.includes(value), "toothUnknown");

export const orderItem = z.object({
  teeth: z.array(tooth).max(16),
  kind: z.enum(itemKinds),
  material: z.enum(materials).nullable(),
  shade: z.enum(shades).nullable(),
  stumpShade: z.enum(stumpShades).nullable().default(null),
  /** Teeth of a bridge that have no abutment under them. */
  pontics: z.array(tooth).max(16).default([]),
  remark: text(500).nullable().default(null),
});
export const fileRoles = [
  "upperScan",
  "lowerScan",
  "bite",
  "image",
  "ct",
  "document",
  "scheme",
  "design",
  "answer",
  "photo",
] as const;
/** The roles of an existing file. A file that came with a message has the role "message" only. */
export const shownRoles = [...fileRoles, "message"] as const;

export const prescription = z.object({
  patientId: id,
  caseType: z.enum(caseTypes),
  items: z.array(orderItem).max(orderRules.maxItems),
  workKinds: z.array(z.enum(workKinds)).max(2),
  jaws: z.array(z.enum(jaws)).max(2).default([]),
  implantSystem: text(80).nullable().default(null),
  fixType: z.enum(fixTypes).nullable().default(null),
  torque: z.int().min(torqueRange.min).max(torqueRange.max).nullable().default(null),
  gingiva: z.enum(gingivaSources).nullable().default(null),
  antagonist: z.enum(antagonists).nullable().default(null),
  /** The number of this order in the sender's own books. */
  sourceOrder: text(40).nullable().default(null),
  instructions: text(4000).nullable().default(null),
  schemeRequired: z.boolean().default(false),
  targetIid: id.nullable(),
  dueDate: day.nullable(),
  maskName: z.boolean().default(false),
  /**
   * `mayForward`: the lab may forward the order; null: as agreed with the lab. `namePasses`: the patient's name goes
   * with it. `labShares`: the lab may make links to the order.
   */
  mayForward: z.boolean().nullable().default(null),
  namePasses: z.boolean().default(false),
  labShares: z.boolean().default(false),
  noDigitalFiles: z.boolean().default(false),
  /** Studies of the patient that go along; their files take the role that fits. */
  studies: z.array(id).max(50).default([]),
  /** Finished uploads that are not studies. */
  uploads: z
    .array(z.object({ upload: id, role: z.enum(fileRoles) }))
    .max(orderRules.maxFiles)
    .default([]),
});

/** The fields that an answer to a question may change while the order is not yet accepted. */
export const rxChange = prescription.omit({
  patientId: true,
  targetIid: true,
  maskName: true,
  mayForward: true,
  namePasses: true,
  labShares: true,
  studies: true,
  uploads: true,
});

const partyInstitution = z.object({ iid: id, name: z.string(), number: z.string() });
export const orderFile = z.object({
  id,
  role: z.enum(shownRoles),
  name: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  studyId: id.nullable(),
  studyKind: z.string().nullable(),
  revisionId: id.nullable(),
  /** The message that it came with. */
  messageId: id.nullable(),
  /** Null while the reader may not take the original. */
  url: z.string().nullable(),
  glb: streamingCopy.nullable(),
  thumbnailUrl: z.string().nullable(),
  /** An image for the screen, for files that belong to no study. */
  pictureUrl: z.string().nullable(),
});
export const orderRow = z.object({
  id,
  number: z.string(),
  state,
  turn: z.enum(["sender", "receiver", "nobody"]),
  step: z.enum(["preparing", "submitted", "returned", "production", "uploading", "send_failed"]),
  /** The side that prepares a transfer while the order awaits sending. */
  holder: z.enum(["sender", "receiver"]),
  schemeRevision: z.int(),
  designRevision: z.int(),
  caseType: z.enum(caseTypes),
  patientName: z.string(),
  patientNumber: z.string(),
  teeth: z.array(z.int()),
  /** The ordered work, by which people call the order. */
  work: z.array(orderItem.pick({ teeth: true, kind: true, material: true, shade: true })),
  sender: partyInstitution,
  receiver: partyInstitution.nullable(),
  /** The person who created the order, possibly an assistant of the responsible dentist. */
  creatorName: z.string(),
  /** The dentist who answers for the order and decides on it. */
  responsibleName: z.string(),
  assigneeName: z.string().nullable(),
  /** Null for the sender, who knows the assignee by name. */
  assigneeId: id.nullable(),
  dueDate: day.nullable(),
  promisedDate: day.nullable(),
  createdAt: instant,
  updatedAt: instant,
  mine: z.enum(["sender", "receiver"]),
  myTurn: z.boolean(),
  /** Messages of the other side that the reader has not seen. */
  unread: z.int(),
  version,
});
export type OrderRow = z.output<typeof orderRow>;

export const order = z.object({
  ...orderRow.shape,
  /** Null for the receiver, who knows the responsible dentist by name. */
  responsibleId: id.nullable(),
  /** Null where the reader may not know it: before the order was handed over, and after it was refused or cancelled. */
  contacts: z.object({ sender: orderContact.nullable(), receiver: orderContact.nullable() }),
  /** Null for a reader who does not own the patient record. */
  patientId: id.nullable(),
  prescription: prescription.omit({ patientId: true, uploads: true, studies: true }),
  rxRevision: z.int(),
  files: z.array(orderFile),
  revisions: z.array(orderRevision),
  events: z.array(orderEvent),
  messages: z.array(orderMessage),
  readings: z.array(orderReading),
  shipment: z
    .object({
      carrier: z.string().nullable(),
      trackingNumber: z.string().nullable(),
      handDelivery: z.boolean(),
      at: instant,
    })
    .nullable(),
  infoRequest: z.string().nullable(),
  cancelRequest: z.string().nullable(),
  /** The prescription that the sender proposes, until the lab has decided. */
  proposal: z.object({ ...proposalHead, prescription: rxChange, files: z.array(orderFile) }).nullable(),
  family: relatedOrders,
  missing: z.array(z.string()),
  actions: z.array(z.enum(actions)),
  mayChat: z.boolean(),
  ...orderSharing.shape,
});
export type Order = z.output<typeof order>;

export const orderCalls = {
  list: call({
    method: "GET",
    path: "/v1/order/list",
    access: caseRoles,
    summary: "Orders that this organisation sent or received; behind a cursor a page costs what the first one does.",
    audit: "order.list",
    input: z.object({ ...pagingParameters, cursor: text(400).optional(), ...orderFilter, ...orderSorting }),
    output: pageOf(orderRow),
  }),
  ...orderCountCalls,
  detail: call({
    method: "GET",
    path: "/v1/order/detail",
    access: caseRoles,
    summary:
      "One order with its prescription, files, revisions, timeline, messages and the actions open to the reader.",
    audit: "order.read",
    input: z.object({ id }),
    output: order,
  }),
  save: call({
    method: "POST",
    path: "/v1/order/save",
    access: clinicRoles,
    summary: "Makes a draft or changes one; with `send` it is submitted in the same transaction.",
    isIdempotent: true,
    audit: "order.save",
    input: prescription.extend({
      id: id.optional(),
      version: version.optional(),
      /** The member responsible for the order. If omitted: the creator of a new order, the previous one of a draft. */
      responsibleId: id.optional(),
      send: z.boolean().default(false),
    }),
    output: order,
  }),
  step: call({
    method: "POST",
    path: "/v1/order/step",
    access: caseRoles,
    summary: "Moves an order by one action of its life cycle.",
    isIdempotent: true,
    audit: "order.step",
    input: z.object({
      id,
      action: z.enum(actions),
      version,
      reason: text(2000).optional(),
      text: text(4000).optional(),
      files: z
        .array(z.object({ upload: id, role: z.enum(fileRoles) }))
        .max(orderRules.maxFiles)
        .optional(),
      revisionHash: text(80).optional(),
      carrier: text(80).optional(),
      trackingNumber: text(80).optional(),
      handDelivery: z.boolean().optional(),
      promisedDate: day.optional(),
      assigneeId: id.optional(),
      targetIid: id.optional(),
      approve: z.boolean().optional(),
      prescription: rxChange.optional(),
      reasonCode: z.enum([...new Set([...cancelReasons, ...refusalReasons])]).optional(),
      faults: z.array(designFault).max(orderRules.maxItems).optional(),
      /** For a forward: the work goes straight to the sender, and `showName` lets the sender see who makes it. */
      straight: z.boolean().optional(),
      showName: z.boolean().optional(),
      /** Submits the design that came from the order by which this one was passed on. */
      delivered: z.boolean().optional(),
    }),
    output: order.nullable(),
  }),
  message: call({
    method: "POST",
    path: "/v1/order/message",
    access: caseRoles,
    summary: "Says something to the other side of an order.",
    isIdempotent: true,
    audit: "order.message",
    input: messageInput,
    output: orderMessage,
  }),
  copy: call({
    method: "POST",
    path: "/v1/order/copy",
    access: clinicRoles,
    summary: "Makes a new draft with the same prescription.",
    isIdempotent: true,
    audit: "order.copy",
    input: z.object({ id }),
    output: order,
  }),
} as const;

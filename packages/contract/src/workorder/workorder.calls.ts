import { z } from "zod";
import { call } from "../kernel/call.ts";
import { flag, id, instant, listOf, nothing, paging, required, text, version } from "../kernel/fields.ts";
import { offeredLanguages } from "../kernel/languages.ts";
import { clinicRoles, serviceRoles } from "../kernel/roles.ts";
import { deviceRules } from "../device/device.rules.ts";
import { workorderCycle, workorderStates, workorderSteps } from "./workorder.cycle.ts";
import type { WorkorderAction } from "./workorder.cycle.ts";
import { workorderFileRoles, workorderRules, workorderTypes } from "./workorder.rules.ts";

const { textMost } = workorderRules;
const { textMost: deviceText } = deviceRules;
const actions = Object.keys(workorderCycle.steps) as [WorkorderAction, ...WorkorderAction[]];
const readers = [...serviceRoles, ...clinicRoles] as const;
const person = z.object({ id, name: z.string() });

const row = z.object({
  id,
  number: z.string(),
  type: z.enum(workorderTypes),
  state: z.enum(workorderStates),
  clinic: z.object({ id, name: z.string() }),
  device: z.object({ id: id.nullable(), product: z.string(), model: z.string(), serialNumber: z.string() }),
  description: z.string(),
  assignee: person.nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  outcome: z.enum(["done", "void"]).nullable(),
  /** Not yet opened by the caller. */
  unread: z.boolean(),
  /** The party whose turn it is; null if nothing is left to do. */
  turn: z.enum(["assignee", "admin"]).nullable(),
  version,
});
export type WorkorderRow = z.output<typeof row>;

export const workorderFile = z.object({
  id,
  role: z.enum(workorderFileRoles),
  name: z.string(),
  bytes: z.int(),
  /** For an incomplete upload: the number of bytes received. */
  offset: z.int(),
  isHere: z.boolean(),
  mayRemove: z.boolean(),
  /** Small and large copies of an image, without the camera's metadata; null until they are made. */
  thumbnail: z.string().nullable(),
  shown: z.string().nullable(),
  url: z.string().nullable(),
});
export type WorkorderFile = z.output<typeof workorderFile>;

const part = z.object({ name: required(80), number: text(60).default(""), quantity: z.int().min(1).max(999) });
export type WorkorderPart = z.output<typeof part>;

const logEntry = z.object({
  id,
  time: instant,
  who: z.string().nullable(),
  /** A step of the order, or (null) something written down. */
  action: z.enum(actions).nullable(),
  to: z.enum(workorderStates).nullable(),
  text: z.string().nullable(),
  /** Kept from the clinic. */
  isInternal: z.boolean(),
});
export type WorkorderEntry = z.output<typeof logEntry>;

const detail = row.extend({
  /** The clinic's contact. */
  contact: z.string(),
  contactPhone: z.string(),
  alternateContact: z.string().nullable(),
  alternatePhone: z.string().nullable(),
  address: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  toClinic: z.object({ id, name: z.string() }).nullable(),
  toAddress: z.string().nullable(),
  /** The substitute for the assignee; null for the clinic. */
  alternate: person.nullable(),
  reporter: z.string().nullable(),
  reportedBy: z.enum(["clinic", "service"]),
  startedAt: instant.nullable(),
  submittedAt: instant.nullable(),
  closesAt: instant.nullable(),
  reworkCount: z.int(),
  reviewer: z.string().nullable(),
  /** Null to the clinic until the work was accepted. */
  finish: z.object({ serialNumber: z.string(), description: z.string(), parts: z.array(part) }).nullable(),
  files: z.array(workorderFile),
  log: z.array(logEntry),
  actions: z.array(z.enum(workorderSteps)),
  may: z.object({ finish: z.boolean(), note: z.boolean(), report: z.boolean() }),
});
export type Workorder = z.output<typeof detail>;

export const workorderCalls = {
  list: call({
    method: "GET",
    path: "/v1/workorder/list",
    access: readers,
    says: "Work orders, newest first: to after-sales members their own, to a clinic the clinic's; `reported` asks for those that the asker made or handed in.",
    input: z.object({
      mine: flag.default(false),
      reported: flag.default(false),
      state: z.enum(workorderStates).optional(),
      type: z.enum(workorderTypes).optional(),
      clinic: id.optional(),
      device: id.optional(),
      search: text(100).default(""),
      cursor: id.optional(),
      pageSize: paging.pageSize,
    }),
    output: listOf(row).extend({
      counts: z.record(z.enum(workorderStates), z.int()),
      /** The number of unread work orders among the open ones. */
      unread: z.int(),
    }),
  }),
  detail: call({
    method: "GET",
    path: "/v1/workorder/detail",
    access: readers,
    says: "A work order with its files, its log and the actions open to the asker; opening it marks it as read.",
    input: z.object({ id }),
    output: detail,
  }),
  choices: call({
    method: "GET",
    path: "/v1/workorder/choices",
    access: readers,
    says: "What a new work order can name: clinics found by name, the devices of one, and after-sales people.",
    input: z.object({ search: text(100).default(""), clinic: id.optional() }),
    output: z.object({
      clinics: z.array(
        z.object({
          id,
          name: z.string(),
          contact: z.string().nullable(),
          phone: z.string().nullable(),
          address: z.string().nullable(),
        }),
      ),
      devices: z.array(
        z.object({
          id,
          name: z.string().nullable(),
          product: z.string(),
          model: z.string(),
          serialNumber: z.string(),
        }),
      ),
      people: z.array(person.extend({ open: z.int() })),
    }),
  }),
  create: call({
    method: "POST",
    path: "/v1/workorder/create",
    access: ["afterSalesAdmin", "clinicAdmin"],
    says: "Makes a work order; a clinic reports a repair or a move of a device that is bound to it.",
    command: true,
    audit: "workorder.create",
    input: z.object({
      type: z.enum(workorderTypes),
      clinicId: id.optional(),
      deviceId: id.optional(),
      /** For a device that is not registered yet. */
      product: text(deviceText.product).optional(),
      model: text(deviceText.model).optional(),
      serialNumber: text(deviceText.serialNumber).optional(),
      description: required(textMost.description),
      contact: required(textMost.person),
      contactPhone: required(textMost.phone),
      alternateContact: text(textMost.person).optional(),
      alternatePhone: text(textMost.phone).optional(),
      trackingNumber: text(textMost.tracking).optional(),
      /** The destination of a device that moves. */
      toClinicId: id.optional(),
      toAddress: text(textMost.address).optional(),
      assigneeId: id.optional(),
      alternateId: id.optional(),
    }),
    output: detail,
  }),
  step: call({
    method: "POST",
    path: "/v1/workorder/step",
    access: ["afterSalesAdmin", "afterSalesMember"],
    says: "Moves a work order by one row of its table.",
    command: true,
    audit: "workorder.step",
    input: z.object({
      id,
      action: z.enum(workorderSteps),
      version,
      reason: text(textMost.reason).optional(),
      personId: id.optional(),
      alternateId: id.optional(),
    }),
    output: detail,
  }),
  assign: call({
    method: "POST",
    path: "/v1/workorder/assign",
    access: ["afterSalesAdmin"],
    says: "Gives several new work orders to one person, all or none.",
    command: true,
    audit: "workorder.assign",
    input: z.object({
      orders: z.array(z.object({ id, version })).min(1).max(workorderRules.assignMost),
      personId: id,
    }),
    output: z.object({ given: z.int() }),
  }),
  note: call({
    method: "POST",
    path: "/v1/workorder/note",
    access: ["afterSalesAdmin", "afterSalesMember"],
    says: "Writes something into the troubleshooting log; the clinic reads it unless it is internal.",
    command: true,
    audit: "workorder.note",
    input: z.object({ id, text: required(textMost.note), isInternal: z.boolean() }),
    output: detail,
  }),
  saveFinish: call({
    method: "POST",
    path: "/v1/workorder/saveFinish",
    access: ["afterSalesAdmin", "afterSalesMember"],
    says: "Keeps what is written of the finished work: the serial number as it was read, a description, the parts used.",
    command: true,
    audit: "workorder.saveFinish",
    input: z.object({
      id,
      version,
      serialNumber: text(deviceText.serialNumber),
      description: text(textMost.description),
      parts: z.array(part).max(workorderRules.partsMost),
    }),
    output: detail,
  }),
  addFile: call({
    method: "POST",
    path: "/v1/workorder/addFile",
    access: ["afterSalesAdmin", "afterSalesMember", "clinicAdmin"],
    says: "Announces a file; its bytes follow in pieces by PUT /work-order-files/{id}.",
    command: true,
    audit: "workorder.addFile",
    input: z.object({
      id,
      role: z.enum(workorderFileRoles),
      name: required(200),
      bytes: z.int().min(1),
    }),
    output: workorderFile,
  }),
  removeFile: call({
    method: "POST",
    path: "/v1/workorder/removeFile",
    access: ["afterSalesAdmin", "afterSalesMember", "clinicAdmin"],
    says: "Takes a file away again, while its order may still be changed.",
    audit: "workorder.removeFile",
    input: z.object({ id, fileId: id }),
    output: nothing,
  }),
  paper: call({
    method: "GET",
    path: "/v1/workorder/paper",
    access: readers,
    says: "The address of a finished work order as a PDF, good for five minutes.",
    audit: "workorder.paper",
    input: z.object({ id, lang: z.enum(offeredLanguages).optional() }),
    output: z.object({ url: z.string() }),
  }),
} as const;

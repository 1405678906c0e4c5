import { z } from "zod";
import { call } from "../kernel/call.ts";
import {
  booleanParameter,
  id,
  pageOf,
  nullOutput,
  pagingParameters,
  required,
  text,
  timestampInput,
  version,
} from "../kernel/fields.ts";
import { timeZoneName } from "../kernel/time-zone.ts";
import { offeredLanguages } from "../kernel/languages.ts";
import { clinicRoles, serviceRoles } from "../kernel/roles.ts";
import { deviceRules } from "../device/device.rules.ts";
import { workorderStates, workorderSteps } from "./workorder.lifecycle.ts";
import { workorderFileRoles, workorderRules, workorderSorts, workorderTypes } from "./workorder.rules.ts";
import { personSummary, workorderDetail, workorderFile, workorderPart, workorderRow } from "./workorder.schema.ts";

const { maxTextLength } = workorderRules;
const { maxTextLength: deviceText } = deviceRules;
const readerRoles = [...serviceRoles, ...clinicRoles] as const;

const listFilter = {
  mine: booleanParameter.default(false),
  reported: booleanParameter.default(false),
  state: z.enum(workorderStates).optional(),
  type: z.enum(workorderTypes).optional(),
  clinic: id.optional(),
  device: id.optional(),
  search: text(100).default(""),
  sort: z.enum(workorderSorts).default("created"),
  way: z.enum(["up", "down"]).optional(),
};

export const workorderCalls = {
  list: call({
    method: "GET",
    path: "/v1/workorder/list",
    access: readerRoles,
    summary:
      "Work orders, newest first or by their appointment: to after-sales members their own, to a clinic the clinic's; `reported` asks for those that the asker made or handed in.",
    input: z.object({
      ...listFilter,
      cursor: id.optional(),
      pageSize: pagingParameters.pageSize,
    }),
    output: pageOf(workorderRow).extend({
      counts: z.record(z.enum(workorderStates), z.int()),
      /** The number of unread work orders among the open ones. */
      unread: z.int(),
    }),
  }),
  export: call({
    method: "GET",
    path: "/v1/workorder/export",
    access: readerRoles,
    summary:
      "The address of the work orders under these filters as a spreadsheet (xlsx), good for five minutes; the 20,000 first ones.",
    audit: "workorder.export",
    input: z.object({
      ...listFilter,
      /** The clock by which times are written for a reader outside an institution; UTC without it. */
      timeZone: timeZoneName.optional(),
    }),
    output: z.object({ url: z.string() }),
  }),
  planned: call({
    method: "GET",
    path: "/v1/workorder/planned",
    access: ["afterSalesAdmin", "afterSalesMember"],
    summary:
      "Open work orders whose appointment at the clinic is before an instant, the earliest first: to a member those assigned to them, to a manager all.",
    input: z.object({ before: timestampInput }),
    output: z.object({ list: z.array(workorderRow), total: z.int() }),
  }),
  plan: call({
    method: "POST",
    path: "/v1/workorder/plan",
    access: ["afterSalesAdmin", "afterSalesMember"],
    summary: "Plans the appointment at the clinic, or takes it back with null; the clinic sees it.",
    isIdempotent: true,
    audit: "workorder.plan",
    input: z.object({ id, version, plannedAt: timestampInput.nullable() }),
    output: workorderDetail,
  }),
  calendar: call({
    method: "GET",
    path: "/v1/workorder/calendar",
    access: readerRoles,
    summary:
      "The appointment as a calendar file (RFC 5545). Its UID stays the same and its SEQUENCE counts the changes, so that a calendar moves the entry that it has.",
    input: z.object({ id }),
    output: z.object({ name: z.string(), text: z.string() }),
  }),
  detail: call({
    method: "GET",
    path: "/v1/workorder/detail",
    access: readerRoles,
    summary: "A work order with its files, its log and the actions open to the asker; opening it marks it as read.",
    input: z.object({ id }),
    output: workorderDetail,
  }),
  choices: call({
    method: "GET",
    path: "/v1/workorder/choices",
    access: readerRoles,
    summary: "What a new work order can name: clinics found by name, the devices of one, and after-sales people.",
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
      people: z.array(personSummary.extend({ open: z.int() })),
    }),
  }),
  create: call({
    method: "POST",
    path: "/v1/workorder/create",
    access: ["afterSalesAdmin", "clinicAdmin"],
    summary: "Makes a work order; a clinic reports a repair or a move of a device that is bound to it.",
    isIdempotent: true,
    audit: "workorder.create",
    input: z.object({
      type: z.enum(workorderTypes),
      clinicId: id.optional(),
      deviceId: id.optional(),
      /** For a device that is not registered yet. */
      product: text(deviceText.product).optional(),
      model: text(deviceText.model).optional(),
      serialNumber: text(deviceText.serialNumber).optional(),
      description: required(maxTextLength.description),
      contact: required(maxTextLength.person),
      contactPhone: required(maxTextLength.phone),
      alternateContact: text(maxTextLength.person).optional(),
      alternatePhone: text(maxTextLength.phone).optional(),
      trackingNumber: text(maxTextLength.tracking).optional(),
      /** The destination of a device that moves. */
      toClinicId: id.optional(),
      toAddress: text(maxTextLength.address).optional(),
      assigneeId: id.optional(),
      alternateId: id.optional(),
    }),
    output: workorderDetail,
  }),
  step: call({
    method: "POST",
    path: "/v1/workorder/step",
    access: ["afterSalesAdmin", "afterSalesMember"],
    summary: "Moves a work order by one row of its table.",
    isIdempotent: true,
    audit: "workorder.step",
    input: z.object({
      id,
      action: z.enum(workorderSteps),
      version,
      reason: text(maxTextLength.reason).optional(),
      personId: id.optional(),
      alternateId: id.optional(),
    }),
    output: workorderDetail,
  }),
  assign: call({
    method: "POST",
    path: "/v1/workorder/assign",
    access: ["afterSalesAdmin"],
    summary: "Gives several new work orders to one person, all or none.",
    isIdempotent: true,
    audit: "workorder.assign",
    input: z.object({
      orders: z.array(z.object({ id, version })).min(1).max(workorderRules.maxAssignments),
      personId: id,
    }),
    output: z.object({ given: z.int() }),
  }),
  note: call({
    method: "POST",
    path: "/v1/workorder/note",
    access: ["afterSalesAdmin", "afterSalesMember"],
    summary: "Writes something into the troubleshooting log; the clinic reads it unless it is internal.",
    isIdempotent: true,
    audit: "workorder.note",
    input: z.object({ id, text: required(maxTextLength.note), isInternal: z.boolean() }),
    output: workorderDetail,
  }),
  saveFinish: call({
    method: "POST",
    path: "/v1/workorder/saveFinish",
    access: ["afterSalesAdmin", "afterSalesMember"],
    summary:
      "Keeps what is written of the finished work: the serial number as it was read, a description, the parts used.",
    isIdempotent: true,
    audit: "workorder.saveFinish",
    input: z.object({
      id,
      version,
      serialNumber: text(deviceText.serialNumber),
      description: text(maxTextLength.description),
      parts: z.array(workorderPart).max(workorderRules.maxParts),
    }),
    output: workorderDetail,
  }),
  addFile: call({
    method: "POST",
    path: "/v1/workorder/addFile",
    access: ["afterSalesAdmin", "afterSalesMember", "clinicAdmin"],
    summary: "Announces a file; its bytes follow in pieces by PUT /work-order-files/{id}.",
    isIdempotent: true,
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
    summary: "Takes a file away again, while its order may still be changed.",
    audit: "workorder.removeFile",
    input: z.object({ id, fileId: id }),
    output: nullOutput,
  }),
  paper: call({
    method: "GET",
    path: "/v1/workorder/paper",
    access: readerRoles,
    summary: "The address of a finished work order as a PDF, good for five minutes.",
    audit: "workorder.paper",
    input: z.object({ id, lang: z.enum(offeredLanguages).optional() }),
    output: z.object({ url: z.string() }),
  }),
} as const;

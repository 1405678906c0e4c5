import { z } from "zod";
import { id, instant, required, text, version } from "../kernel/fields.ts";
import { workorderLifecycle, workorderStates, workorderSteps } from "./workorder.lifecycle.ts";
import type { WorkorderAction } from "./workorder.lifecycle.ts";
import { workorderFileRoles, workorderTypes } from "./workorder.rules.ts";

const actions = Object.keys(workorderLifecycle.steps) as [WorkorderAction, ...WorkorderAction[]];
export const personSummary = z.object({ id, name: z.string() });

export const workorderRow = z.object({
  id,
  number: z.string(),
  type: z.enum(workorderTypes),
  state: z.enum(workorderStates),
  clinic: z.object({ id, name: z.string() }),
  device: z.object({ id: id.nullable(), product: z.string(), model: z.string(), serialNumber: z.string() }),
  description: z.string(),
  assignee: personSummary.nullable(),
  createdAt: instant,
  /** The appointment at the clinic. */
  plannedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  outcome: z.enum(["done", "void"]).nullable(),
  /** Not yet opened by the caller. */
  unread: z.boolean(),
  /** The party whose turn it is; null if nothing is left to do. */
  turn: z.enum(["assignee", "admin"]).nullable(),
  version,
});
export type WorkorderRow = z.output<typeof workorderRow>;

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

export const workorderPart = z.object({
  name: required(80),
  number: text(60).default(""),
  quantity: z.int().min(1).max(999),
});
export type WorkorderPart = z.output<typeof workorderPart>;

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

export const workorderDetail = workorderRow.extend({
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
  alternate: personSummary.nullable(),
  reporter: z.string().nullable(),
  reportedBy: z.enum(["clinic", "service"]),
  startedAt: instant.nullable(),
  submittedAt: instant.nullable(),
  closesAt: instant.nullable(),
  reworkCount: z.int(),
  reviewer: z.string().nullable(),
  /** Null to the clinic until the work was accepted. */
  finish: z.object({ serialNumber: z.string(), description: z.string(), parts: z.array(workorderPart) }).nullable(),
  files: z.array(workorderFile),
  log: z.array(logEntry),
  actions: z.array(z.enum(workorderSteps)),
  may: z.object({ finish: z.boolean(), note: z.boolean(), report: z.boolean(), plan: z.boolean() }),
});
export type Workorder = z.output<typeof workorderDetail>;

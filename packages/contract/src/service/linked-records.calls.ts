import { z } from "zod";
import { call } from "../kernel/call.ts";
import { deviceStates } from "../device/device.lifecycle.ts";
import { feedbackStates } from "../feedback/feedback.lifecycle.ts";
import { feedbackPages } from "../feedback/feedback.rules.ts";
import { id, instant, required } from "../kernel/fields.ts";
import { serviceRoles } from "../kernel/roles.ts";
import { packageStates } from "../upgrade/upgrade.rules.ts";
import { workorderStates } from "../workorder/workorder.lifecycle.ts";
import { workorderTypes } from "../workorder/workorder.rules.ts";

/** The kinds of records that can be linked to each other. */
export const linkedRecordKinds = ["device", "clinic", "version", "feedback", "workorder", "package"] as const;
export type LinkedRecordKind = (typeof linkedRecordKinds)[number];
export const linkedRecordLimits = { default: 5, all: 100 } as const;

/** `total` includes those that are not in the list, because there are many or they are others' work. */
const partialList = <T extends z.ZodType>(row: T) => z.object({ total: z.int(), list: z.array(row) });
export const linkedRecords = z.object({
  device: partialList(
    z.object({
      id,
      product: z.string(),
      model: z.string(),
      serialNumber: z.string(),
      softwareVersion: z.string().nullable(),
      state: z.enum(deviceStates),
    }),
  ),
  clinic: partialList(z.object({ id, name: z.string(), number: z.string() })),
  version: partialList(z.object({ product: z.string(), version: z.string(), devices: z.int() })),
  feedback: partialList(
    z.object({
      id,
      number: z.int(),
      page: z.enum(feedbackPages),
      says: z.string(),
      state: z.enum(feedbackStates),
      fixedIn: z.string().nullable(),
    }),
  ),
  workorder: partialList(
    z.object({
      id,
      number: z.string(),
      type: z.enum(workorderTypes),
      state: z.enum(workorderStates),
      createdAt: instant,
    }),
  ),
  package: partialList(
    z.object({ id, name: z.string(), product: z.string(), version: z.string(), state: z.enum(packageStates) }),
  ),
});
export type LinkedRecords = z.output<typeof linkedRecords>;

/** A version of a product's software as one word; a version holds no "@". */
export const createVersionId = (product: string, version: string): string => `${product}@${version}`;
export function parseVersionId(text: string): { product: string; version: string } | null {
  const [, product, version] = /^(.+)@([^@]+)$/s.exec(text) ?? [];
  return product !== undefined && version !== undefined ? { product, version } : null;
}

export const serviceCalls = {
  trail: call({
    method: "GET",
    path: "/v1/service/trail",
    access: serviceRoles,
    summary:
      "What belongs to a device, clinic, software version (product@version), feedback, work order or package: the other five, each with its total. Of work orders a member finds their own by name.",
    input: z.object({
      of: z.enum(linkedRecordKinds),
      id: required(140),
      most: z.coerce.number().int().min(1).max(linkedRecordLimits.all).default(linkedRecordLimits.default),
    }),
    output: linkedRecords.partial(),
  }),
} as const;

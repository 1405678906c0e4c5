import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, emptyObject, nullOutput, required } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { prescription } from "./order.calls.ts";
import { guideNames, itemKinds, materials } from "./prescription.choices.ts";
import type { ShadeGuide } from "./prescription.choices.ts";
import { caseTypes } from "./order.rules.ts";

export const templateRules = { maxNameLength: 60, max: 100, maxDueDays: 365 } as const;

/** The values that a template sets in an order; null: not set. */
export const templateContent = z.object({
  caseType: z.enum(caseTypes).nullable().default(null),
  /** `kind`, `material` and `shadeGuide` apply to each new item. */
  kind: z.enum(itemKinds).nullable().default(null),
  material: z.enum(materials).nullable().default(null),
  shadeGuide: z.enum<[ShadeGuide, ...ShadeGuide[]]>(guideNames).nullable().default(null),
  workKinds: prescription.shape.workKinds.nullable().default(null),
  implantSystem: prescription.shape.implantSystem,
  fixType: prescription.shape.fixType,
  instructions: prescription.shape.instructions,
  schemeRequired: z.boolean().nullable().default(null),
  maskName: z.boolean().nullable().default(null),
  /** Days from the order to its due date. */
  dueDays: z.int().min(1).max(templateRules.maxDueDays).nullable().default(null),
});
export type TemplateContent = z.output<typeof templateContent>;

const template = z.object({
  id,
  name: z.string(),
  /** Everyone in the clinic sees it; else its writer alone. */
  forAll: z.boolean(),
  targetIid: id.nullable(),
  /** Fills empty fields as soon as its lab is chosen. */
  isDefault: z.boolean(),
  content: templateContent,
  /** True if the caller may change and remove it. */
  mayChange: z.boolean(),
});
export type Template = z.output<typeof template>;

export const templateCalls = {
  list: call({
    method: "GET",
    path: "/v1/order/templates",
    access: clinicRoles,
    summary: "The prescription templates that the asker may use: own ones and the clinic's.",
    input: emptyObject,
    output: z.array(template),
  }),
  save: call({
    method: "POST",
    path: "/v1/order/saveTemplate",
    access: clinicRoles,
    summary: "Keeps a prescription template, or changes one. A new default for a lab takes the old one's place.",
    isIdempotent: true,
    input: z.object({
      id: id.optional(),
      name: required(templateRules.maxNameLength),
      forAll: z.boolean(),
      targetIid: id.nullable().default(null),
      isDefault: z.boolean().default(false),
      content: templateContent,
    }),
    output: template,
  }),
  remove: call({
    method: "POST",
    path: "/v1/order/removeTemplate",
    access: clinicRoles,
    summary: "Removes a prescription template; orders that were written with it stay as they are.",
    isIdempotent: true,
    input: z.object({ id }),
    output: nullOutput,
  }),
} as const;

import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject } from "../kernel/fields.ts";
import { managerRoles } from "../kernel/roles.ts";

/**
 * The steps with which a new organisation begins, in the order of the list. A laboratory has no patients of its own, and
 * no document shows its logo.
 */
export const firstStepsByType = {
  clinic: ["patient", "invite", "partner", "logo", "notices"],
  lab: ["partner", "invite", "contact", "notices"],
} as const;
export const firstStepNames = ["patient", "invite", "partner", "contact", "logo", "notices"] as const;
export type FirstStep = (typeof firstStepNames)[number];

const firstSteps = z.object({
  /** `done` follows from the organisation's data, not from clicks. */
  steps: z.array(z.object({ step: z.enum(firstStepNames), done: z.boolean() })),
  /** The managers have dismissed the list. */
  hidden: z.boolean(),
});

export const firstStepCalls = {
  firstSteps: call({
    method: "GET",
    path: "/v1/institution/firstSteps",
    access: managerRoles,
    summary: "The first steps of the session's organisation, and which of them are done.",
    input: emptyObject,
    output: firstSteps,
  }),
  hideFirstSteps: call({
    method: "POST",
    path: "/v1/institution/hideFirstSteps",
    access: managerRoles,
    summary: "Dismisses the list of first steps, or shows it again.",
    input: z.object({ hidden: z.boolean() }),
    output: firstSteps,
  }),
} as const;

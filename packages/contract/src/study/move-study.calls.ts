import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, required } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { studyRow } from "./study.schema.ts";
import { studyRules } from "./study.rules.ts";

export const moveStudyCalls = {
  move: call({
    method: "POST",
    path: "/v1/study/move",
    access: clinicRoles,
    summary: "Moves a study from the patient at whom it was seen to another; the reason stays in the audit trail.",
    isIdempotent: true,
    audit: "study.move",
    input: z.object({
      id,
      from: id,
      patientId: id,
      reason: required(studyRules.maxReasonLength),
      acceptMismatch: z.boolean().default(false),
    }),
    output: studyRow,
  }),
} as const;

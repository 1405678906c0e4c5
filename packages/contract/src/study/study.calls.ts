import { z } from "zod";
import { call } from "../kernel/call.ts";
import { booleanParameter, id, nullOutput } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";
import { kind, studyRow, study } from "./study.schema.ts";
import { chosenKind } from "./study.schema.ts";
import { studyRules } from "./study.rules.ts";

export const studyCalls = {
  list: call({
    method: "GET",
    path: "/v1/study/list",
    access: clinicRoles,
    summary: "The studies of one patient.",
    audit: "study.list",
    input: z.object({ patientId: id, kind: kind.optional() }),
    output: z.array(studyRow),
  }),
  detail: call({
    method: "GET",
    path: "/v1/study/detail",
    access: caseRoles,
    summary: "One study with its series and the addresses of what viewers show. A lab sees those of its orders.",
    audit: "study.read",
    // Briefly: of a volume's files only the first, and those that are shown or faulty by themselves.
    input: z.object({ id, brief: booleanParameter.optional() }),
    output: study,
  }),
  attach: call({
    method: "POST",
    path: "/v1/study/attach",
    access: clinicRoles,
    summary: "Gives a study of the inbox its patient, or changes a study's kind.",
    isIdempotent: true,
    audit: "study.attach",
    input: z.object({
      id,
      patientId: id.optional(),
      kind: chosenKind.optional(),
      /** The files name another person, but belong to this patient nevertheless. */
      acceptMismatch: z.boolean().default(false),
    }),
    output: studyRow,
  }),
  confirmKinds: call({
    method: "POST",
    path: "/v1/study/confirmKinds",
    access: clinicRoles,
    summary:
      "Confirms the guessed kinds of several studies of one patient. A study whose kind has changed stays a guess.",
    isIdempotent: true,
    audit: "study.attach",
    input: z.object({
      patientId: id,
      /** Each study with the kind that the user saw. */
      studies: z
        .array(z.object({ id, kind: chosenKind }))
        .min(1)
        .max(studyRules.maxConfirmedKinds),
    }),
    output: z.object({ confirmed: z.int() }),
  }),
  remove: call({
    method: "POST",
    path: "/v1/study/remove",
    access: clinicRoles,
    summary: "Moves a study to the bin for 30 days.",
    isIdempotent: true,
    audit: "study.remove",
    input: z.object({ id }),
    output: nullOutput,
  }),
} as const;

import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { studyStates } from "./study.rules.ts";

/**
 * The progress of the derived files for viewers. `isShown`: a volume can be viewed already. `again`: the files are
 * being made once more; the owning institution may stop that by `job`.
 */
export const conversion = z.object({
  state: z.enum(studyStates),
  isShown: z.boolean(),
  again: z.boolean(),
  job: id.nullable(),
  progress: z.number(),
});
export type Conversion = z.output<typeof conversion>;

export const conversionCalls = {
  convert: call({
    method: "POST",
    path: "/v1/study/convert",
    access: caseRoles,
    summary:
      "Makes a study's files for viewers again, where they were removed or could not be made; asked again, it goes on.",
    isIdempotent: true,
    audit: "study.convert",
    input: z.object({ id }),
    output: conversion,
  }),
  conversion: call({
    method: "GET",
    path: "/v1/study/conversion",
    access: caseRoles,
    summary: "How far the making of a study's files for viewers is.",
    input: z.object({ id }),
    output: conversion,
  }),
} as const;

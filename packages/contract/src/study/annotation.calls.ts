import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, versionParameter, int32 } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";
import { annotation } from "./annotation.ts";

export const annotationCalls = {
  marks: call({
    method: "GET",
    path: "/v1/study/marks",
    access: caseRoles,
    summary: "Measurements and annotations of a study, as they are or as they were in a version.",
    audit: "study.read",
    input: z.object({ id, version: versionParameter.optional() }),
    output: z.object({ version: z.int(), marks: z.array(annotation) }),
  }),
  markVersions: call({
    method: "GET",
    path: "/v1/study/markVersions",
    access: clinicRoles,
    summary:
      "Earlier states of a study's measurements and annotations, the latest first: one for each person and ten minutes.",
    audit: "study.read",
    input: z.object({ id }),
    output: z.array(z.object({ version: z.int(), savedAt: instant, savedBy: z.string(), count: z.int() })),
  }),
  saveMarks: call({
    method: "POST",
    path: "/v1/study/saveMarks",
    access: clinicRoles,
    summary: "Saves measurements and annotations, from the version that was seen.",
    audit: "study.mark",
    input: z.object({ id, version: int32, marks: z.array(annotation).max(500) }),
    output: z.object({ version: z.int(), marks: z.array(annotation) }),
  }),
} as const;

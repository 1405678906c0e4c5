import { z } from "zod";
import { fdiNumber } from "../chart/chart.schema.ts";
import { call } from "../kernel/call.ts";
import { id, instant, timestampInput, nullOutput, required, text, version } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { allTeeth } from "../kernel/tooth-numbers.ts";

export const visitRules = {
  maxPageSize: 50,
  maxFiles: 20,
  maxTextLength: 10_000,
  maxRemarkLength: 500,
  maxHoursAhead: 24,
} as const;

/** The parts of a medical record, in the order in which one is written. */
export const visitParts = ["complaint", "illness", "findings", "diagnosis", "treatment", "advice"] as const;
export type VisitPart = (typeof visitParts)[number];

const recordText = text(visitRules.maxTextLength).default("");
/** A tooth that the visit mentions. */
const toothRemark = z.object({ fdi: fdiNumber, remark: text(visitRules.maxRemarkLength).default("") });
export const visitContent = z.object({
  complaint: recordText,
  illness: recordText,
  findings: recordText,
  diagnosis: recordText,
  treatment: recordText,
  advice: recordText,
  marks: z
    .array(toothRemark)
    .max(allTeeth.length)
    .refine((marks) => new Set(marks.map((remark) => remark.fdi)).size === marks.length, "toothTwice")
    .default([]),
});
export type VisitContent = z.output<typeof visitContent>;

const personSummary = z.object({ id, name: z.string() });
export const visit = z.object({
  id,
  patientId: id,
  at: instant,
  dentist: personSummary,
  content: visitContent,
  files: z.array(z.object({ id, name: z.string(), bytes: z.number(), url: z.string() })),
  version,
  createdBy: personSummary,
  changedBy: personSummary,
  changedAt: instant,
  /** Set if the visit is in the bin. */
  removed: z.object({ at: instant, by: z.string(), reason: z.string() }).nullable(),
});
export type Visit = z.output<typeof visit>;

const hasContent = (content: VisitContent) =>
  visitParts.some((name) => content[name] !== "") || content.marks.length > 0;
const nonEmptyContent = visitContent.refine(hasContent, { path: ["complaint"], message: "visitEmpty" });
const visitForm = z.object({
  at: timestampInput.refine(
    (at) => Date.parse(at) <= Date.now() + visitRules.maxHoursAhead * 3_600_000,
    "timeInFuture",
  ),
  dentistId: id,
  content: nonEmptyContent,
  /** Uploads that become attachments. */
  uploads: z.array(id).max(visitRules.maxFiles).default([]),
});

export const visitCalls = {
  list: call({
    method: "GET",
    path: "/v1/visit/list",
    access: clinicRoles,
    summary: "A patient's visits, newest first; `which`: those that are there, or those in the bin.",
    audit: "visit.read",
    input: z.object({
      patientId: id,
      which: z.enum(["living", "removed"]).default("living"),
      cursor: text(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(visitRules.maxPageSize).default(20),
    }),
    output: z.object({ list: z.array(visit), next: z.string().nullable() }),
  }),
  create: call({
    method: "POST",
    path: "/v1/visit/create",
    access: clinicRoles,
    summary: "Writes down a visit.",
    isIdempotent: true,
    audit: "visit.create",
    input: visitForm.extend({ patientId: id }),
    output: visit,
  }),
  update: call({
    method: "POST",
    path: "/v1/visit/update",
    access: clinicRoles,
    summary:
      "Changes a visit, from the version that was seen; what it said before is kept. `keep`: the attachments that stay.",
    isIdempotent: true,
    audit: "visit.update",
    input: visitForm.extend({ id, version, keep: z.array(id).max(visitRules.maxFiles) }),
    output: visit,
  }),
  versions: call({
    method: "GET",
    path: "/v1/visit/versions",
    access: clinicRoles,
    summary: "What a visit said before it was changed, newest first.",
    audit: "visit.read",
    input: z.object({ id }),
    output: z.array(
      z.object({
        version,
        at: instant,
        dentist: personSummary,
        content: visitContent,
        savedBy: z.string(),
        savedAt: instant,
      }),
    ),
  }),
  remove: call({
    method: "POST",
    path: "/v1/visit/remove",
    access: clinicRoles,
    summary: "Moves a visit to the bin, with the reason.",
    isIdempotent: true,
    audit: "visit.remove",
    input: z.object({ id, version, reason: required(500) }),
    output: nullOutput,
  }),
  restore: call({
    method: "POST",
    path: "/v1/visit/restore",
    access: clinicRoles,
    summary: "Takes a visit out of the bin.",
    isIdempotent: true,
    audit: "visit.restore",
    input: z.object({ id }),
    output: visit,
  }),
} as const;

import { z } from "zod";
import { fdi } from "../chart/chart.shape.ts";
import { call } from "../kernel/call.ts";
import { id, instant, moment, nothing, required, text, version } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { allTeeth } from "../kernel/tooth.ts";

export const visitRules = { pageMost: 50, filesMost: 20, textMost: 10_000, markMost: 500, aheadHours: 24 } as const;

/** The parts of a medical record, in the order in which one is written. */
export const visitParts = ["complaint", "illness", "findings", "diagnosis", "treatment", "advice"] as const;
export type VisitPart = (typeof visitParts)[number];

const part = text(visitRules.textMost).default("");
/** A tooth that the visit mentions. */
const toothMark = z.object({ fdi, remark: text(visitRules.markMost).default("") });
export const visitContent = z.object({
  complaint: part,
  illness: part,
  findings: part,
  diagnosis: part,
  treatment: part,
  advice: part,
  marks: z
    .array(toothMark)
    .max(allTeeth.length)
    .refine((marks) => new Set(marks.map((mark) => mark.fdi)).size === marks.length, "toothTwice")
    .default([]),
});
export type VisitContent = z.output<typeof visitContent>;

const person = z.object({ id, name: z.string() });
export const visit = z.object({
  id,
  patientId: id,
  at: instant,
  dentist: person,
  content: visitContent,
  files: z.array(z.object({ id, name: z.string(), bytes: z.number(), url: z.string() })),
  version,
  createdBy: person,
  changedBy: person,
  changedAt: instant,
  /** Set if the visit is in the bin. */
  removed: z.object({ at: instant, by: z.string(), reason: z.string() }).nullable(),
});
export type Visit = z.output<typeof visit>;

const isSaid = (content: VisitContent) => visitParts.some((name) => content[name] !== "") || content.marks.length > 0;
const written = visitContent.refine(isSaid, { path: ["complaint"], message: "visitEmpty" });
const form = z.object({
  at: moment.refine((at) => Date.parse(at) <= Date.now() + visitRules.aheadHours * 3_600_000, "timeInFuture"),
  dentistId: id,
  content: written,
  /** Uploads that become attachments. */
  uploads: z.array(id).max(visitRules.filesMost).default([]),
});

export const visitCalls = {
  list: call({
    method: "GET",
    path: "/v1/visit/list",
    access: clinicRoles,
    says: "A patient's visits, newest first; `which`: those that are there, or those in the bin.",
    audit: "visit.read",
    input: z.object({
      patientId: id,
      which: z.enum(["living", "removed"]).default("living"),
      cursor: text(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(visitRules.pageMost).default(20),
    }),
    output: z.object({ list: z.array(visit), next: z.string().nullable() }),
  }),
  create: call({
    method: "POST",
    path: "/v1/visit/create",
    access: clinicRoles,
    says: "Writes down a visit.",
    command: true,
    audit: "visit.create",
    input: form.extend({ patientId: id }),
    output: visit,
  }),
  update: call({
    method: "POST",
    path: "/v1/visit/update",
    access: clinicRoles,
    says: "Changes a visit, from the version that was seen; what it said before is kept. `keep`: the attachments that stay.",
    command: true,
    audit: "visit.update",
    input: form.extend({ id, version, keep: z.array(id).max(visitRules.filesMost) }),
    output: visit,
  }),
  versions: call({
    method: "GET",
    path: "/v1/visit/versions",
    access: clinicRoles,
    says: "What a visit said before it was changed, newest first.",
    audit: "visit.read",
    input: z.object({ id }),
    output: z.array(
      z.object({
        version,
        at: instant,
        dentist: person,
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
    says: "Moves a visit to the bin, with the reason.",
    command: true,
    audit: "visit.remove",
    input: z.object({ id, version, reason: required(500) }),
    output: nothing,
  }),
  restore: call({
    method: "POST",
    path: "/v1/visit/restore",
    access: clinicRoles,
    says: "Takes a visit out of the bin.",
    command: true,
    audit: "visit.restore",
    input: z.object({ id }),
    output: visit,
  }),
} as const;

import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";

export const studyDownloadRules = {
  maxStudies: 200,
  /** Days after their last use at which copies without names are deleted. */
  retentionDays: 30,
} as const;

/** Reasons for which the pixels of a study may still name or show the patient. */
export const identifyingReasons = ["said", "capture", "ultrasound", "document", "overlay", "face"] as const;
export type IdentifyingReason = (typeof identifyingReasons)[number];
export const identifyingStudy = z.object({ studyId: id, reasons: z.array(z.enum(identifyingReasons)) });
export type IdentifyingStudy = z.output<typeof identifyingStudy>;

/** De-identified files, under another name; `moved`: all dates of one patient are shifted by the same days. */
export const deidentification = z.object({
  pseudonym: z
    .string()
    .trim()
    .max(32, { abort: true, error: "pseudonymOdd" })
    .regex(/^[A-Za-z0-9_. -]{1,32}$/, "pseudonymOdd")
    .optional(),
  dates: z.enum(["removed", "moved", "kept"]).default("removed"),
});
export type Deidentification = z.output<typeof deidentification>;

export const downloadStates = ["waiting", "running", "done", "failed"] as const;
export type DownloadState = (typeof downloadStates)[number];

export const studyDownloadCalls = {
  telling: call({
    method: "GET",
    path: "/v1/study/telling",
    access: clinicRoles,
    summary: "The patient's studies whose pixels may name or show them: de-identification does not change pixels.",
    input: z.object({ patientId: id }),
    output: z.array(identifyingStudy),
  }),
  download: call({
    method: "POST",
    path: "/v1/study/download",
    access: caseRoles,
    summary:
      "Prepares one archive of one patient's studies, as they came or de-identified; answers its short-lived address. A lab gets one study that an order brings, without names where they are hidden.",
    audit: "study.download",
    input: z.object({
      studies: z.array(id).min(1).max(studyDownloadRules.maxStudies),
      nameless: deidentification.optional(),
    }),
    output: z.object({ id, url: z.string(), files: z.int(), bytes: z.number() }),
  }),
  downloadState: call({
    method: "GET",
    path: "/v1/study/downloadState",
    access: caseRoles,
    summary: "How many files of an archive have been written.",
    input: z.object({ id }),
    output: z.object({ id, state: z.enum(downloadStates), files: z.int(), done: z.int() }),
  }),
} as const;

import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";

export const outgoingRules = {
  studiesMost: 200,
  /** Days after their last use at which copies without names are deleted. */
  keptDays: 30,
} as const;

/** Reasons for which the pixels of a study may still name or show the patient. */
export const tellingReasons = ["said", "capture", "ultrasound", "document", "overlay", "face"] as const;
export type TellingReason = (typeof tellingReasons)[number];
export const telling = z.object({ studyId: id, reasons: z.array(z.enum(tellingReasons)) });
export type Telling = z.output<typeof telling>;

/** De-identified files, under another name; `moved`: all dates of one patient are shifted by the same days. */
export const nameless = z.object({
  pseudonym: z
    .string()
    .trim()
    .max(32, { abort: true, error: "pseudonymOdd" })
    .regex(/^[A-Za-z0-9_. -]{1,32}$/, "pseudonymOdd")
    .optional(),
  dates: z.enum(["removed", "moved", "kept"]).default("removed"),
});
export type Nameless = z.output<typeof nameless>;

export const downloadStates = ["waiting", "running", "done", "failed"] as const;
export type DownloadState = (typeof downloadStates)[number];

export const outgoingCalls = {
  telling: call({
    method: "GET",
    path: "/v1/study/telling",
    access: clinicRoles,
    says: "The patient's studies whose pixels may name or show them: de-identification does not change pixels.",
    input: z.object({ patientId: id }),
    output: z.array(telling),
  }),
  download: call({
    method: "POST",
    path: "/v1/study/download",
    access: caseRoles,
    says: "Prepares one archive of one patient's studies, as they came or de-identified; answers its short-lived address. A lab gets one study that an order brings, without names where they are hidden.",
    audit: "study.download",
    input: z.object({
      studies: z.array(id).min(1).max(outgoingRules.studiesMost),
      nameless: nameless.optional(),
    }),
    output: z.object({ id, url: z.string(), files: z.int(), bytes: z.number() }),
  }),
  downloadState: call({
    method: "GET",
    path: "/v1/study/downloadState",
    access: caseRoles,
    says: "How many files of an archive have been written.",
    input: z.object({ id }),
    output: z.object({ id, state: z.enum(downloadStates), files: z.int(), done: z.int() }),
  }),
} as const;

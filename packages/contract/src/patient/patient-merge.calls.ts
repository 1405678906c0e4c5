import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, version } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { patient, patientRow } from "./patient.calls.ts";
import { mergeFields } from "./patient-fields.ts";

export const mergeRules = { undoDays: 30, maxCandidates: 20 } as const;

/** Reasons to suspect that two records are of one person, the strongest first. */
export const duplicateReasons = [
  "idNumber",
  "passport",
  "nameAndBirth",
  "nameAndPhone",
  "soundAndBirth",
  "name",
] as const;

export const mergeChoices = ["kept", "other", "both"] as const;
export type MergeChoice = (typeof mergeChoices)[number];

/** The contents of a patient's record besides its fields. */
export const patientContents = [
  "study",
  "order",
  "share",
  "mount",
  "visit",
  "consent",
  "chart",
  "tracing",
  "report",
] as const;
export type PatientContent = (typeof patientContents)[number];
const contentCounts = z.partialRecord(z.enum(patientContents), z.int());

export const patientMerge = z.object({
  id,
  /** The number of the record that was merged into this one. */
  number: z.string(),
  name: z.string(),
  by: z.string(),
  at: instant,
  /** The time until which it can be undone; null if it is over, or if a later merge blocks it. */
  until: instant.nullable(),
});
export type PatientMerge = z.output<typeof patientMerge>;

const recordPair = { keepId: id, otherId: id };

export const patientMergeCalls = {
  duplicates: call({
    method: "GET",
    path: "/v1/patient/duplicates",
    access: clinicRoles,
    summary: "Records that may be of the same person as this one, and why.",
    audit: "patient.read",
    input: z.object({ id }),
    output: z.array(patientRow.extend({ reason: z.enum(duplicateReasons) })),
  }),
  beside: call({
    method: "GET",
    path: "/v1/patient/beside",
    access: clinicRoles,
    summary:
      "Two records side by side before they become one: their fields, what would move, and what would stay hidden with the other record since the kept one has its own.",
    audit: "patient.read",
    input: z.object(recordPair),
    output: z.object({ kept: patient, other: patient, moves: contentCounts, stays: contentCounts }),
  }),
  merge: call({
    method: "POST",
    path: "/v1/patient/merge",
    access: clinicRoles,
    summary:
      "Makes one record of two: fields as chosen (unless chosen, the kept record's where it has one), everything that names the other patient. Can be undone for 30 days.",
    isIdempotent: true,
    audit: "patient.merge",
    input: z.object({
      ...recordPair,
      keepVersion: version,
      otherVersion: version,
      choices: z.partialRecord(z.enum(mergeFields), z.enum(mergeChoices)),
    }),
    output: patient,
  }),
  merges: call({
    method: "GET",
    path: "/v1/patient/merges",
    access: clinicRoles,
    summary: "Records that became part of this one and still are, the last first.",
    audit: "patient.read",
    input: z.object({ id }),
    output: z.array(patientMerge),
  }),
  unmerge: call({
    method: "POST",
    path: "/v1/patient/unmerge",
    access: clinicRoles,
    summary:
      "Takes the last merge of a record back: what moved returns, fields that nobody changed since are as they were. Answers the record that stands again.",
    isIdempotent: true,
    audit: "patient.unmerge",
    input: z.object({ id }),
    output: patient,
  }),
} as const;

import { z } from "zod";
import { accountRules } from "../account/account.rules.ts";
import { trustLevels } from "../analysis/trust-levels.ts";
import { passkeyResponse } from "../factor/factor.schema.ts";
import { call } from "../kernel/call.ts";
import { booleanParameter, id, instant, limited, pagingParameters, required, text, version } from "../kernel/fields.ts";
import { offeredLanguages } from "../kernel/languages.ts";
import { clinicRoles, dentistRoles } from "../kernel/roles.ts";
import { studyKinds } from "../study/study.rules.ts";
import { reportLifecycle, reportSources, reportStates, reportSteps } from "./report.lifecycle.ts";
import type { ReportAction } from "./report.lifecycle.ts";
import { reportChanges, reportContent, reportForm, reportParts, reportProblem, reportRules } from "./report.schema.ts";

const actions = Object.keys(reportLifecycle.steps) as [ReportAction, ...ReportAction[]];

export const reportRow = z.object({
  id,
  patientId: id,
  patientName: z.string(),
  number: z.string(),
  source: z.enum(reportSources),
  state: z.enum(reportStates),
  score: z.int().nullable(),
  createdAt: instant,
  savedAt: instant,
  writer: z.string(),
  signer: z.string().nullable(),
  signedAt: instant.nullable(),
});
export type ReportRow = z.output<typeof reportRow>;

const otherInstitution = z.object({ id, number: z.string(), state: z.enum(reportStates) });
export const report = reportRow.extend({
  version,
  form: reportForm,
  /** As it would be signed now; of a signed one, as it was signed. */
  content: reportContent,
  /**
   * The short-lived address of the first of `content.toothPictures`; null if there is none, or before `pictures` has
   * cropped it.
   */
  toothDetailImageUrl: z.string().nullable(),
  /** Changes of the sources of a draft since its author looked last; null: none. */
  changes: reportChanges.nullable(),
  /** Lines that the chart offers for the problem list and that are not in it. */
  offered: z.array(reportProblem),
  /** The available attachments for print: images, analyses that ended well, and tracings. */
  choices: z.object({
    images: z.array(
      z.object({
        studyId: id,
        instanceId: id,
        kind: z.enum(studyKinds),
        takenAt: z.string().nullable(),
        thumbnailUrl: z.string().nullable(),
      }),
    ),
    analyses: z.array(
      z.object({
        id,
        studyId: id,
        instanceId: id.nullable(),
        kind: z.enum(studyKinds),
        takenAt: z.string().nullable(),
        engine: z.string(),
        version: z.string(),
        level: z.enum(trustLevels),
        endedAt: instant,
      }),
    ),
    tracings: z.array(z.object({ id, studyId: id, savedAt: instant })),
  }),
  licence: z.string().nullable(),
  sha256: z.string().nullable(),
  papers: z.array(z.object({ language: z.string(), sha256: z.string(), bytes: z.int() })),
  previous: otherInstitution.nullable(),
  next: otherInstitution.nullable(),
  ended: z.object({ by: z.string().nullable(), at: instant, reason: z.string() }).nullable(),
  actions: z.array(z.enum(actions)),
  /** The licence number that a manager keeps for this person, with which they sign; null if there is none. */
  ownLicence: z.string().nullable(),
});
export type Report = z.output<typeof report>;

export const reportCalls = {
  list: call({
    method: "GET",
    path: "/v1/report/list",
    access: clinicRoles,
    summary: "The clinic's health reports, or one patient's, newest first. `total` counts up to 10,000.",
    input: z.object({
      patientId: id.optional(),
      state: z.enum(reportStates).optional(),
      /** Drafts and reports in review. */
      unsigned: booleanParameter.default(false),
      ...pagingParameters,
    }),
    output: z.object({ list: z.array(reportRow), total: z.int() }),
  }),
  detail: call({
    method: "GET",
    path: "/v1/report/detail",
    access: clinicRoles,
    summary: "One health report with all that it says.",
    audit: "report.read",
    input: z.object({ id }),
    output: report,
  }),
  create: call({
    method: "POST",
    path: "/v1/report/create",
    access: clinicRoles,
    summary: "Begins a patient's report: by hand, or with the problems that a dentist has confirmed in the chart.",
    isIdempotent: true,
    audit: "report.create",
    input: z.object({ patientId: id, source: z.enum(reportSources) }),
    output: report,
  }),
  save: call({
    method: "POST",
    path: "/v1/report/save",
    access: clinicRoles,
    summary: "Keeps a draft; `seen`: its writer has looked at what moved under it.",
    audit: "report.update",
    input: z.object({ id, version, form: reportForm, seen: z.boolean().default(false) }),
    output: report,
  }),
  step: call({
    method: "POST",
    path: "/v1/report/step",
    access: clinicRoles,
    summary: "Moves a report; to amend answers the draft that corrects it, to remove answers nothing.",
    isIdempotent: true,
    audit: "report.step",
    input: z.object({
      id,
      version,
      action: z.enum(reportSteps),
      reason: text(reportRules.reason).optional(),
    }),
    output: report.nullable(),
  }),
  sign: call({
    method: "POST",
    path: "/v1/report/sign",
    access: dentistRoles,
    summary:
      "Signs a report for good with the licence number of the member, by showing the password, a code or a passkey once more.",
    input: z.object({
      id,
      version,
      password: limited(accountRules.passwordMax).optional(),
      code: required(40).optional(),
      passkey: passkeyResponse.optional(),
    }),
    output: report,
  }),
  pictures: call({
    method: "POST",
    path: "/v1/report/pictures",
    access: clinicRoles,
    summary:
      "Cuts the pictures of a report as it prints them and keeps them with it; answers their short-lived addresses.",
    input: z.object({ id }),
    output: z.array(z.object({ instanceId: id, box: z.string(), url: z.string(), width: z.int(), height: z.int() })),
  }),
  paper: call({
    method: "GET",
    path: "/v1/report/paper",
    access: clinicRoles,
    summary:
      "The short-lived address of a report on paper, or of its technical annex: a PDF in A4. A signed report never changes by a byte.",
    audit: "report.print",
    input: z.object({
      id,
      lang: z.enum(offeredLanguages).optional(),
      part: z.enum(reportParts).default("report"),
    }),
    output: z.object({ url: z.string() }),
  }),
} as const;

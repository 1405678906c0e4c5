import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, versionParameter, text, version, int32 } from "../kernel/fields.ts";
import { clinicRoles, dentistRoles } from "../kernel/roles.ts";
import { allTeeth } from "../kernel/tooth-numbers.ts";
import { chartRules } from "./chart.rules.ts";
import { chartContent, chartTooth, evidence, fdiNumber, finding } from "./chart.schema.ts";

const personSummary = z.object({ id, name: z.string() });

const chart = z.object({
  /** 0: nobody has written anything yet. */
  version,
  /** The newest version; a smaller `version` is a past one. */
  latest: version,
  content: chartContent,
  by: personSummary.nullable(),
  at: instant.nullable(),
  /** The people who wrote or confirmed something in it. */
  people: z.array(personSummary),
});
export type Chart = z.output<typeof chart>;

const chartVersion = z.object({
  version,
  at: instant,
  by: personSummary,
  changed: z.array(fdiNumber),
  /** The version that was brought back by this one. */
  restoredFrom: version.nullable(),
});
export type ChartVersion = z.output<typeof chartVersion>;

/**
 * A finding as a person states it. With an id that the tooth already has, the finding keeps its author, time and source
 * observation.
 */
const findingInput = finding.pick({ code: true, surfaces: true, severity: true, remark: true }).extend({
  id: id.nullable().default(null),
  evidence: evidence.nullable().default(null),
});
export type FindingInput = z.output<typeof findingInput>;

const toothInput = chartTooth.pick({ fdi: true, presence: true, crown: true }).extend({
  findings: z.array(findingInput).max(60).default([]),
  /** The person who saves it vouches for the tooth. */
  confirmed: z.boolean().default(false),
});
export type ToothInput = z.output<typeof toothInput>;

const hasUniqueTeeth = (teeth: readonly { fdi: number }[]) =>
  new Set(teeth.map((tooth) => tooth.fdi)).size === teeth.length;

/** A dentist's decision on a suggestion: accept, edit or reject. */
const decision = z.discriminatedUnion("action", [
  z.object({ action: z.literal("accept"), observationId: id }),
  z.object({
    action: z.literal("edit"),
    observationId: id,
    finding: finding.pick({ code: true, surfaces: true, severity: true, remark: true }).extend({ fdi: fdiNumber }),
  }),
  /** The suggested tooth is there, under another number. */
  z.object({ action: z.literal("renumber"), observationId: id, fdi: fdiNumber }),
  z.object({ action: z.literal("reject"), observationId: id, reason: text(500).nullable().default(null) }),
]);
export type ChartDecision = z.output<typeof decision>;

export const chartCalls = {
  detail: call({
    method: "GET",
    path: "/v1/chart/detail",
    access: clinicRoles,
    summary:
      "A patient's tooth chart, as it is or as a version had it. A tooth that it does not name has not been assessed.",
    audit: "chart.read",
    input: z.object({ patientId: id, version: versionParameter.optional() }),
    output: chart,
  }),
  history: call({
    method: "GET",
    path: "/v1/chart/history",
    access: clinicRoles,
    summary: "The versions of a patient's tooth chart, newest first: who wrote each, when, and which teeth it changed.",
    audit: "chart.read",
    input: z.object({ patientId: id }),
    output: z.array(chartVersion),
  }),
  save: call({
    method: "POST",
    path: "/v1/chart/save",
    access: clinicRoles,
    summary: "Writes teeth into a patient's chart, from the version that was seen; the other teeth stay as they are.",
    isIdempotent: true,
    audit: "chart.update",
    input: z.object({
      patientId: id,
      version,
      teeth: z.array(toothInput).min(1).max(allTeeth.length).refine(hasUniqueTeeth, "toothTwice"),
    }),
    output: chart,
  }),
  restore: call({
    method: "POST",
    path: "/v1/chart/restore",
    access: clinicRoles,
    summary: "Makes a new version of a tooth chart that is as an old one was; what comes back is confirmed anew.",
    isIdempotent: true,
    audit: "chart.update",
    input: z.object({ patientId: id, version, from: int32.positive() }),
    output: chart,
  }),
  decide: call({
    method: "POST",
    path: "/v1/chart/decide",
    access: dentistRoles,
    summary: "Takes what engines suggested into the chart, as it is or otherwise, or rejects it; all of it or nothing.",
    isIdempotent: true,
    audit: "chart.decide",
    input: z.object({ patientId: id, decisions: z.array(decision).min(1).max(chartRules.maxDecisions) }),
    output: chart,
  }),
} as const;

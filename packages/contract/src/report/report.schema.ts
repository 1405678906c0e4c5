import { z } from "zod";
import { trustLevels } from "../analysis/trust-levels.ts";
import { abstentionReasons, confidence, target } from "../analysis/observation.ts";
import { cephDrawing, cephPopulations } from "../ceph/ceph.schema.ts";
import { chartTooth, fdiNumber, findingNames, severities, surfaces, type FindingCode } from "../chart/chart.schema.ts";
import { id, instant, text } from "../kernel/fields.ts";
import { toothSchemes } from "../kernel/tooth-schemes.ts";
import { studyKinds } from "../study/study.rules.ts";
import { reportSources } from "./report.lifecycle.ts";

export const reportRules = {
  text: 4000,
  problems: 60,
  problemText: 500,
  images: 8,
  analyses: 12,
  cephAnalyses: 6,
  caption: 200,
  reason: 500,
  licence: 60,
  /** The margin around a finding, as a share of its box. */
  cropMargin: 0.15,
  /** JPEG quality, and pixels of an image for each CSS pixel of the document. */
  pictureQuality: 98,
  pictureScale: 2,
  paperBytes: 3_000_000,
} as const;

/** The report that a patient keeps, and the annex for professionals: measurements, formula, norms and checksum. */
export const reportParts = ["report", "annex"] as const;

const findingCode = z.enum(findingNames as [FindingCode, ...FindingCode[]]);
const box = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
export type ReportBox = z.output<typeof box>;

/** One line of the problem list: from a finding of the chart, or written freely. */
export const reportProblem = z.object({
  id,
  fdi: fdiNumber.nullable(),
  findingId: id.nullable(),
  code: findingCode.nullable(),
  surfaces: z.array(z.enum(surfaces)).max(surfaces.length).default([]),
  severity: z.enum(severities).nullable().default(null),
  text: text(reportRules.problemText).default(""),
  /** The treatment. Absent where nothing was written, as in reports that were signed before there was a plan. */
  plan: text(reportRules.problemText).optional(),
});
export type ReportProblem = z.output<typeof reportProblem>;

/** The texts and choices of a report's author. */
export const reportForm = z.object({
  scheme: z.enum(toothSchemes).default("fdi"),
  examination: text(reportRules.text).default(""),
  problems: z.array(reportProblem).max(reportRules.problems).default([]),
  diagnosis: text(reportRules.text).default(""),
  advice: text(reportRules.text).default(""),
  images: z
    .array(z.object({ studyId: id, instanceId: id, caption: text(reportRules.caption).default("") }))
    .max(reportRules.images)
    .default([]),
  /** The analyses whose measurements are printed. */
  analysisIds: z.array(id).max(reportRules.analyses).default([]),
  tracingId: id.nullable().default(null),
  /** Names of cephalometric analyses that are printed of the tracing. */
  cephAnalyses: z.array(text(20)).max(reportRules.cephAnalyses).default([]),
});
export type ReportForm = z.output<typeof reportForm>;

const patientFacts = z.object({
  name: z.string(),
  number: z.string(),
  sex: z.string(),
  birthDate: z.string().nullable(),
  entryNumber: z.string().nullable(),
});
export const patientFactNames = ["name", "number", "sex", "birthDate", "entryNumber"] as const;
/** The state of the patient's record when the report's author looked at it last. */
export const reportBasis = z.object({
  patient: patientFacts,
  chartVersion: z.int().nonnegative(),
  tracingVersion: z.int().nonnegative().nullable(),
});
export type ReportBasis = z.output<typeof reportBasis>;

/** The changes of the sources of a draft since then. */
export const reportChanges = z.object({
  patient: z.array(z.enum(patientFactNames)),
  teeth: z.array(fdiNumber),
  chart: z.boolean(),
  tracing: z.boolean(),
});
export type ReportChanges = z.output<typeof reportChanges>;

const teeth = z.array(fdiNumber);
/** In the order in which a report names them. */
export const toothListNames = [
  "healthy",
  "problem",
  "treated",
  "missing",
  "unerupted",
  "permanent",
  "deciduous",
  "notAssessed",
] as const;
/** Teeth as a report lists them; a tooth that no dentist confirmed is in `notAssessed` and in no other list. */
export const toothLists = z.object({
  healthy: teeth,
  problem: teeth,
  treated: teeth,
  missing: teeth,
  unerupted: teeth,
  permanent: teeth,
  deciduous: teeth,
  notAssessed: teeth,
});
export type ToothLists = z.output<typeof toothLists>;

/** True where no dentist confirmed any tooth: such a report may not read as if no problem had been found. */
export const isToothUnassessed = ({ notAssessed: _, ...said }: ToothLists): boolean =>
  Object.values(said).every((list) => list.length === 0);

const counts = z.object({ sound: z.int(), filled: z.int(), decayed: z.int(), missing: z.int(), leftOut: z.int() });
/** `score` is present only if it may be shown; otherwise `why` holds the reason. */
export const oralScore = z.object({
  score: z.int().min(0).max(100).nullable(),
  why: z.enum(["notAssessed", "deciduous", "noTeeth"]).nullable(),
  /** The number of unassessed positions among the 28 without third molars. */
  unknown: z.int(),
  counts: counts.nullable(),
  dmft: z.object({ decayed: z.int(), missing: z.int(), filled: z.int(), sum: z.int() }).nullable(),
  functioning: z.int().nullable(),
  /** dmft of milk teeth, where there are any. */
  milk: z.object({ decayed: z.int(), missing: z.int(), filled: z.int(), sum: z.int() }).nullable(),
});
export type OralScore = z.output<typeof oralScore>;

const engine = z.object({ id: z.string(), version: z.string(), level: z.enum(trustLevels) });
const measuredImageReference = z.object({
  kind: z.enum(studyKinds),
  takenAt: z.string().nullable(),
  /** The image was compressed with loss when it was stored. Reports signed before this was recorded do not have it. */
  isLossy: z.literal(true).optional(),
});
export const reportMeasurement = z.object({
  code: z.string(),
  target,
  value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
  unit: z.string().nullable(),
  confidence,
  engine,
  studyId: id,
  /** The image of the study; null for a volume. */
  instanceId: id.nullable().optional(),
  /** The image that was measured. */
  image: measuredImageReference.optional(),
});
export type ReportMeasurement = z.output<typeof reportMeasurement>;

export const reportEngine = engine.extend({
  clearance: z.string().nullable(),
  studyId: id,
  image: measuredImageReference.optional(),
  lookedFor: z.array(z.string()),
  /** Reports signed before there was one have no target. */
  abstentions: z.array(z.object({ code: z.string(), target: target.optional(), reason: z.enum(abstentionReasons) })),
});
export type ReportEngine = z.output<typeof reportEngine>;

export const reportCeph = z.object({
  studyId: id,
  instanceId: id,
  version: z.int(),
  /** Reports signed before there was one have none. */
  drawing: cephDrawing.optional(),
  /** The image was compressed with loss when it was stored; absent in reports signed before this was recorded. */
  isLossy: z.literal(true).optional(),
  population: z.enum(cephPopulations),
  rows: z.array(
    z.object({
      analysis: z.string(),
      measure: z.string(),
      unit: z.string(),
      value: z.number().nullable(),
      norm: z
        .object({ mean: z.number(), sd: z.number().nullable(), source: z.string(), isOtherAge: z.boolean() })
        .nullable(),
      /** In standard deviations, where there is a norm for this patient. */
      deviation: z.number().nullable(),
      error: z.number().nullable(),
      isBorderline: z.boolean(),
      /** Landmarks in an implausible place: the value is not compared with the norm. */
      implausible: z.array(z.string()).optional(),
    }),
  ),
});
export type ReportCeph = z.output<typeof reportCeph>;

/** A tooth of the chart as a report keeps it: people by no number of ours, so that the whole means the same anywhere. */
export const reportTooth = chartTooth.pick({ fdi: true, presence: true, crown: true }).extend({
  confirmed: z.boolean(),
  findings: z.array(
    z.object({
      id,
      code: findingCode,
      surfaces: z.array(z.enum(surfaces)),
      severity: z.enum(severities).nullable(),
      remark: z.string().nullable(),
      status: z.enum(["accepted", "added"]),
      /** The engine that suggested it before a dentist accepted it. */
      suggestedBy: engine.extend({ confidence }).nullable(),
    }),
  ),
});
export type ReportTooth = z.output<typeof reportTooth>;

/** The whole content of a report: shown while it is written, hashed and frozen when it is signed. */
export const reportContent = z.object({
  format: z.literal(1),
  number: z.string(),
  source: z.enum(reportSources),
  previous: z.string().nullable(),
  patient: patientFacts.extend({ age: z.int().nullable() }),
  institution: z.object({
    name: z.string(),
    number: z.string(),
    address: z.string().nullable(),
    contact: z.string().nullable(),
    /** Reports that are older than this field use UTC. */
    timeZone: z.string().optional(),
  }),
  writer: z.string(),
  writtenAt: instant,
  form: reportForm,
  chart: z.object({ version: z.int(), teeth: z.array(reportTooth) }),
  lists: toothLists,
  problemTeethNum: z.int(),
  score: oralScore,
  toothPictures: z.array(z.object({ fdi: fdiNumber, studyId: id, instanceId: id, box, codes: z.array(findingCode) })),
  images: z.array(
    z.object({
      studyId: id,
      instanceId: id,
      caption: z.string(),
      kind: z.string(),
      takenAt: z.string().nullable(),
      /** Clockwise quarter turns that bring the head upright; absent: shown as stored. */
      turns: z.int().min(1).max(3).optional(),
    }),
  ),
  measurements: z.array(reportMeasurement),
  engines: z.array(reportEngine),
  /** Analyses that the measurements and the findings which a dentist accepted come from; reports signed before it was counted have none. */
  analysisCount: z.int().nonnegative().optional(),
  ceph: reportCeph.nullable(),
  signature: z
    .object({ name: z.string(), licence: z.string(), at: instant, meaning: z.literal("reviewed") })
    .nullable(),
});
export type ReportContent = z.output<typeof reportContent>;

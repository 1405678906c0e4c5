import { z } from "zod";
import { id, instant, text, int32 } from "../kernel/fields.ts";
import { allTeeth } from "../kernel/tooth-numbers.ts";

/** A tooth by its FDI number (ISO 3950): 11 to 48, 51 to 85. */
export const fdiNumber = int32.refine((tooth) => allTeeth.includes(tooth), "toothUnknown");
export const surfaces = ["mesial", "occlusal", "distal", "buccal", "lingual"] as const;
export type ToothSurface = (typeof surfaces)[number];

/** The presence of a tooth; "unknown": nobody has assessed it. */
export const presences = [
  "unknown",
  "present",
  "missing",
  "unerupted",
  "impacted",
  "implant",
  "pontic",
  "root",
] as const;
export type Presence = (typeof presences)[number];

/** The state of a crown by WHO's codes for dentition (Oral Health Surveys): 0 sound, 1 caries, 2 filled with caries, 3 filled, 6 sealed, 7 abutment or crown. */
export const crownCodes = [0, 1, 2, 3, 6, 7] as const;
export type CrownCode = (typeof crownCodes)[number];

export const findingGroups = ["suspected", "treatment", "state"] as const;
export type FindingGroup = (typeof findingGroups)[number];

/** The possible findings at a tooth, with their group; engines and people share the list. */
export const findingCodes = {
  caries: "suspected",
  periapicalRadiolucency: "suspected",
  boneLoss: "suspected",
  furcation: "suspected",
  calculus: "suspected",
  fracture: "suspected",
  rootRemnant: "suspected",
  resorption: "suspected",
  wear: "suspected",
  restorationDefect: "suspected",
  widenedLigament: "suspected",
  filling: "treatment",
  crown: "treatment",
  pontic: "treatment",
  abutment: "treatment",
  rootFilling: "treatment",
  post: "treatment",
  implant: "treatment",
  orthodonticAppliance: "treatment",
  erupting: "state",
  unerupted: "state",
  impacted: "state",
  supernumerary: "state",
  exfoliating: "state",
  crowded: "state",
} as const satisfies Record<string, FindingGroup>;
export type FindingCode = keyof typeof findingCodes;
export const findingNames = Object.keys(findingCodes) as FindingCode[];

/** The depth of caries, or the progress of another finding. */
export const severities = ["initial", "moderate", "deep"] as const;
export const findingStatuses = ["proposed", "accepted", "rejected", "added"] as const;

/** The place in an image where the finding is visible: corners of a box in the image's own pixels. */
export const evidence = z.object({
  studyId: id,
  instanceId: id,
  box: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }).nullable().default(null),
});

export const finding = z.object({
  id,
  code: z.enum(findingNames as [FindingCode, ...FindingCode[]]),
  surfaces: z.array(z.enum(surfaces)).max(surfaces.length).default([]),
  severity: z.enum(severities).nullable().default(null),
  remark: text(500).nullable().default(null),
  status: z.enum(findingStatuses),
  /** The observation that proposed it; null: a person wrote it down. */
  observationId: id.nullable().default(null),
  evidence: evidence.nullable().default(null),
  by: id,
  at: instant,
  reason: text(500).nullable().default(null),
});
export type Finding = z.output<typeof finding>;

/** One tooth of a chart. `confirmedBy`: the dentist who vouches for it. */
export const chartTooth = z.object({
  fdi: fdiNumber,
  presence: z.enum(presences).default("unknown"),
  crown: z
    .union(crownCodes.map((code) => z.literal(code)))
    .nullable()
    .default(null),
  findings: z.array(finding).max(60).default([]),
  confirmedBy: id.nullable().default(null),
  confirmedAt: instant.nullable().default(null),
});
export type ChartTooth = z.output<typeof chartTooth>;

/** A patient's teeth as one version of the chart holds them; a tooth that is not named is not assessed. */
export const chartContent = z.object({ teeth: z.array(chartTooth).max(allTeeth.length) });
export type ChartContent = z.output<typeof chartContent>;

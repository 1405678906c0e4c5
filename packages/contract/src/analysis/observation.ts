import { z } from "zod";
import { fdiNumber, findingNames, type FindingCode } from "../chart/chart.schema.ts";
import { id, required, text } from "../kernel/fields.ts";
import { languages } from "../kernel/languages.ts";
import { engineTrial } from "./engine-trial.ts";

export const engineKinds = ["measurement", "learned", "remote", "human"] as const;
/** The DICOM modalities that engines examine: panoramic, other projection, intra-oral, CT, photographs. */
export const engineModalities = ["PX", "DX", "IO", "CT", "XC"] as const;

export const target = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image") }),
  z.object({ kind: z.literal("tooth"), fdi: fdiNumber }),
  z.object({
    kind: z.literal("region"),
    from: fdiNumber.nullable(),
    to: fdiNumber.nullable(),
    name: text(60).nullable(),
  }),
  z.object({ kind: z.literal("landmark"), id: text(20) }),
]);
export type Target = z.output<typeof target>;

/** The certainty of an answer; never a bare percentage. */
export const confidence = z.discriminatedUnion("basis", [
  /** Among `n` cases of the named set with such a score, the share `p` was right. */
  z.object({ basis: z.literal("calibrated"), p: z.number().min(0).max(1), n: z.int().positive(), set: text(200) }),
  /** A score without calibration: shown as low, medium, high. */
  z.object({ basis: z.literal("score"), value: z.number().min(0).max(1) }),
  z.object({ basis: z.literal("error"), plusMinus: z.number().nonnegative(), unit: text(10), set: text(200) }),
  z.object({ basis: z.literal("none") }),
]);
export type Confidence = z.output<typeof confidence>;

const imagePoint = z.tuple([z.number(), z.number()]);
const patientPoint = z.tuple([z.number(), z.number(), z.number()]);
/** A tube through a volume: places in its middle (patient LPS, mm) with the radius at each of them. */
const tube = z.object({
  kind: z.literal("tube"),
  points: z.array(patientPoint).min(2).max(200),
  radii: z.array(z.number().positive()).min(2).max(200),
  /** The stretches, by the number of the point at which each begins, in which nothing is seen of it. */
  hidden: z.array(z.int().nonnegative()).max(200),
  /** Those in which it may run elsewhere. */
  doubtful: z.array(z.int().nonnegative()).max(200),
});
export type TubeGeometry = z.output<typeof tube>;

/** The most voxels of a solid along an axis, and the longest text of one. */
export const solidRules = { mostVoxels: 400, runs: 400_000 } as const;
const cosine = z.number().min(-1).max(1);
const voxelCount = z.int().min(1).max(solidRules.mostVoxels);
/** A body in a volume, as voxels of a grid of its own (patient LPS, mm). */
const solid = z.object({
  kind: z.literal("solid"),
  /** Columns, rows and slices. */
  size: z.tuple([voxelCount, voxelCount, voxelCount]),
  /** The middle of the first voxel. */
  origin: patientPoint,
  spacing: z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]),
  /** Unit vectors along columns, rows and slices. */
  direction: z.tuple([cosine, cosine, cosine, cosine, cosine, cosine, cosine, cosine, cosine]),
  /** Base64 of the numbers of voxels outside and inside by turns, seven bits a byte, the lowest first. */
  runs: required(solidRules.runs).check(z.base64()),
});
export type SolidGeometry = z.output<typeof solid>;
/** In the image's own pixels, from the upper left corner of the first. */
const imageGeometry = z.discriminatedUnion("kind", [
  /** `radius`: how far from it the true place may lie, if the engine has measured that. */
  z.object({ kind: z.literal("point"), at: imagePoint, radius: z.number().positive().optional() }),
  z.object({ kind: z.literal("line"), points: z.array(imagePoint).min(2).max(4000) }),
  z.object({ kind: z.literal("box"), left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
  z.object({ kind: z.literal("polygon"), points: z.array(imagePoint).min(3).max(4000) }),
]);
export type ImageGeometry = z.output<typeof imageGeometry>;
export const geometry = z.union([imageGeometry, tube, solid]);
export type Geometry = z.output<typeof geometry>;

/** An observation or measurement by an engine or a person; immutable. */
export const observation = z.object({
  id,
  code: text(40),
  target,
  value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
  unit: text(10).nullable().default(null),
  geometry: geometry.nullable().default(null),
  confidence,
  method: text(60),
});
export type Observation = z.output<typeof observation>;

export const abstentionReasons = ["notSupported", "quality", "outOfRange", "outsideField", "selfCheckFailed"] as const;
/** A code that an engine did not answer, and the reason. */
export const abstention = z.object({
  code: text(40),
  target,
  reason: z.enum(abstentionReasons),
  detail: text(300).nullable().default(null),
});
export type Abstention = z.output<typeof abstention>;

/**
 * The texts of a card in other languages: the languages that it has, each with the texts that are not in the card's own one.
 * `words` translates the names and the sets of the figures; what it lacks stays as it is.
 */
export const cardTranslations = z.partialRecord(
  z.enum(languages),
  z.strictObject({
    intendedUse: required(2000),
    limits: required(2000),
    trainedOn: text(2000).nullable().default(null),
    words: z
      .record(required(200), required(200))
      .refine((words) => Object.keys(words).length <= 100)
      .default({}),
  }),
);

/** An engine's description of itself, known before it runs. `produces`: the only codes that it may answer. */
export const engineInfo = z.object({
  id: text(80),
  version: text(40),
  kind: z.enum(engineKinds),
  tasks: z.array(text(60)),
  modalities: z.array(z.enum(engineModalities)),
  produces: z.array(text(40)),
  card: z.object({
    intendedUse: text(2000),
    limits: text(2000),
    licence: text(200),
    trainedOn: text(2000).nullable().default(null),
    clearance: text(400).nullable().default(null),
    metrics: z.array(
      z.object({ name: text(80), value: z.number(), n: z.int().positive(), set: text(200), date: text(20) }),
    ),
    sha256: text(64).nullable().default(null),
    translations: cardTranslations.optional(),
  }),
  /** The number of analyses that one run costs of the institution's quota. */
  quotaCost: z.int().nonnegative(),
  /** The result of its trial on held-back images, never stated by the engine itself. Absent or null: not tried. */
  trial: engineTrial.nullish(),
});
export type EngineInfo = z.output<typeof engineInfo>;

/** The only codes of the built-in engine. */
export const measurementCodes = [
  "IQ_EXPOSURE",
  "IQ_CONTRAST",
  "IQ_SHARPNESS",
  "IQ_CLIPPED",
  "IQ_SIZE",
  "PAN_OCCLUSAL_LINE",
  "PAN_TILT",
  "PAN_CURVE",
  "PAN_MIDLINE",
  "PAN_SEXTANT",
  "PAN_RADIOPAQUE",
  "CEPH_SCALE",
  "CEPH_PROFILE",
  "CBCT_ARCH",
  "CBCT_PANO",
  "CBCT_CANAL",
  "CBCT_TOOTH",
  "CBCT_JAW",
] as const;
export type MeasurementCode = (typeof measurementCodes)[number];

/**
 * The codes of a learned engine about an intra-oral film. None is a finding of the chart: such a film does not tell a
 * tooth's number.
 */
export const filmCodes = ["FILM_TURN", "FILM_REGION", "FILM_TOOTH", "FILM_RESTORATION", "FILM_IMPLANT"] as const;
/** The regions of intra-oral films, values of `FILM_REGION`. */
export const filmRegions = ["upperPeriapical", "lowerPeriapical", "bitewing"] as const;
/** The kinds of teeth that an intra-oral film tells apart, values of `FILM_TOOTH`. */
export const filmToothKinds = [
  "upperIncisor",
  "upperCanine",
  "upperPremolar",
  "upperMolar",
  "lowerIncisor",
  "lowerCanine",
  "lowerPremolar",
  "lowerMolar",
] as const;

/**
 * Returns true for codes that describe the quality of an image and nothing of the patient: a result of these alone is
 * no result.
 */
export const isQualityCode = (code: string): boolean => code.startsWith("IQ_");

const findingPrefix = "FINDING_";
/** By which an engine suggests a finding; its target is the tooth. */
export const findingToCode = (name: FindingCode): string => `${findingPrefix}${name}`;
/** The finding that an observation suggests; null where it suggests none. */
export const codeToFinding = (code: string): FindingCode | null =>
  findingNames.find((name) => findingToCode(name) === code) ?? null;

/** Says that a place has no tooth. It is suggested on purpose: a tooth that an engine did not find is not missing. */
export const missingToothCode = "TOOTH_MISSING";
/** Returns true for codes that suggest whether a tooth is present. */
export const isToothCode = (code: string): boolean => code === "TOOTH_BOX" || code === missingToothCode;

/**
 * Returns true for a code that a learned engine may declare: whether a tooth is there, a landmark, a finding, an answer
 * about an intra-oral film. The list is closed.
 */
export const isLearnedCode = (code: string): boolean =>
  isToothCode(code) ||
  filmCodes.some((one) => one === code) ||
  /^CEPH_LM_[A-Za-z0-9']{1,12}$/.test(code) ||
  codeToFinding(code) !== null;

/** Reasons for an analysis without a result; the texts hold their wording. */
export const engineFaults = [
  /** The image cannot be read, or is not of the declared kind. */
  "imageUnreadable",
  /** The engine does not examine this kind of image. */
  "imageKind",
  "timeout",
  "memory",
  /** It ended without an answer. */
  "died",
  "codeUndeclared",
  "notANumber",
  "wrongShape",
  "outsidePicture",
  "tooMany",
  "tooLarge",
  /** This system has no ONNX runtime. */
  "runtimeMissing",
  "packInvalid",
  "packTampered",
  /** No signer known to the operator has signed it, and the operator accepts signed packs only. */
  "packUnsigned",
  "modelInvalid",
  /** The model would make the runtime read files, or load operators from elsewhere. */
  "modelForbidden",
  /** The remote server's host is not on the list of those that may be asked. */
  "hostForbidden",
  "serverUnreachable",
  "serverNotReady",
  "serverRefused",
] as const;
export type EngineFaultName = (typeof engineFaults)[number];

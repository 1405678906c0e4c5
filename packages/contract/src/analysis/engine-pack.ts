import { z } from "zod";
import { limited, required, text } from "../kernel/fields.ts";
import { fdiNumber, findingNames, type FindingCode } from "../chart/chart.schema.ts";
import { permanentTeeth } from "../kernel/tooth-numbers.ts";
import {
  cardTranslations,
  engineInfo,
  engineModalities,
  filmCodes,
  isLearnedCode,
  type EngineInfo,
} from "./observation.ts";

/** The kinds of post-processing of a model's output. A pack chooses one and contains no code. */
export const packTasks = [
  "fdi-centres@1",
  "tooth-votes@1",
  "film-votes@1",
  "landmark-heatmap@1",
  "boxes@1",
  "mask@1",
] as const;
/**
 * The possible input channels of a model: grey from 0 to 1, grey by mean and deviation, horizontal and vertical
 * position from 0 to 1.
 */
export const packChannels = ["gray-unit", "gray-zscore", "x", "y"] as const;
export const packApiVersion = 1;

export const packRules = {
  manifestBytes: 64 * 1024,
  licenceBytes: 256 * 1024,
  modelBytes: 512 * 1024 * 1024,
  /** The limit for one input or output of a model. */
  tensorValues: 64 * 1024 * 1024,
} as const;

const observationCode = text(40).refine(isLearnedCode, "a code that engines may not declare");
const unitShare = z.number().min(0).max(1);
const tensorName = required(120);

/** A code of `film-votes@1` is no class of a box or a mask: its value would not be a number. */
const classCode = observationCode.refine((code) => !filmCodes.some((one) => one === code), "a code of film-votes@1");
const packClass = z.strictObject({ code: classCode, fdi: fdiNumber.nullable().default(null) });

/** `manifest.json` of a pack; docs/analysis.md explains how to write one. */
export const packManifest = z.strictObject({
  id: limited(80).regex(/^[a-z0-9][a-z0-9.-]{2,79}$/, "must be small letters, figures, dots and hyphens"),
  version: limited(50).regex(/^\d{1,5}(\.\d{1,5}){0,3}(-[a-z0-9.]{1,20})?$/, "must be a version such as 1.2.0"),
  api: z.literal(packApiVersion),
  task: z.enum(packTasks),
  modality: z.array(z.enum(engineModalities)).min(1).max(engineModalities.length),
  input: z.strictObject({
    name: tensorName,
    w: z.int().min(16).max(2048),
    h: z.int().min(16).max(2048),
    channels: z.array(z.enum(packChannels)).min(1).max(8),
    equalise: z.boolean().default(false),
    /** `stretch`: the image is stretched to the model's size. `contain`: it keeps its proportions, between margins of zeros. */
    fit: z.enum(["stretch", "contain"]).default("stretch"),
  }),
  /** By their part in the task: the names of the model's outputs. */
  outputs: z.record(
    z.enum(["heatmap", "size", "boxes", "scores", "classes", "edges", "conditions", "view", "mask", "spread"]),
    tensorName.optional(),
  ),
  post: z
    .strictObject({
      threshold: unitShare.default(0.5),
      nms: unitShare.default(0.5),
      order: z.enum(["none", "fdi-monotone"]).default("none"),
      /** The channels of a heatmap of teeth. */
      teeth: z.array(fdiNumber).min(1).max(52).default(permanentTeeth),
      /** The channels of a heatmap of landmarks. */
      landmarks: z.array(text(12)).max(200).default([]),
      classes: z.array(packClass).max(100).default([]),
      /** The smallest area of a connected part of a mask, as a share of the image. */
      leastArea: unitShare.default(0.0002),
      /** The channels of the conditions of a tooth, each by the finding that it suggests; null: a sound tooth. */
      conditions: z
        .array(z.enum(findingNames as [FindingCode, ...FindingCode[]]).nullable())
        .max(findingNames.length + 1)
        .default([]),
      /** The number of a tooth is not given if its confidence is smaller. */
      leastConfidence: unitShare.default(0),
      /** Fewer votes for one place are no tooth. */
      leastVotes: z.number().min(1).max(10_000).default(10),
      /** An image with fewer teeth, or with less certain ones, is not taken for an image of teeth. */
      leastTeeth: z.int().min(0).max(32).default(0),
      leastCertainty: unitShare.default(0),
      /** The turn and the region of a film are not given if they are less probable. */
      leastView: unitShare.default(0.9),
      /** Codes from which the engine abstains on every image, because nobody has measured how well it sees them. */
      notAssessed: z.array(observationCode).max(40).default([]),
    })
    .prefault({}),
  /** Up to which score which share was right, on the set that is named; scores rise to 1. */
  calibration: z
    .strictObject({
      set: required(200),
      n: z.int().positive(),
      bins: z
        .array(z.tuple([unitShare, unitShare]))
        .min(1)
        .max(50),
    })
    .nullable()
    .default(null),
  produces: z.array(observationCode).min(1).max(120),
  /** The SHA-256 of `model.onnx`. */
  sha256: limited(64).regex(/^[0-9a-f]{64}$/),
  licence: required(200),
  quotaCost: z.int().min(0).max(100).default(1),
  card: z.literal("card.json"),
});
export type PackManifest = z.output<typeof packManifest>;

/** `card.json` of a pack: the information for those who choose it. */
export const packCard = z.strictObject({
  intendedUse: required(2000),
  limits: required(2000),
  trainedOn: text(2000).nullable().default(null),
  clearance: text(400).nullable().default(null),
  metrics: engineInfo.shape.card.shape.metrics.default([]),
  translations: cardTranslations.default({}),
});
export type PackCard = z.output<typeof packCard>;

/** Builds the engine's description of itself from a pack's manifest and card. */
export const packInfo = (manifest: PackManifest, card: PackCard, kind: "learned" | "remote"): EngineInfo => ({
  id: manifest.id,
  version: manifest.version,
  kind,
  tasks: [manifest.task],
  modalities: manifest.modality,
  produces: manifest.produces,
  card: { ...card, licence: manifest.licence, sha256: kind === "learned" ? manifest.sha256 : null },
  quotaCost: manifest.quotaCost,
});

import { z } from "zod";
import {
  crownCodes,
  fdiNumber,
  findingNames,
  presences,
  severities,
  surfaces,
  type FindingCode,
} from "../chart/chart.schema.ts";
import { instant, limited, text } from "../kernel/fields.ts";
import { ed25519Signature } from "../upgrade/upgrade.rules.ts";

/**
 * The limits that a pack for teeth must reach on images held back from training. Peers for the figures: Tuzoff 2019
 * found teeth with F1 0.994 and numbered them with a sensitivity of 0.98 (PMID 30835551).
 */
export const trialLimits = {
  images: 85,
  /** F1 of teeth found, regardless of their number. */
  detection: 0.97,
  /** F1 of teeth found under their own number. */
  numbering: 0.93,
  /** By how much the share that was right may differ from the share that the pack claims, where at least `claims` of one claim were made. */
  calibration: 0.03,
  claims: 100,
  /** Two boxes belong to one tooth if their intersection over union reaches this share. */
  cover: 0.5,
} as const;

/** The only codes that such a trial assesses; no other answer of a pack is tried. */
export const trialCodes: readonly string[] = ["TOOTH_BOX"];

/** About one patient of five is held back from training. */
export const holdOutOneIn = 5;

const boxCorner = z.number();
const labelBox = z.object({ left: boxCorner, top: boxCorner, right: boxCorner, bottom: boxCorner });
const boxSide = z.int().positive();
const findingCodeField = z.enum(findingNames as [FindingCode, ...FindingCode[]]);

/** The label file of an image in an archive for training and trials; boxes in the image's own pixels. */
export const imageLabels = z.object({
  kind: z.string(),
  columns: boxSide,
  rows: boxSide,
  spacing: z.object({ row: z.number(), column: z.number() }).nullable(),
  /** The image is of a patient whose images must not be used for training. */
  heldBack: z.boolean().default(false),
  teeth: z.array(
    z.object({
      fdi: fdiNumber,
      presence: z.enum(presences),
      crown: z.union(crownCodes.map((crownCode) => z.literal(crownCode))).nullable(),
      box: labelBox.nullable(),
      /** The engine that drew the box, as `id version`; null: a person drew it. */
      boxBy: z.string().nullable().default(null),
      findings: z.array(
        z.object({
          code: findingCodeField,
          surfaces: z.array(z.enum(surfaces)),
          severity: z.enum(severities).nullable(),
          box: labelBox.nullable(),
        }),
      ),
    }),
  ),
});
export type ImageLabels = z.output<typeof imageLabels>;

const countField = z.int().nonnegative();
/**
 * Reasons for leaving an image out of the count: it may have been used for training, some of its teeth are not
 * labelled, the boxes are the engine's own, it is a duplicate, or it is no panorama or unreadable.
 */
export const leftOutReasons = ["notHeldBack", "notWhole", "ownBoxes", "twice", "unfit"] as const;

/** The counts of a trial; every other figure follows from these. */
export const trialFigures = z.object({
  images: countField,
  leftOut: z.object({
    notHeldBack: countField,
    notWhole: countField,
    ownBoxes: countField,
    twice: countField,
    unfit: countField,
  }),
  /** Images that the pack came to nothing with: all their teeth count as not found. */
  failed: countField,
  /** Existing teeth, boxes in the pack's answer, boxes that match a tooth, and boxes that also have its number. */
  teeth: countField,
  boxes: countField,
  found: countField,
  numbered: countField,
  /**
   * Among the 32 permanent positions: those without a tooth in the pack's answer, and those of them without a real
   * tooth.
   */
  missing: z.object({ named: countField, right: countField }),
  /** By the share that the pack claims to be right: how many it gave so, and how many were right. */
  claims: z.array(z.object({ claim: z.number().min(0).max(1), n: countField, right: countField })).max(200),
});
export type TrialFigures = z.output<typeof trialFigures>;

const sumField = limited(64, "sumShape").regex(/^[0-9a-f]{64}$/, "sumShape");
/** The result of a trial, with the engine and the data that it was made with. */
export const trialResult = z.object({
  engine: text(80),
  version: text(40),
  /** SHA-256 of the pack's archive, and of all images and labels that counted. */
  pack: sumField,
  set: sumField,
  at: instant,
  figures: trialFigures,
});
export type TrialResult = z.output<typeof trialResult>;

export const trialFormat = "arcada-trial-1";
/** The file that a trial writes. */
export const trialFile = trialResult.extend({
  format: z.literal(trialFormat),
  algorithm: z.literal("Ed25519"),
  signature: ed25519Signature,
});
export type TrialFile = z.output<typeof trialFile>;

/** The text that is signed: no figure, pack or set can be exchanged without its notice. */
export const describeTrial = (result: TrialResult): string =>
  `${JSON.stringify({ format: trialFormat, ...trialResult.parse(result) })}\n`;

export const trialFaults = [
  "imagesFew",
  "detectionLow",
  "numberingLow",
  "claimsNone",
  "claimsFew",
  "claimsOff",
] as const;
export type TrialFault = (typeof trialFaults)[number];

/** A trial signed by a trusted key, as an engine's card shows it. */
export const engineTrial = trialResult
  .pick({ set: true, at: true, figures: true })
  .extend({ by: text(80), faults: z.array(z.enum(trialFaults)) });
export type EngineTrial = z.output<typeof engineTrial>;

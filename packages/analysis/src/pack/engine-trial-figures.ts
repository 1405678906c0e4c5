import type { ImageLabels, TrialFault, TrialFigures } from "@arcada/contract/analysis/engine-trial";
import { trialLimits } from "@arcada/contract/analysis/engine-trial";
import type { Presence } from "@arcada/contract/chart/chart.schema";
import { permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { NewObservation } from "../engine.ts";
import { intersectionOverUnion, type Box } from "./detection-postprocessing.ts";

type LabelledTooth = ImageLabels["teeth"][number];
/** A tooth as a pack gave it. */
export interface PredictedTooth {
  fdi: number;
  box: Box;
  /** The share of such answers that are right, as the pack claims; null: it claims nothing. */
  claim: number | null;
}

export const emptyFigures: TrialFigures = {
  images: 0,
  leftOut: { notHeldBack: 0, notWhole: 0, ownBoxes: 0, twice: 0, unfit: 0 },
  failed: 0,
  teeth: 0,
  boxes: 0,
  found: 0,
  numbered: 0,
  missing: { named: 0, right: 0 },
  claims: [],
};

/** The boxes of teeth among what a pack saw. */
export const predictedTeeth = (observations: readonly NewObservation[]): PredictedTooth[] =>
  observations.flatMap(({ code, target, geometry, confidence }) =>
    code === "TOOTH_BOX" && target.kind === "tooth" && geometry?.kind === "box"
      ? [{ fdi: target.fdi, box: geometry, claim: confidence.basis === "calibrated" ? confidence.p : null }]
      : [],
  );

/** Returns the reason to leave an image out of the trial of this engine; null if it counts. */
export function exclusionReason(
  { kind, heldBack, teeth }: ImageLabels,
  engine: string,
): keyof TrialFigures["leftOut"] | null {
  if (kind !== "panorama") return "unfit";
  if (!heldBack) return "notHeldBack";
  const labelledByNumber = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  const isFullyLabelled =
    permanentTeeth.every((fdi) => (labelledByNumber.get(fdi)?.presence ?? "unknown") !== "unknown") &&
    teeth.every((tooth) => tooth.box !== null || !isVisibleByPresence[tooth.presence]);
  if (!isFullyLabelled) return "notWhole";
  // A dentist who looks at an engine's boxes tends to approve them: they are not ground truth for the engine that drew
  // them.
  // them.
  return teeth.some(({ boxBy }) => boxBy?.split(" ")[0] === engine) ? "ownBoxes" : null;
}

/** A tooth of this state is to be seen where it is. What has not erupted may not be seen at all. */
const isVisibleByPresence: Record<Presence, boolean> = {
  present: true,
  impacted: true,
  root: true,
  unerupted: false,
  missing: false,
  implant: false,
  pontic: false,
  unknown: false,
};
const absentPresences: ReadonlySet<Presence> = new Set(["missing", "implant", "pontic"]);

/**
 * Returns the figures of one image.
 * @param predictions boxes in the image's own pixels; null if the pack failed
 */
export function computeFigures({ teeth }: ImageLabels, predictions: readonly PredictedTooth[] | null): TrialFigures {
  const visibleTeeth = teeth.filter(({ presence, box }) => box !== null && !absentPresences.has(presence));
  if (predictions === null) return { ...emptyFigures, images: 1, failed: 1, teeth: visibleTeeth.length };
  const matches = matchTeeth(teeth, predictions);
  const judged = predictions.filter((prediction) => canBeJudged(prediction, matches.get(prediction), teeth));
  const found = judged.filter((prediction) => matches.has(prediction));
  const isRight = (prediction: PredictedTooth): boolean => matches.get(prediction)?.fdi === prediction.fdi;
  const namedMissing = permanentTeeth.filter(
    (fdi) =>
      !predictions.some((prediction) => prediction.fdi === fdi) &&
      !isHiddenUnerupted(teeth.find((tooth) => tooth.fdi === fdi)),
  );
  return {
    ...emptyFigures,
    images: 1,
    teeth: visibleTeeth.length,
    boxes: judged.length,
    found: found.length,
    numbered: found.filter(isRight).length,
    missing: {
      named: namedMissing.length,
      right: namedMissing.filter((fdi) =>
        teeth.some((tooth) => tooth.fdi === fdi && absentPresences.has(tooth.presence)),
      ).length,
    },
    claims: groupClaims(
      judged.flatMap((prediction) =>
        prediction.claim === null ? [] : [{ claim: prediction.claim, n: 1, right: isRight(prediction) ? 1 : 0 }],
      ),
    ),
  };
}

/** Pairs given boxes with teeth, each at most once, the largest overlap first. */
function matchTeeth(
  teeth: readonly LabelledTooth[],
  predictions: readonly PredictedTooth[],
): Map<PredictedTooth, LabelledTooth> {
  const overlaps = predictions.flatMap((prediction) =>
    teeth.flatMap((tooth) =>
      tooth.box ? [{ one: prediction, tooth, share: intersectionOverUnion(prediction.box, tooth.box) }] : [],
    ),
  );
  const matches = new Map<PredictedTooth, LabelledTooth>();
  const matchedTeeth = new Set<LabelledTooth>();
  for (const { one: prediction, tooth, share: overlap } of overlaps.toSorted((a, b) => b.share - a.share)) {
    if (overlap < trialLimits.cover || matches.has(prediction) || matchedTeeth.has(tooth)) continue;
    matches.set(prediction, tooth);
    matchedTeeth.add(tooth);
  }
  return matches;
}

/** An implant's box, and a tooth that may be hidden in the bone, cannot be judged right or wrong. */
const canBeJudged = (
  prediction: PredictedTooth,
  match: LabelledTooth | undefined,
  teeth: readonly LabelledTooth[],
): boolean =>
  match
    ? !absentPresences.has(match.presence)
    : !isHiddenUnerupted(teeth.find((tooth) => tooth.fdi === prediction.fdi));
const isHiddenUnerupted = (tooth: LabelledTooth | undefined): boolean =>
  tooth?.presence === "unerupted" && tooth.box === null;

/** The sum of the figures of several images or sets. */
export const sumFigures = (all: readonly TrialFigures[]): TrialFigures =>
  all.reduce(
    (sum, prediction) => ({
      images: sum.images + prediction.images,
      leftOut: {
        notHeldBack: sum.leftOut.notHeldBack + prediction.leftOut.notHeldBack,
        notWhole: sum.leftOut.notWhole + prediction.leftOut.notWhole,
        ownBoxes: sum.leftOut.ownBoxes + prediction.leftOut.ownBoxes,
        twice: sum.leftOut.twice + prediction.leftOut.twice,
        unfit: sum.leftOut.unfit + prediction.leftOut.unfit,
      },
      failed: sum.failed + prediction.failed,
      teeth: sum.teeth + prediction.teeth,
      boxes: sum.boxes + prediction.boxes,
      found: sum.found + prediction.found,
      numbered: sum.numbered + prediction.numbered,
      missing: {
        named: sum.missing.named + prediction.missing.named,
        right: sum.missing.right + prediction.missing.right,
      },
      claims: groupClaims([...sum.claims, ...prediction.claims]),
    }),
    emptyFigures,
  );

type Claim = TrialFigures["claims"][number];
const groupClaims = (claims: readonly Claim[]): Claim[] =>
  [...Map.groupBy(claims, ({ claim }) => claim)]
    .map(([claim, alike]) => ({
      claim,
      n: alike.reduce((sum, { n }) => sum + n, 0),
      right: alike.reduce((sum, { right }) => sum + right, 0),
    }))
    .toSorted((a, b) => a.claim - b.claim);

/** The F1 score: twice the matches, divided by the given plus the existing; 0 if there is neither. */
const f1Score = (matched: number, predictions: number, existing: number): number =>
  predictions + existing === 0 ? 0 : (2 * matched) / (predictions + existing);
/** F1 of teeth found, regardless of their number. */
export const detectionF1 = ({ found, boxes, teeth }: TrialFigures): number => f1Score(found, boxes, teeth);
/** F1 of teeth found under their own number: from the image to the chart. */
export const numberingF1 = ({ numbered, boxes, teeth }: TrialFigures): number => f1Score(numbered, boxes, teeth);
/** The share that is right of the teeth that the pack's silence calls missing; null: it called none so. */
export const missingPrecision = ({ missing: { named: namedMissing, right } }: TrialFigures): number | null =>
  namedMissing === 0 ? null : right / namedMissing;
/**
 * Returns the largest difference between the observed and the claimed accuracy, over the claims that were made often
 * enough; null if there were none.
 */
export function maxClaimError({ claims }: TrialFigures): number | null {
  const frequentClaims = claims.filter(({ n }) => n >= trialLimits.claims);
  return frequentClaims.length === 0
    ? null
    : Math.max(...frequentClaims.map(({ claim, n, right }) => Math.abs(right / n - claim)));
}

/** Returns the reasons not to rely on a pack, in the order of their display; an empty list means that it has passed. */
export function findTrialFaults(figures: TrialFigures): TrialFault[] {
  const error = maxClaimError(figures);
  const faults: [TrialFault, boolean][] = [
    ["imagesFew", figures.images < trialLimits.images],
    ["detectionLow", detectionF1(figures) < trialLimits.detection],
    ["numberingLow", numberingF1(figures) < trialLimits.numbering],
    ["claimsNone", figures.claims.length === 0],
    ["claimsFew", figures.claims.length > 0 && error === null],
    // 1 is more than 0.03 over 0.97 in binary.
    ["claimsOff", error !== null && error > trialLimits.calibration + 1e-9],
  ];
  return faults.filter(([, is]) => is).map(([fault]) => fault);
}

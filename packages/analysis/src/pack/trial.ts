import type { ImageLabels, TrialFault, TrialFigures } from "@arcada/contract/analysis/trial";
import { trialLimits } from "@arcada/contract/analysis/trial";
import type { Presence } from "@arcada/contract/chart/chart.shape";
import { permanentTeeth } from "@arcada/contract/kernel/tooth";
import type { Seen } from "../engine.ts";
import { cover, type Box } from "./scores.ts";

type Tooth = ImageLabels["teeth"][number];
/** A tooth as a pack gave it. */
export interface GivenTooth {
  fdi: number;
  box: Box;
  /** The share of such answers that are right, as the pack claims; null: it claims nothing. */
  claim: number | null;
}

export const noFigures: TrialFigures = {
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
export const givenTeeth = (observations: readonly Seen[]): GivenTooth[] =>
  observations.flatMap(({ code, target, geometry, confidence }) =>
    code === "TOOTH_BOX" && target.kind === "tooth" && geometry?.kind === "box"
      ? [{ fdi: target.fdi, box: geometry, claim: confidence.basis === "calibrated" ? confidence.p : null }]
      : [],
  );

/** Returns the reason to leave an image out of the trial of this engine; null if it counts. */
export function unfitFor({ kind, heldBack, teeth }: ImageLabels, engine: string): keyof TrialFigures["leftOut"] | null {
  if (kind !== "panorama") return "unfit";
  if (!heldBack) return "notHeldBack";
  const told = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  const isWhole =
    permanentTeeth.every((fdi) => (told.get(fdi)?.presence ?? "unknown") !== "unknown") &&
    teeth.every((tooth) => tooth.box !== null || !hasPlace[tooth.presence]);
  if (!isWhole) return "notWhole";
  // A dentist who looks at an engine's boxes tends to approve them: they are not ground truth for the engine that drew
  // them.
  // them.
  return teeth.some(({ boxBy }) => boxBy?.split(" ")[0] === engine) ? "ownBoxes" : null;
}

/** A tooth of this state is to be seen where it is. What has not erupted may not be seen at all. */
const hasPlace: Record<Presence, boolean> = {
  present: true,
  impacted: true,
  root: true,
  unerupted: false,
  missing: false,
  implant: false,
  pontic: false,
  unknown: false,
};
const isGone: ReadonlySet<Presence> = new Set(["missing", "implant", "pontic"]);

/**
 * Returns the figures of one image.
 * @param given boxes in the image's own pixels; null if the pack failed
 */
export function figuresOf({ teeth }: ImageLabels, given: readonly GivenTooth[] | null): TrialFigures {
  const real = teeth.filter(({ presence, box }) => box !== null && !isGone.has(presence));
  if (given === null) return { ...noFigures, images: 1, failed: 1, teeth: real.length };
  const pairs = paired(teeth, given);
  const counted = given.filter((one) => isJudged(one, pairs.get(one), teeth));
  const found = counted.filter((one) => pairs.has(one));
  const isRight = (one: GivenTooth): boolean => pairs.get(one)?.fdi === one.fdi;
  const named = permanentTeeth.filter(
    (fdi) => !given.some((one) => one.fdi === fdi) && !isUnseen(teeth.find((tooth) => tooth.fdi === fdi)),
  );
  return {
    ...noFigures,
    images: 1,
    teeth: real.length,
    boxes: counted.length,
    found: found.length,
    numbered: found.filter(isRight).length,
    missing: {
      named: named.length,
      right: named.filter((fdi) => teeth.some((tooth) => tooth.fdi === fdi && isGone.has(tooth.presence))).length,
    },
    claims: claimsOf(
      counted.flatMap((one) => (one.claim === null ? [] : [{ claim: one.claim, n: 1, right: isRight(one) ? 1 : 0 }])),
    ),
  };
}

/** Pairs given boxes with teeth, each at most once, the largest overlap first. */
function paired(teeth: readonly Tooth[], given: readonly GivenTooth[]): Map<GivenTooth, Tooth> {
  const all = given.flatMap((one) =>
    teeth.flatMap((tooth) => (tooth.box ? [{ one, tooth, share: cover(one.box, tooth.box) }] : [])),
  );
  const pairs = new Map<GivenTooth, Tooth>();
  const taken = new Set<Tooth>();
  for (const { one, tooth, share } of all.toSorted((a, b) => b.share - a.share)) {
    if (share < trialLimits.cover || pairs.has(one) || taken.has(tooth)) continue;
    pairs.set(one, tooth);
    taken.add(tooth);
  }
  return pairs;
}

/** An implant's box, and a tooth that may be hidden in the bone, cannot be judged right or wrong. */
const isJudged = (one: GivenTooth, on: Tooth | undefined, teeth: readonly Tooth[]): boolean =>
  on ? !isGone.has(on.presence) : !isUnseen(teeth.find((tooth) => tooth.fdi === one.fdi));
const isUnseen = (tooth: Tooth | undefined): boolean => tooth?.presence === "unerupted" && tooth.box === null;

/** The sum of the figures of several images or sets. */
export const summed = (all: readonly TrialFigures[]): TrialFigures =>
  all.reduce(
    (sum, one) => ({
      images: sum.images + one.images,
      leftOut: {
        notHeldBack: sum.leftOut.notHeldBack + one.leftOut.notHeldBack,
        notWhole: sum.leftOut.notWhole + one.leftOut.notWhole,
        ownBoxes: sum.leftOut.ownBoxes + one.leftOut.ownBoxes,
        twice: sum.leftOut.twice + one.leftOut.twice,
        unfit: sum.leftOut.unfit + one.leftOut.unfit,
      },
      failed: sum.failed + one.failed,
      teeth: sum.teeth + one.teeth,
      boxes: sum.boxes + one.boxes,
      found: sum.found + one.found,
      numbered: sum.numbered + one.numbered,
      missing: { named: sum.missing.named + one.missing.named, right: sum.missing.right + one.missing.right },
      claims: claimsOf([...sum.claims, ...one.claims]),
    }),
    noFigures,
  );

type Claim = TrialFigures["claims"][number];
const claimsOf = (claims: readonly Claim[]): Claim[] =>
  [...Map.groupBy(claims, ({ claim }) => claim)]
    .map(([claim, alike]) => ({
      claim,
      n: alike.reduce((sum, { n }) => sum + n, 0),
      right: alike.reduce((sum, { right }) => sum + right, 0),
    }))
    .toSorted((a, b) => a.claim - b.claim);

/** The F1 score: twice the matches, divided by the given plus the existing; 0 if there is neither. */
const harmonic = (both: number, given: number, there: number): number =>
  given + there === 0 ? 0 : (2 * both) / (given + there);
/** F1 of teeth found, regardless of their number. */
export const detectionOf = ({ found, boxes, teeth }: TrialFigures): number => harmonic(found, boxes, teeth);
/** F1 of teeth found under their own number: from the image to the chart. */
export const numberingOf = ({ numbered, boxes, teeth }: TrialFigures): number => harmonic(numbered, boxes, teeth);
/** The share that is right of the teeth that the pack's silence calls missing; null: it called none so. */
export const missingRightOf = ({ missing: { named, right } }: TrialFigures): number | null =>
  named === 0 ? null : right / named;
/**
 * Returns the largest difference between the observed and the claimed accuracy, over the claims that were made often
 * enough; null if there were none.
 */
export function claimErrorOf({ claims }: TrialFigures): number | null {
  const often = claims.filter(({ n }) => n >= trialLimits.claims);
  return often.length === 0 ? null : Math.max(...often.map(({ claim, n, right }) => Math.abs(right / n - claim)));
}

/** Returns the reasons not to rely on a pack, in the order of their display; an empty list means that it has passed. */
export function trialFaultsOf(figures: TrialFigures): TrialFault[] {
  const error = claimErrorOf(figures);
  const faults: [TrialFault, boolean][] = [
    ["imagesFew", figures.images < trialLimits.images],
    ["detectionLow", detectionOf(figures) < trialLimits.detection],
    ["numberingLow", numberingOf(figures) < trialLimits.numbering],
    ["claimsNone", figures.claims.length === 0],
    ["claimsFew", figures.claims.length > 0 && error === null],
    // 1 is more than 0.03 over 0.97 in binary.
    ["claimsOff", error !== null && error > trialLimits.calibration + 1e-9],
  ];
  return faults.filter(([, is]) => is).map(([fault]) => fault);
}

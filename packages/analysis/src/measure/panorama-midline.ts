import { boxBlur, newGrid, normaliseLocally, type Grid } from "./pixel-grid.ts";
import { parabolaHeightAt, type Parabola } from "./fit-parabola.ts";

export interface Midline {
  /** The crossing of the midline and the line between the teeth, in columns of the image. */
  column: number;
  /**
   * The extra width with which the right side of the image shows the patient, at its edge, as a share of its half;
   * negative: narrower.
   */
  turn: number;
  /** The reason not to report the midline; null if the cues agree. */
  rejection: string | null;
}

/**
 * The midline of the teeth in a shrunk panorama. Three correlations of mirrored bands (teeth, teeth with roots, both jaws)
 * are added to the correlations of nose and chin, to the dark contacts of the incisors and to the bright bite block of
 * the machine, if there is one. The bands are compared under several degrees of turning of the head, because a turned
 * head is shown wider on one side. Where bands, nose and chin each prefer another place, there is no answer.
 *
 * `grid`: scaled to 0 … 1; `normalisedGrid`: the same, locally normalised; `fit`: the line between the teeth, in pixels of both.
 */
export function findMidline(grid: Grid, normalisedGrid: Grid, fit: Parabola): Midline {
  const cues = computeCues(grid, normalisedGrid, fit);
  const sum = rotations.map((rotation, rotationIndex) =>
    candidateColumns(normalisedGrid).map(
      (_, candidate) =>
        Object.values(cues).reduce((total, cue) => total + weightedScore(cue, rotationIndex, candidate), 0) -
        rotationCost * Math.abs(rotation),
    ),
  );
  const best = findBestScore(sum);
  return {
    column:
      (candidateColumn(normalisedGrid, 0) + best.place + parabolicPeakOffset(sum[best.turn], best.place)) *
      stripReduction,
    turn: rotations[best.turn],
    rejection: rejectionReason(cues, sum, best, normalisedGrid.columns / stripReduction),
  };
}

/** The evidence of one cue for each place: for each rotation of the head, or the same for all. */
interface MidlineCue {
  weight: number;
  scores: number[][];
}
type MidlineCueName = "teeth" | "roots" | "jaws" | "nose" | "chin" | "block" | "upperContact" | "lowerContact";

const weightedScore = ({ weight, scores }: MidlineCue, rotation: number, candidate: number): number =>
  weight * scores[Math.min(rotation, scores.length - 1)][candidate];

/** Shares of the width are compared with those of `flat.columns / coarse` samples. */
const stripReduction = 2;
/** The largest distance of the midline from the middle, as a share of the width. */
const searchHalfWidth = 0.12;
/** By how much one side is wider than the other at the edge of the image, as a share of its half. */
const rotations = [-0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15] as const;
/** A turned head needs evidence: the likeness that a full turn must gain. */
const rotationCost = 1;

const candidateColumn = ({ columns }: Grid, candidate: number): number =>
  Math.round((0.5 - searchHalfWidth) * (columns / stripReduction)) + candidate;
const candidateColumns = (normalisedGrid: Grid): number[] =>
  Array.from(
    {
      length:
        Math.round((0.5 + searchHalfWidth) * (normalisedGrid.columns / stripReduction)) -
        candidateColumn(normalisedGrid, 0) +
        1,
    },
    (_, index) => candidateColumn(normalisedGrid, index),
  );

/** Heights are shares of the width below the line between the teeth. Weights: docs/analysis.md. */
function computeCues(grid: Grid, normalisedGrid: Grid, fit: Parabola): Record<MidlineCueName, MidlineCue> {
  const candidates = candidateColumns(normalisedGrid);
  const widelyNormalised = normaliseLocally(grid, Math.round(grid.columns / 5), 0.05);
  const blurredStrip = (from: Grid, top: number, bottom: number, blur: number, clip: number): Grid =>
    boxBlur(straightenStrip(from, fit, { top, bottom, clip }), blur, blur);
  const mirrorScores = (strip: Grid, side: number, triedRotations: readonly number[]): number[][] =>
    triedRotations.map((rotation) => candidates.map((centre) => mirrorCorrelation(strip, centre, side, rotation)));
  const noRotation = [0];
  return {
    teeth: { weight: 1, scores: mirrorScores(blurredStrip(normalisedGrid, -0.12, 0.12, 1, 1), 0.24, rotations) },
    roots: { weight: 1, scores: mirrorScores(blurredStrip(normalisedGrid, -0.2, 0.2, 2, 1), 0.3, rotations) },
    jaws: { weight: 1, scores: mirrorScores(blurredStrip(widelyNormalised, -0.2, 0.2, 4, 1.5), 0.4, rotations) },
    nose: { weight: 0.5, scores: mirrorScores(blurredStrip(widelyNormalised, -0.34, -0.12, 2, 1.5), 0.14, noRotation) },
    chin: { weight: 0.5, scores: mirrorScores(blurredStrip(widelyNormalised, 0.1, 0.3, 3, 1.5), 0.16, noRotation) },
    block: { weight: 0.1, scores: [localBrightness(blurredStrip(normalisedGrid, -0.012, 0.012, 0, 1.5), candidates)] },
    upperContact: {
      weight: 0.3,
      scores: [localDarkness(blurredStrip(normalisedGrid, -0.07, -0.015, 0, 1.5), candidates)],
    },
    lowerContact: {
      weight: 0.3,
      scores: [localDarkness(blurredStrip(normalisedGrid, 0.02, 0.07, 0, 1.5), candidates)],
    },
  };
}

/** A horizontal strip of the image along the parabola, columns perpendicular to it, each value for `stripReduction` pixels. */
function straightenStrip(
  { columns, rows, data }: Grid,
  fit: Parabola,
  { top, bottom, clip }: { top: number; bottom: number; clip: number },
): Grid {
  const strip = newGrid(Math.floor(columns / stripReduction), Math.round(((bottom - top) * columns) / stripReduction));
  for (let row = 0; row < strip.rows; row++) {
    const rowOffset = top * columns + row * stripReduction;
    for (let column = 0; column < strip.columns; column++) {
      const columnOffset = (column + 0.5) * stripReduction - columns / 2;
      const x = Math.round(columnOffset - rowOffset * fit.slope + columns / 2 - 0.5);
      const y = Math.round(parabolaHeightAt(fit, columnOffset) + rowOffset - 0.5);
      const isInside = x >= 0 && x < columns && y >= 0 && y < rows;
      // A crown of metal or a lost tooth on one side alone must not weigh more than teeth do.
      strip.data[row * strip.columns + column] = isInside ? Math.max(-clip, Math.min(clip, data[y * columns + x])) : 0;
    }
  }
  return strip;
}

/**
 * Correlation of the right side with the left, mirrored at the edge before `centre`; `side`: the compared part of each,
 * as a share of the width. Positions that are outside the image on one side are not compared.
 */
function mirrorCorrelation({ columns, rows, data }: Grid, centre: number, side: number, rotation: number): number {
  let [n, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let rowOffset = 0.5, end = Math.round(side * columns); rowOffset < end; rowOffset++) {
    const rotationShift = (rotation * rowOffset * rowOffset) / (columns / 2);
    const right = Math.round(centre + rowOffset - rotationShift - 0.5);
    const left = Math.round(centre - rowOffset - rotationShift - 0.5);
    if (left < 0 || right >= columns) continue;
    // Neighbouring rows of a strip are alike: every second one is enough.
    for (let row = 0; row < rows * columns; row += 2 * columns) {
      const [one, other] = [data[row + right], data[row + left]];
      n++;
      a += one;
      b += other;
      aa += one * one;
      bb += other * other;
      ab += one * other;
    }
  }
  const normalisation = Math.sqrt((aa - (a * a) / n) * (bb - (b * b) / n));
  return normalisation > 0 ? (ab - (a * b) / n) / normalisation : 0;
}

/** Means of the columns of a strip. */
function columnProfile({ columns, rows, data }: Grid): Grid {
  const profile = newGrid(columns, 1);
  for (let index = 0; index < rows * columns; index++) profile.data[index % columns] += data[index] / rows;
  return profile;
}

/** A contact between two teeth is a thin line that is darker than its surroundings. */
function localDarkness(strip: Grid, candidates: readonly number[]): number[] {
  const profile = columnProfile(strip);
  const narrowMean = boxBlur(profile, 5, 0);
  const darkness = narrowMean.data.map((value, index) => value - profile.data[index]);
  return candidates.map((centre) => (darkness[centre] + darkness[centre - 1]) / 2);
}

/** The bite block of many machines is a bright bar between the incisors, a twentieth of the width. */
function localBrightness(strip: Grid, candidates: readonly number[]): number[] {
  const profile = columnProfile(strip);
  const [narrowMean, wideMean] = [boxBlur(profile, 6, 0), boxBlur(profile, 25, 0)];
  const brightness = narrowMean.data.map((value, index) => value - wideMean.data[index]);
  return candidates.map((centre) => (brightness[centre] + brightness[centre - 1]) / 2);
}

interface BestScore {
  turn: number;
  place: number;
}

function findBestScore(scores: readonly (readonly number[])[], penaltyFor = (_turn: number): number => 0): BestScore {
  let best = { turn: 0, place: 0 };
  const valueAt = ({ turn: rotation, place: candidate }: BestScore): number =>
    scores[rotation][candidate] - penaltyFor(rotation);
  scores.forEach((row, rotation) =>
    row.forEach((_, candidate) => {
      if (valueAt({ turn: rotation, place: candidate }) > valueAt(best)) best = { turn: rotation, place: candidate };
    }),
  );
  return best;
}

/** Shares of the width, chosen on one half of the radiographs and validated on the other: docs/analysis.md. */
const agreementLimits = { bands: 0.02, bones: 0.025, apart: 0.022, margin: 0.2 } as const;

function rejectionReason(
  cues: Record<MidlineCueName, MidlineCue>,
  sum: number[][],
  best: BestScore,
  columns: number,
): string | null {
  const relativeDistance = ({ scores }: MidlineCue): number => {
    const ownBest = findBestScore(scores, (rotation) =>
      scores.length > 1 ? rotationCost * Math.abs(rotations[rotation]) : 0,
    );
    return Math.abs(ownBest.place - best.place) / columns;
  };
  if (Math.max(relativeDistance(cues.roots), relativeDistance(cues.jaws)) > agreementLimits.bands)
    return "teeth and jaws mirror at different lines";
  if (Math.min(relativeDistance(cues.nose), relativeDistance(cues.chin)) > agreementLimits.bones)
    return "nose and chin lie elsewhere than the teeth";
  const rivals = sum.flatMap((row) =>
    row.filter((_, index) => Math.abs(index - best.place) > agreementLimits.apart * columns),
  );
  const isUnrivalled = sum[best.turn][best.place] - Math.max(...rivals) > agreementLimits.margin;
  return isUnrivalled ? null : "more than one line mirrors the sides";
}

/** Returns the offset, in samples, of the peak of a parabola through three samples. */
function parabolicPeakOffset(values: readonly number[], index: number): number {
  const [before, top, after] = [values[index - 1], values[index], values[index + 1]];
  const curvature = before - 2 * top + after;
  return Number.isFinite(curvature) && curvature < 0 ? (before - after) / (2 * curvature) : 0;
}

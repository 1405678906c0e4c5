import { boxed, newGrid, normalised, type Grid } from "./grid.ts";
import { heightAt, type Parabola } from "./pan-fit.ts";

export interface Midline {
  /** The crossing of the midline and the line between the teeth, in columns of the image. */
  column: number;
  /**
   * The extra width with which the right side of the image shows the patient, at its edge, as a share of its half;
   * negative: narrower.
   */
  turn: number;
  /** The reason not to report the midline; null if the cues agree. */
  doubt: string | null;
}

/**
 * The midline of the teeth in a shrunk panorama. Three correlations of mirrored bands (teeth, teeth with roots, both jaws)
 * are added to the correlations of nose and chin, to the dark contacts of the incisors and to the bright bite block of
 * the machine, if there is one. The bands are compared under several degrees of turning of the head, because a turned
 * head is shown wider on one side. Where bands, nose and chin each prefer another place, there is no answer.
 *
 * `grid`: scaled to 0 … 1; `flat`: the same, locally normalised; `fit`: the line between the teeth, in pixels of both.
 */
export function midlineOf(grid: Grid, flat: Grid, fit: Parabola): Midline {
  const cues = cuesOf(grid, flat, fit);
  const sum = turns.map((turn, at) =>
    places(flat).map(
      (_, place) =>
        Object.values(cues).reduce((total, cue) => total + valueOf(cue, at, place), 0) - turnCost * Math.abs(turn),
    ),
  );
  const best = summit(sum);
  return {
    column: (placeOf(flat, 0) + best.place + peakShift(sum[best.turn], best.place)) * coarse,
    turn: turns[best.turn],
    doubt: doubtOf(cues, sum, best, flat.columns / coarse),
  };
}

/** The evidence of one cue for each place: for each rotation of the head, or the same for all. */
interface Cue {
  weight: number;
  scores: number[][];
}
type CueName = "teeth" | "roots" | "jaws" | "nose" | "chin" | "block" | "upperContact" | "lowerContact";

const valueOf = ({ weight, scores }: Cue, turn: number, place: number): number =>
  weight * scores[Math.min(turn, scores.length - 1)][place];

/** Shares of the width are compared with those of `flat.columns / coarse` samples. */
const coarse = 2;
/** The largest distance of the midline from the middle, as a share of the width. */
const searched = 0.12;
/** By how much one side is wider than the other at the edge of the image, as a share of its half. */
const turns = [-0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15] as const;
/** A turned head needs evidence: the likeness that a full turn must gain. */
const turnCost = 1;

const placeOf = ({ columns }: Grid, place: number): number => Math.round((0.5 - searched) * (columns / coarse)) + place;
const places = (flat: Grid): number[] =>
  Array.from({ length: Math.round((0.5 + searched) * (flat.columns / coarse)) - placeOf(flat, 0) + 1 }, (_, at) =>
    placeOf(flat, at),
  );

/** Heights are shares of the width below the line between the teeth. Weights: docs/analysis.md. */
function cuesOf(grid: Grid, flat: Grid, fit: Parabola): Record<CueName, Cue> {
  const middles = places(flat);
  const wide = normalised(grid, Math.round(grid.columns / 5), 0.05);
  const stripOf = (from: Grid, top: number, bottom: number, blur: number, clip: number): Grid =>
    boxed(stripAlong(from, fit, { top, bottom, clip }), blur, blur);
  const mirrored = (strip: Grid, side: number, tries: readonly number[]): number[][] =>
    tries.map((turn) => middles.map((middle) => likeness(strip, middle, side, turn)));
  const upright = [0];
  return {
    teeth: { weight: 1, scores: mirrored(stripOf(flat, -0.12, 0.12, 1, 1), 0.24, turns) },
    roots: { weight: 1, scores: mirrored(stripOf(flat, -0.2, 0.2, 2, 1), 0.3, turns) },
    jaws: { weight: 1, scores: mirrored(stripOf(wide, -0.2, 0.2, 4, 1.5), 0.4, turns) },
    nose: { weight: 0.5, scores: mirrored(stripOf(wide, -0.34, -0.12, 2, 1.5), 0.14, upright) },
    chin: { weight: 0.5, scores: mirrored(stripOf(wide, 0.1, 0.3, 3, 1.5), 0.16, upright) },
    block: { weight: 0.1, scores: [brighter(stripOf(flat, -0.012, 0.012, 0, 1.5), middles)] },
    upperContact: { weight: 0.3, scores: [darker(stripOf(flat, -0.07, -0.015, 0, 1.5), middles)] },
    lowerContact: { weight: 0.3, scores: [darker(stripOf(flat, 0.02, 0.07, 0, 1.5), middles)] },
  };
}

/** A horizontal strip of the image along the parabola, columns perpendicular to it, each value for `coarse` pixels. */
function stripAlong(
  { columns, rows, data }: Grid,
  fit: Parabola,
  { top, bottom, clip }: { top: number; bottom: number; clip: number },
): Grid {
  const strip = newGrid(Math.floor(columns / coarse), Math.round(((bottom - top) * columns) / coarse));
  for (let row = 0; row < strip.rows; row++) {
    const off = top * columns + row * coarse;
    for (let column = 0; column < strip.columns; column++) {
      const along = (column + 0.5) * coarse - columns / 2;
      const x = Math.round(along - off * fit.slope + columns / 2 - 0.5);
      const y = Math.round(heightAt(fit, along) + off - 0.5);
      const inside = x >= 0 && x < columns && y >= 0 && y < rows;
      // A crown of metal or a lost tooth on one side alone must not weigh more than teeth do.
      strip.data[row * strip.columns + column] = inside ? Math.max(-clip, Math.min(clip, data[y * columns + x])) : 0;
    }
  }
  return strip;
}

/**
 * Correlation of the right side with the left, mirrored at the edge before `middle`; `side`: the compared part of each,
 * as a share of the width. Positions that are outside the image on one side are not compared.
 */
function likeness({ columns, rows, data }: Grid, middle: number, side: number, turn: number): number {
  let [n, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let off = 0.5, end = Math.round(side * columns); off < end; off++) {
    const wider = (turn * off * off) / (columns / 2);
    const right = Math.round(middle + off - wider - 0.5);
    const left = Math.round(middle - off - wider - 0.5);
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
  const spread = Math.sqrt((aa - (a * a) / n) * (bb - (b * b) / n));
  return spread > 0 ? (ab - (a * b) / n) / spread : 0;
}

/** Means of the columns of a strip. */
function profileOf({ columns, rows, data }: Grid): Grid {
  const profile = newGrid(columns, 1);
  for (let at = 0; at < rows * columns; at++) profile.data[at % columns] += data[at] / rows;
  return profile;
}

/** A contact between two teeth is a thin line that is darker than its surroundings. */
function darker(strip: Grid, middles: readonly number[]): number[] {
  const profile = profileOf(strip);
  const near = boxed(profile, 5, 0);
  const darkness = near.data.map((value, at) => value - profile.data[at]);
  return middles.map((middle) => (darkness[middle] + darkness[middle - 1]) / 2);
}

/** The bite block of many machines is a bright bar between the incisors, a twentieth of the width. */
function brighter(strip: Grid, middles: readonly number[]): number[] {
  const profile = profileOf(strip);
  const [near, wide] = [boxed(profile, 6, 0), boxed(profile, 25, 0)];
  const brightness = near.data.map((value, at) => value - wide.data[at]);
  return middles.map((middle) => (brightness[middle] + brightness[middle - 1]) / 2);
}

interface Summit {
  turn: number;
  place: number;
}

function summit(scores: readonly (readonly number[])[], costOf = (_turn: number): number => 0): Summit {
  let best = { turn: 0, place: 0 };
  const valueAt = ({ turn, place }: Summit): number => scores[turn][place] - costOf(turn);
  scores.forEach((row, turn) =>
    row.forEach((_, place) => {
      if (valueAt({ turn, place }) > valueAt(best)) best = { turn, place };
    }),
  );
  return best;
}

/** Shares of the width, chosen on one half of the radiographs and validated on the other: docs/analysis.md. */
const agreed = { bands: 0.02, bones: 0.025, apart: 0.022, margin: 0.2 } as const;

function doubtOf(cues: Record<CueName, Cue>, sum: number[][], best: Summit, columns: number): string | null {
  const offOf = ({ scores }: Cue): number => {
    const own = summit(scores, (turn) => (scores.length > 1 ? turnCost * Math.abs(turns[turn]) : 0));
    return Math.abs(own.place - best.place) / columns;
  };
  if (Math.max(offOf(cues.roots), offOf(cues.jaws)) > agreed.bands) return "teeth and jaws mirror at different lines";
  if (Math.min(offOf(cues.nose), offOf(cues.chin)) > agreed.bones) return "nose and chin lie elsewhere than the teeth";
  const rivals = sum.flatMap((row) => row.filter((_, at) => Math.abs(at - best.place) > agreed.apart * columns));
  const isAlone = sum[best.turn][best.place] - Math.max(...rivals) > agreed.margin;
  return isAlone ? null : "more than one line mirrors the sides";
}

/** Returns the offset, in samples, of the peak of a parabola through three samples. */
function peakShift(values: readonly number[], at: number): number {
  const [before, top, after] = [values[at - 1], values[at], values[at + 1]];
  const bend = before - 2 * top + after;
  return Number.isFinite(bend) && bend < 0 ? (before - after) / (2 * bend) : 0;
}

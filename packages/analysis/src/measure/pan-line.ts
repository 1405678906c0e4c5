import { boxed, median, newGrid, percentiles, type Grid } from "./grid.ts";
import { heightAt, robustParabola, type Parabola } from "./pan-fit.ts";

/**
 * The dark gap between the rows of teeth: a row for each column from `first` on, and the parabola that follows most of
 * it.
 */
export interface GapLine {
  first: number;
  rows: Float32Array;
  /**
   * True if teeth are visible both above and below the line at this column. Elsewhere the line is a guess between such
   * columns.
   */
  seen: boolean[];
  fit: Parabola;
  /**
   * The share of the columns nearer the middle in which teeth are seen on both sides; `uneven` describes those columns
   * alone.
   */
  seenShare: number;
  /** Median distance from the parabola, in pixels. */
  uneven: number;
  /**
   * The darkness of the line against its surroundings above and below, weighted by how much they resemble teeth: the
   * median, and the lower quartile of the columns.
   */
  depth: { usual: number; faint: number };
  /**
   * The depth along the same parabola at the next best height, as a share of its own depth: near 1 if there is not one
   * clear gap.
   */
  rival: number;
  /**
   * The horizontal variation of the image above and below the line, which teeth cause: 0.2 is usual, below 0.12 there
   * are no teeth.
   */
  texture: number;
}

/**
 * The gap between upper and lower teeth in a panorama that has been shrunk and locally normalised: valleys of three
 * thicknesses, joined by dynamic programming with a weak prior for the middle.
 * After Jain and Chen's integral projection, made continuous ("Matching of dental X-ray images", 2004).
 */
export function gapLine(flat: Grid): GapLine {
  const { columns, rows } = flat;
  const change = changeAcross(flat);
  const teeth = toothness(change);
  const valley = toothValleys(flat, teeth);
  const inner = spanOf(columns, fitReach);
  const rough = joined(valley, inner, { steep: Math.sqrt(4.8) / rows, heightOf: () => (rows + 1) / 2 });
  const near = mostValley(valley, inner, robustParabola(inner.xs, [...rough].map(middleOf)));
  const along = joined(valley, inner, priorOf(near, columns));
  const fit = robustParabola(inner.xs, [...along].map(middleOf), trustsAlong(teeth, inner, along));
  const outer = spanOf(columns, lineReach);
  const line = joined(valley, outer, priorOf(fit, columns));
  const isSeen = seenBy(flat, teeth, inner.first, along);
  const kept = [...along.keys()].filter((at) => isSeen(along[at], inner.first + at));
  const depths = along.map((row, at) => valley.data[row * columns + inner.first + at]);
  const [faint, usual] = percentiles(depths, [0.25, 0.5]);
  return {
    first: outer.first,
    rows: line.map(middleOf),
    seen: Array.from(line, (row, at) => isSeen(row, outer.first + at)),
    fit,
    seenShare: kept.length / along.length,
    uneven: median(kept.map((at) => Math.abs(middleOf(along[at]) - heightAt(fit, inner.xs[at])))),
    depth: { usual, faint },
    rival: rivalOf(valley, inner, fit),
    texture: textureAlong(change, inner, along),
  };
}

/**
 * Returns a test for visible teeth both above and below the line at a position. A row that has lost a tooth varies less
 * from side to side, and the dark band is much thicker than elsewhere; there the line follows a gum or the other row's
 * edges.
 */
function seenBy(flat: Grid, teeth: Grid, first: number, line: Float32Array): (row: number, column: number) => boolean {
  const smooth = boxed(flat, Math.round(0.01 * flat.columns), 1);
  const teethAt = (row: number, column: number): number => teeth.data[row * flat.columns + column];
  const [usual] = percentiles(
    line.map((row, at) => teethAt(row, first + at)),
    [0.8],
  );
  const thick = median(Array.from(line, (row, at) => thicknessAt(smooth, row, first + at)));
  return (row, column) =>
    teethAt(row, column) >= leastTeeth * usual && thicknessAt(smooth, row, column) <= mostThick * thick;
}

/** The number of consecutive rows above and below this one that are darker than their surroundings. */
function thicknessAt({ columns, rows, data }: Grid, row: number, column: number): number {
  let [top, bottom] = [row, row];
  while (top > 0 && data[top * columns + column] < 0) top--;
  while (bottom < rows - 1 && data[bottom * columns + column] < 0) bottom++;
  return bottom - top;
}

/**
 * Limits relative to the usual value. 99.7 % of the columns that pass are right in drawn panoramas with lost teeth,
 * against 95.6 % of all columns.
 */
const leastTeeth = 0.6;
const mostThick = 2.5;

/**
 * Palate, tongue and a jaw without teeth also have dark bands between them, but nothing above or below these varies
 * from side to side.
 */
function textureAlong({ columns, rows, data }: Grid, { first }: Span, line: Float32Array): number {
  const off = Math.round(toothReach * columns);
  const changes = line.map((row, at) => {
    const [above, below] = [Math.max(0, row - off), Math.min(rows - 1, row + off)];
    return Math.min(data[above * columns + first + at], data[below * columns + first + at]);
  });
  return percentiles(changes, [0.5])[0];
}

function toothValleys(flat: Grid, { data: teeth }: Grid): Grid {
  const valley = valleys(flat);
  // A line through a crown is worse than one through nothing.
  const bright = boxed(flat, Math.round(0.006 * flat.columns), 1).data;
  for (let at = 0; at < teeth.length; at++)
    valley.data[at] = valley.data[at] * (toothless + teeth[at]) - throughCrown * Math.max(0, bright[at]);
  return valley;
}

/** Columns on either side of the middle; `xs` from the middle. */
interface Span {
  first: number;
  xs: readonly number[];
}

function spanOf(columns: number, reach: number): Span {
  const first = Math.round(columns * (0.5 - reach));
  return { first, xs: Array.from({ length: columns - 2 * first }, (_, at) => first + at + 0.5 - columns / 2) };
}

function rivalOf(valley: Grid, span: Span, fit: Parabola): number {
  const { columns, rows } = valley;
  const depthAt = (height: number): number => percentiles(depthsAlong(valley, span, { ...fit, height }), [0.5])[0];
  const own = Math.max(1e-6, depthAt(fit.height));
  let most = 0;
  for (let height = 0.15 * rows; height < 0.85 * rows; height++)
    if (Math.abs(height - fit.height) > 0.035 * columns) most = Math.max(most, depthAt(height) / own);
  return most;
}

function depthsAlong(
  { columns, rows, data }: Grid,
  { first, xs }: Span,
  fit: Parabola,
  depths: Float32Array = new Float32Array(xs.length),
): Float32Array {
  for (let at = 0; at < xs.length; at++) {
    const row = Math.round(heightAt(fit, xs[at]) - 0.5);
    depths[at] = row >= 0 && row < rows ? data[row * columns + first + at] : 0;
  }
  return depths;
}

/** The weight of a valley with nothing like a tooth above or below it: it is the gap of a lost tooth, or air. */
const toothless = 0.1;
const throughCrown = 0.3;
const middleOf = (row: number): number => row + 0.5;

/** Shares of the width on either side of the middle: in which both rows of teeth are nearly always seen, and in which there are teeth. */
const fitReach = 0.17;
const lineReach = 0.24;
/** Half thicknesses of the gap, as shares of the width. */
const scales = [0.006, 0.011, 0.018] as const;

/**
 * Computes for each pixel how much darker it is than the darker of the areas above and below it, with the best of the
 * scales.
 */
function valleys(flat: Grid): Grid {
  const { columns, rows } = flat;
  const out = newGrid(columns, rows);
  for (const scale of scales) {
    const half = Math.max(1, Math.round(scale * columns));
    const band = boxed(flat, Math.round(0.012 * columns), half);
    const beside = boxed(flat, Math.round(0.02 * columns), Math.round(1.6 * half));
    const off = Math.round(3.1 * half);
    for (let row = off; row < rows - off; row++) {
      for (let column = 0; column < columns; column++) {
        const at = row * columns + column;
        const [above, below] = [beside.data[at - off * columns], beside.data[at + off * columns]];
        out.data[at] = Math.max(out.data[at], Math.min(above, below) - band.data[at]);
      }
    }
  }
  return out;
}

/**
 * Computes the horizontal variation of the image, which crowns and the gaps between them cause; in standard deviations.
 */
function changeAcross(flat: Grid): Grid {
  const { columns, rows } = flat;
  const smooth = boxed(flat, Math.round(0.012 * columns), 0);
  const change = newGrid(columns, rows);
  for (let at = 0; at < change.data.length; at++)
    change.data[at] = Math.min(2, Math.abs(flat.data[at] - smooth.data[at]));
  return boxed(change, Math.round(0.05 * columns), Math.round(0.022 * columns));
}

/** From the gap to the middle of the crowns, as a share of the width. */
const toothReach = 0.04;

/**
 * Computes the variation both above and below a pixel, from 0 to 1. It is high between two rows of teeth and low at
 * palate, tongue or air.
 */
function toothness(change: Grid): Grid {
  const { columns, rows, data } = change;
  const most = percentiles(data, [0.97])[0] || 1;
  const off = Math.round(toothReach * columns);
  const out = newGrid(columns, rows);
  for (let row = off; row < rows - off; row++)
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      out.data[at] = Math.min(1, data[at - off * columns] / most, data[at + off * columns] / most);
    }
  return out;
}

/**
 * Returns the parabola, near a first one, that has valley in most columns: a deep valley in a few of them, such as the
 * gap of a missing tooth, counts no more than the rest.
 */
function mostValley(valley: Grid, span: Span, start: Parabola): Parabola {
  const depths = depthsAlong(valley, span, start);
  const enough = Math.max(0.1, 0.45 * percentiles(depths, [0.5])[0]);
  const score = (fit: Parabola): number => {
    depthsAlong(valley, span, fit, depths);
    let sum = 0;
    for (let at = 0; at < depths.length; at++) sum += Math.min(enough, depths[at]);
    return sum;
  };
  const starts = [-0.08, -0.04, 0, 0.04, 0.08].flatMap((slope) =>
    [0, -0.35, 0.35].map((bend) => ({
      ...start,
      slope: start.slope + slope,
      bend: start.bend + bend / valley.columns,
    })),
  );
  const ends = starts.map((one) => climbed(one, valley.columns, score));
  return ends.reduce((one, other) => (score(other) > score(one) ? other : one));
}

/** The best parabola near this one, by small steps in each of its numbers. */
function climbed(start: Parabola, columns: number, score: (fit: Parabola) => number): Parabola {
  let best = start;
  let most = score(start);
  const steps = [
    ["height", 0.012 * columns],
    ["slope", 0.05],
    ["bend", 0.25 / columns],
  ] as const;
  for (let size = 1; size > 0.05; size /= 2)
    for (let better = true, rounds = 0; better && rounds < 8; rounds++) {
      better = false;
      for (const [key, step] of steps)
        for (const sign of [-1, 1]) {
          const tried = { ...best, [key]: best[key] + sign * step * size };
          const found = score(tried);
          if (found > most + 1e-6) [best, most, better] = [tried, found, true];
        }
    }
  return best;
}

/**
 * Weights for the fit of the curve, highest where both rows have teeth. Where one row has lost its teeth, the line is
 * anywhere between the other row and the gum.
 */
const trustsAlong = ({ columns, data }: Grid, { first }: Span, line: Float32Array): number[] =>
  Array.from(line, (row, at) => Math.max(leastTrust, data[row * columns + first + at]) ** 2);
const leastTrust = 0.02;

/** The cost of a line's distance from a height: the squared distance in rows, times `steep`. */
interface Prior {
  steep: number;
  heightOf: (x: number) => number;
}

const priorOf = (fit: Parabola, columns: number): Prior => ({
  steep: 40 / columns,
  heightOf: (x) => heightAt(fit, x),
});

/** The line of most valley over the columns; it leaves a row for a neighbour at a price. */
function joined({ columns, rows, data }: Grid, { first, xs }: Span, { steep, heightOf }: Prior): Float32Array {
  const count = xs.length;
  const from = new Int8Array(rows * count);
  // Beyond the first and the last row nothing is reached.
  let [before, now] = [0, 1].map(() => new Float32Array(rows + 2 * mostMove).fill(-Infinity));
  before.fill(0, mostMove, rows + mostMove);
  for (let at = 0; at < count; at++) {
    const height = heightOf(xs[at]);
    for (let row = 0; row < rows; row++) {
      let [most, step] = [-Infinity, 0];
      for (let move = at === 0 ? 0 : -mostMove, end = -move; move <= end; move++) {
        const value = before[row + mostMove + move] - moveCost * move * move;
        if (value > most) [most, step] = [value, move];
      }
      const off = steep * (middleOf(row) - height);
      now[row + mostMove] = data[row * columns + first + at] - off * off + most;
      from[at * rows + row] = step;
    }
    [before, now] = [now, before];
  }
  const line = new Float32Array(count);
  let row = 0;
  for (let one = 1; one < rows; one++) if (before[one + mostMove] > before[row + mostMove]) row = one;
  for (let at = count - 1; at >= 0; at--) {
    line[at] = row;
    row += from[at * rows + row];
  }
  return line;
}

const mostMove = 2;
const moveCost = 0.25;

import { median } from "./grid.ts";
import type { GapLine } from "./pan-line.ts";
import type { Midline } from "./pan-midline.ts";

export interface Tilt {
  /** Degrees; positive: the image's right is lower. */
  degrees: number;
  /** The positions nearest to the first molars between which the tilt is measured, in pixels of the grid. */
  from: readonly [number, number];
  to: readonly [number, number];
}

/**
 * Measures how much lower the line between the teeth is on one side than at the same teeth of the other side, at equal
 * distances from the midline, over canines to molars. The slope in the middle of the image is a different quantity: if
 * the patient stands off-centre or turns the head, the bend of the row makes it steeper or less steep. Returns null if
 * too few pairs of positions show teeth on both sides of the line, or if the pairs do not agree.
 */
export function tiltOf({ first, rows, seen }: GapLine, { column, turn }: Midline, columns: number): Tilt | null {
  const pairs: Pair[] = [];
  for (let off = Math.round(nearest * columns); off <= farthest * columns; off++) {
    const wider = (turn * off * off) / (columns / 2);
    const [left, right] = [column - off - wider, column + off - wider];
    const [one, other] = [left, right].map((x) => Math.round(x - first - 0.5));
    if (seen[one] && seen[other]) pairs.push({ left, right, drop: rows[other] - rows[one] });
  }
  if (pairs.length < leastPairs * (farthest - nearest) * columns) return null;
  const [inner, outer] = [pairs.slice(0, pairs.length / 2), pairs.slice(pairs.length / 2)].map(steadySlope);
  if (Math.abs(Math.atan(inner) - Math.atan(outer)) > mostApart) return null;
  const slope = steadySlope(pairs);
  const { left, right } = pairs[pairs.length - 1];
  const [one, other] = [left, right].map((x) => rows[Math.round(x - first - 0.5)]);
  const middle = (one + other) / 2;
  const half = (slope * (right - left)) / 2;
  return { degrees: (Math.atan(slope) * 180) / Math.PI, from: [left, middle - half], to: [right, middle + half] };
}

interface Pair {
  left: number;
  right: number;
  drop: number;
}

/** Shares of the width from the midline: canine, and first or second molar. */
const nearest = 0.07;
const farthest = 0.24;
const leastPairs = 0.4;
/** Radians between the slope at the canines and premolars and that at the molars: beyond 1.2° one of them follows no teeth. */
const mostApart = (1.2 * Math.PI) / 180;

/** Least squares over the pairs, those far off weighing less each time (Tukey's biweight). */
function steadySlope(pairs: readonly Pair[]): number {
  let weights = pairs.map(() => 1);
  let slope = 0;
  for (let round = 0; round < 8; round++) {
    let [sum, squares] = [0, 0];
    pairs.forEach(({ left, right, drop }, at) => {
      sum += weights[at] * drop * (right - left);
      squares += weights[at] * (right - left) ** 2;
    });
    slope = sum / squares;
    const off = pairs.map(({ left, right, drop }) => Math.abs(drop - slope * (right - left)));
    const far = Math.max(1, 5 * median(off));
    weights = off.map((value) => (value >= far ? 0 : (1 - (value / far) ** 2) ** 2));
  }
  return slope;
}

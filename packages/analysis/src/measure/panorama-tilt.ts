import { median } from "./pixel-grid.ts";
import type { OcclusalLine } from "./panorama-occlusal-line.ts";
import type { Midline } from "./panorama-midline.ts";

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
export function measureTilt(
  { first, rows, isVisible }: OcclusalLine,
  { column: midlineColumn, turn: rotation }: Midline,
  columns: number,
): Tilt | null {
  const pairs: Pair[] = [];
  for (let offset = Math.round(minOffset * columns); offset <= maxOffset * columns; offset++) {
    const rotationShift = (rotation * offset * offset) / (columns / 2);
    const [left, right] = [midlineColumn - offset - rotationShift, midlineColumn + offset - rotationShift];
    const [leftIndex, rightIndex] = [left, right].map((x) => Math.round(x - first - 0.5));
    if (isVisible[leftIndex] && isVisible[rightIndex])
      pairs.push({ left, right, rowDifference: rows[rightIndex] - rows[leftIndex] });
  }
  if (pairs.length < minPairShare * (maxOffset - minOffset) * columns) return null;
  const [inner, outer] = [pairs.slice(0, pairs.length / 2), pairs.slice(pairs.length / 2)].map(robustSlope);
  if (Math.abs(Math.atan(inner) - Math.atan(outer)) > maxSlopeDifference) return null;
  const slope = robustSlope(pairs);
  const { left, right } = pairs[pairs.length - 1];
  const [leftIndex, rightIndex] = [left, right].map((x) => rows[Math.round(x - first - 0.5)]);
  const middle = (leftIndex + rightIndex) / 2;
  const half = (slope * (right - left)) / 2;
  return { degrees: (Math.atan(slope) * 180) / Math.PI, from: [left, middle - half], to: [right, middle + half] };
}

interface Pair {
  left: number;
  right: number;
  rowDifference: number;
}

/** Shares of the width from the midline: canine, and first or second molar. */
const minOffset = 0.07;
const maxOffset = 0.24;
const minPairShare = 0.4;
/** Radians between the slope at the canines and premolars and that at the molars: beyond 1.2° one of them follows no teeth. */
const maxSlopeDifference = (1.2 * Math.PI) / 180;

/** Least squares over the pairs, those far off weighing less each time (Tukey's biweight). */
function robustSlope(pairs: readonly Pair[]): number {
  let weights = pairs.map(() => 1);
  let slope = 0;
  for (let round = 0; round < 8; round++) {
    let [sum, squares] = [0, 0];
    pairs.forEach(({ left, right, rowDifference }, index) => {
      sum += weights[index] * rowDifference * (right - left);
      squares += weights[index] * (right - left) ** 2;
    });
    slope = sum / squares;
    const deviations = pairs.map(({ left, right, rowDifference }) => Math.abs(rowDifference - slope * (right - left)));
    const cutoff = Math.max(1, 5 * median(deviations));
    weights = deviations.map((value) => (value >= cutoff ? 0 : (1 - (value / cutoff) ** 2) ** 2));
  }
  return slope;
}

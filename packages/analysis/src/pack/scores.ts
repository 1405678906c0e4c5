import type { Confidence } from "@arcada/contract/analysis/observation";
import type { PackManifest } from "@arcada/contract/analysis/pack";

/** A rectangle in an image's pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Translates a score into a confidence: by the pack's calibration table the share of right answers, else the bare
 * score.
 */
export function confidenceOf(score: number, { calibration }: PackManifest): Confidence {
  const value = Math.min(1, Math.max(0, score));
  if (calibration === null) return { basis: "score", value };
  const bin = calibration.bins.find(([most]) => value <= most) ?? calibration.bins.at(-1);
  return { basis: "calibrated", p: bin?.[1] ?? 0, n: calibration.n, set: calibration.set };
}

/** Kept: the best of those that cover each other. */
export function withoutCovered<T extends { box: Box; score: number }>(found: readonly T[], most: number): T[] {
  const kept: T[] = [];
  for (const one of found.toSorted((a, b) => b.score - a.score))
    if (kept.every((other) => cover(one.box, other.box) <= most)) kept.push(one);
  return kept;
}

/** The intersection of two boxes divided by their union. */
export function cover(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (wide <= 0 || high <= 0) return 0;
  const shared = wide * high;
  return shared / (areaOf(a) + areaOf(b) - shared);
}

const areaOf = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

/** A box cut to an image; null if nothing of it is left. */
export function within(box: Box, columns: number, rows: number): Box | null {
  const cut = {
    left: Math.max(0, box.left),
    top: Math.max(0, box.top),
    right: Math.min(columns, box.right),
    bottom: Math.min(rows, box.bottom),
  };
  return cut.right > cut.left && cut.bottom > cut.top ? cut : null;
}

/**
 * Returns the maximum of each channel of a heatmap `[channel][row][column]`, interpolated between its cells; positions
 * from 0 to 1.
 */
export function peaksOf({
  dims: [channels, rows, columns],
  data,
}: {
  dims: readonly number[];
  data: Float32Array;
}): { score: number; x: number; y: number; cell: number }[] {
  return Array.from({ length: channels }, (_, channel) => {
    const start = channel * rows * columns;
    let best = start;
    for (let at = start; at < start + rows * columns; at++) if (data[at] > data[best]) best = at;
    const cell = best - start;
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const value = (r: number, c: number): number => data[start + r * columns + c];
    const x =
      column +
      (column > 0 && column < columns - 1 ? peakShift(value(row, column - 1), data[best], value(row, column + 1)) : 0);
    const y =
      row + (row > 0 && row < rows - 1 ? peakShift(value(row - 1, column), data[best], value(row + 1, column)) : 0);
    return { score: data[best], x: (x + 0.5) / columns, y: (y + 0.5) / rows, cell };
  });
}

/** Returns the offset, in samples, of the peak of a parabola through three samples. */
function peakShift(before: number, top: number, after: number): number {
  const bend = before - 2 * top + after;
  return bend < 0 ? (before - after) / (2 * bend) : 0;
}

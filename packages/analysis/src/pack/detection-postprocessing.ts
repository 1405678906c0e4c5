import type { Confidence } from "@arcada/contract/analysis/observation";
import type { PackManifest } from "@arcada/contract/analysis/engine-pack";

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
  const bin = calibration.bins.find(([maxOverlap]) => value <= maxOverlap) ?? calibration.bins.at(-1);
  return { basis: "calibrated", p: bin?.[1] ?? 0, n: calibration.n, set: calibration.set };
}

/** Goes from the highest score to the lowest and keeps each candidate that overlaps no kept one by more than `maxOverlap`. */
export function suppressNonMaxima<T extends { box: Box }>(
  candidates: readonly T[],
  maxOverlap: number,
  scoreOf: (candidate: T) => number,
): T[] {
  const selected: T[] = [];
  for (const candidate of candidates.toSorted((a, b) => scoreOf(b) - scoreOf(a)))
    if (selected.every((other) => intersectionOverUnion(candidate.box, other.box) <= maxOverlap))
      selected.push(candidate);
  return selected;
}

/** The intersection of two boxes divided by their union. */
export function intersectionOverUnion(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const intersection = width * height;
  return intersection / (boxArea(a) + boxArea(b) - intersection);
}

const boxArea = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

/**
 * Returns the maximum of each channel of a heatmap `[channel][row][column]`, interpolated between its cells; positions
 * from 0 to 1.
 */
export function heatmapPeaks({
  dims: [channels, rows, columns],
  data,
}: {
  dims: readonly number[];
  data: Float32Array;
}): { score: number; x: number; y: number; cell: number }[] {
  return Array.from({ length: channels }, (_, channel) => {
    const start = channel * rows * columns;
    let best = start;
    for (let index = start; index < start + rows * columns; index++) if (data[index] > data[best]) best = index;
    const cell = best - start;
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const value = (r: number, c: number): number => data[start + r * columns + c];
    const x =
      column +
      (column > 0 && column < columns - 1
        ? parabolicPeakOffset(value(row, column - 1), data[best], value(row, column + 1))
        : 0);
    const y =
      row +
      (row > 0 && row < rows - 1 ? parabolicPeakOffset(value(row - 1, column), data[best], value(row + 1, column)) : 0);
    return { score: data[best], x: (x + 0.5) / columns, y: (y + 0.5) / rows, cell };
  });
}

/** Returns the offset, in samples, of the peak of a parabola through three samples. */
function parabolicPeakOffset(before: number, top: number, after: number): number {
  const curvature = before - 2 * top + after;
  return curvature < 0 ? (before - after) / (2 * curvature) : 0;
}

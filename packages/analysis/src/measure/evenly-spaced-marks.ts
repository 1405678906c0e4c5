import { median, type Grid } from "./pixel-grid.ts";

/** Equal distances along one line of pixels. Positions in pixels, the middle of the first at 0. */
export interface MarkRow {
  marks: number[];
  gap: number;
}

export interface Peak {
  at: number;
  high: number;
}

/** The part of a line that rises above its own surroundings, and the noise in it. */
export interface DetrendedLine {
  residual: Float32Array;
  noise: number;
}

export function detrend(line: Float32Array, half = Math.max(6, Math.round(line.length / 45))): DetrendedLine {
  const base = movingAverage(line, half);
  const residual = line.map((value, index) => value - base[index]);
  return { residual, noise: medianMagnitude(residual) };
}

/** The same, with details finer than `half` pixels to both sides smoothed. */
export function smoothDetrended({ residual }: DetrendedLine, half: number): DetrendedLine {
  const smoothedResidual = movingAverage(residual, half);
  return { residual: smoothedResidual, noise: medianMagnitude(smoothedResidual) };
}

/** Returns the usual size, from some hundred samples: sorting all of them would take most of the time. */
function medianMagnitude(residual: Float32Array): number {
  const magnitudes = new Float32Array(Math.min(residual.length, noiseSampleCount));
  const step = residual.length / magnitudes.length;
  for (let index = 0; index < magnitudes.length; index++)
    magnitudes[index] = Math.abs(residual[Math.floor(index * step)]);
  magnitudes.sort();
  return magnitudes[magnitudes.length >> 1];
}
const noiseSampleCount = 311;

/** Returns means over 2 × half + 1 samples, fewer at the ends. */
export function movingAverage(line: Float32Array, half: number): Float32Array {
  const out = new Float32Array(line.length);
  let [sum, inside] = [0, Math.min(half, line.length)];
  for (let index = 0; index < inside; index++) sum += line[index];
  for (let index = 0; index < line.length; index++) {
    if (index + half < line.length) {
      sum += line[index + half];
      inside++;
    }
    if (index > half) {
      sum -= line[index - half - 1];
      inside--;
    }
    out[index] = sum / inside;
  }
  return out;
}

/** Returns the peaks upwards (`sign` 1) or downwards. */
export function findPeaks({ residual, noise }: DetrendedLine, sign: 1 | -1, minDistance: number): Peak[] {
  const minHeight = 3 * noise;
  const peaks: Peak[] = [];
  for (let index = 1; index < residual.length - 1; index++) {
    const [before, height, after] = [sign * residual[index - 1], sign * residual[index], sign * residual[index + 1]];
    if (height < minHeight || height <= before || height < after) continue;
    const curvature = before - 2 * height + after;
    const peak = { at: index + (before - after) / (2 * curvature || 1), high: height };
    const last = peaks.at(-1);
    // If one mark has two peaks, the higher one counts.
    if (last && peak.at - last.at < minDistance) {
      if (height > last.high) peaks[peaks.length - 1] = peak;
    } else peaks.push(peak);
  }
  return peaks;
}

export const minMarkCount = 6;
const minMarkGap = 3;
/** Rulers span more than this share of the image; chance hardly does. */
const minSpanShare = 1 / 14;

/** The longest run of peaks that are as far from each other and about as high, with little as high between. */
export function findLongestRow(peaks: readonly Peak[], length: number): MarkRow | null {
  let best: number[] = [];
  const maxGap = length / minMarkCount;
  for (let start = 0; start + minMarkCount <= peaks.length; start++)
    for (let second = start + 1; second <= start + 2 && second < peaks.length; second++) {
      const gap = peaks[second].at - peaks[start].at;
      if (gap < minMarkGap || gap > maxGap) continue;
      const indices = collectEvenMarks(peaks, start, second);
      if (
        indices.length > best.length &&
        gap * indices.length > 0.9 * minSpanShare * length &&
        hasFewOtherPeaks(peaks, indices)
      )
        best = indices;
    }
  if (best.length < minMarkCount) return null;
  const row = rowOf(best.map((index) => peaks[index].at));
  return row.gap * row.marks.length < minSpanShare * length ? null : row;
}

function rowOf(marks: number[]): MarkRow {
  return { marks, gap: (marks[marks.length - 1] - marks[0]) / (marks.length - 1) };
}

const hasSimilarHeight = (height: number, typicalHeight: number): boolean =>
  height > 0.4 * typicalHeight && height < 2.6 * typicalHeight;

function collectEvenMarks(peaks: readonly Peak[], start: number, second: number): number[] {
  const indices = [start, second];
  let gap = peaks[second].at - peaks[start].at;
  let typicalHeight = (peaks[start].high + peaks[second].high) / 2;
  if (!hasSimilarHeight(peaks[start].high, peaks[second].high)) return [];
  for (let next = second + 1; next < peaks.length; next++) {
    const deviation = peaks[next].at - peaks[indices[indices.length - 1]].at - gap;
    const slack = Math.max(0.06 * gap, 0.7);
    if (deviation < -slack) continue;
    if (deviation > slack) break;
    if (!hasSimilarHeight(peaks[next].high, typicalHeight)) continue;
    indices.push(next);
    gap = (peaks[next].at - peaks[start].at) / (indices.length - 1);
    typicalHeight += (peaks[next].high - typicalHeight) / indices.length;
  }
  return indices;
}

/**
 * Rejects a run with many peaks of similar height between its marks: it is chance, or every second mark of a finer
 * ruler.
 */
function hasFewOtherPeaks(peaks: readonly Peak[], indices: readonly number[]): boolean {
  const typicalHeight = median(indices.map((index) => peaks[index].high));
  const [first, last] = [indices[0], indices[indices.length - 1]];
  let between = 0;
  for (let index = first; index <= last; index++) if (peaks[index].high > 0.6 * typicalHeight) between++;
  return between - indices.length <= indices.length / 4;
}

/** Fits the line through the marks by least squares: returns their distance and their error. */
export function fitEvenSpacing(marks: readonly number[]): { gap: number; rmsError: number } {
  const count = marks.length;
  const [middle, mean] = [(count - 1) / 2, marks.reduce((sum, position) => sum + position, 0) / count];
  let [residual, denominator] = [0, 0];
  marks.forEach((position, index) => {
    residual += (index - middle) * (position - mean);
    denominator += (index - middle) ** 2;
  });
  const gap = residual / denominator;
  const squares = marks.reduce((sum, position, index) => sum + (position - mean - gap * (index - middle)) ** 2, 0);
  return { gap, rmsError: Math.sqrt(squares / count) };
}

/**
 * Returns the period of a line by its self-similarity, without marks: the first shift that is nearly as good as the
 * best one, then its multiples, which refine it. Null if no shift is similar.
 */
export function findPeriod(
  residual: Float32Array,
  from: number,
  to: number,
): { gap: number; correlation: number } | null {
  const segment = movingAverage(residual, 1).slice(
    Math.max(0, Math.round(from)),
    Math.min(residual.length, Math.round(to) + 1),
  );
  const maxShift = Math.floor(segment.length * 0.6);
  const correlation = autocorrelation(segment, maxShift);
  const localMaxima: number[] = [];
  for (let shift = minMarkGap - 1; shift < maxShift; shift++)
    if (
      correlation[shift] > 0.2 &&
      correlation[shift] > correlation[shift - 1] &&
      correlation[shift] >= correlation[shift + 1]
    )
      localMaxima.push(shift);
  const best = Math.max(0, ...localMaxima.map((shift) => correlation[shift]));
  const first = localMaxima.find((shift) => correlation[shift] > 0.6 * best);
  if (first === undefined) return null;
  let gap = refinePeak(correlation, first);
  for (let multiple = 2; gap * multiple < maxShift - 1; multiple++) {
    const expectedShift = Math.round(gap * multiple);
    const searchRadius = Math.max(1, Math.round(gap * 0.12));
    let top = expectedShift;
    for (let index = expectedShift - searchRadius; index <= expectedShift + searchRadius; index++)
      if (index < maxShift && correlation[index] > correlation[top]) top = index;
    if (correlation[top] < 0.5 * best) continue;
    const refinedGap = refinePeak(correlation, top) / multiple;
    if (Math.abs(refinedGap / gap - 1) < 0.06) gap = refinedGap;
  }
  return { gap, correlation: correlation[first] };
}

const refinePeak = (values: Float32Array, index: number): number => {
  const [before, top, after] = [values[index - 1], values[index], values[index + 1] ?? values[index - 1]];
  const curvature = before - 2 * top + after;
  return curvature < 0 ? index + Math.max(-0.5, Math.min(0.5, (before - after) / (2 * curvature))) : index;
};

/** Correlation of a line with itself, shifted by 0, 1, 2 … */
function autocorrelation(segment: Float32Array, maxShift: number): Float32Array {
  const mean = segment.reduce((sum, value) => sum + value, 0) / segment.length;
  const centredValues = segment.map((value) => value - mean);
  const out = new Float32Array(maxShift + 1);
  for (let shift = 0; shift <= maxShift; shift++) {
    let [sum, left, right] = [0, 0, 0];
    for (let index = 0; index + shift < centredValues.length; index++) {
      const [a, b] = [centredValues[index], centredValues[index + shift]];
      sum += a * b;
      left += a * a;
      right += b * b;
    }
    out[shift] = sum / Math.sqrt(left * right || 1);
  }
  return out;
}

/** The mean line of some columns. */
export function averageColumns({ columns, rows, data }: Grid, left: number, right: number): Float32Array {
  const line = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let index = row * columns + left, end = row * columns + right; index <= end; index++) sum += data[index];
    line[row] = sum / (right - left + 1);
  }
  return line;
}

/**
 * Returns the longest run at any of these coarsenesses: broad marks in grainy images have several peaks at fine scale.
 */
export function findBestRow(detrended: DetrendedLine, sign: 1 | -1, halves: readonly number[]): MarkRow | null {
  let best: MarkRow | null = null;
  for (const smoothingRadius of halves) {
    const row = findLongestRow(
      findPeaks(
        smoothingRadius === 0 ? detrended : smoothDetrended(detrended, smoothingRadius),
        sign,
        Math.max(3, 2 * smoothingRadius),
      ),
      detrended.residual.length,
    );
    if (row && row.marks.length > (best?.marks.length ?? 0)) best = row;
  }
  return best;
}

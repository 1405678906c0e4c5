import { median, type Grid } from "./grid.ts";

/** Equal distances along one line of pixels. Positions in pixels, the middle of the first at 0. */
export interface Row {
  marks: number[];
  gap: number;
}

export interface Peak {
  at: number;
  high: number;
}

/** The part of a line that rises above its own surroundings, and the noise in it. */
export interface Relief {
  over: Float32Array;
  noise: number;
}

export function reliefOf(line: Float32Array, half = Math.max(6, Math.round(line.length / 45))): Relief {
  const base = smoothed(line, half);
  const over = line.map((value, at) => value - base[at]);
  return { over, noise: noiseOf(over) };
}

/** The same, with details finer than `half` pixels to both sides smoothed. */
export function coarser({ over }: Relief, half: number): Relief {
  const even = smoothed(over, half);
  return { over: even, noise: noiseOf(even) };
}

/** Returns the usual size, from some hundred samples: sorting all of them would take most of the time. */
function noiseOf(over: Float32Array): number {
  const sizes = new Float32Array(Math.min(over.length, noisePlaces));
  const step = over.length / sizes.length;
  for (let at = 0; at < sizes.length; at++) sizes[at] = Math.abs(over[Math.floor(at * step)]);
  sizes.sort();
  return sizes[sizes.length >> 1];
}
const noisePlaces = 311;

/** Returns means over 2 × half + 1 samples, fewer at the ends. */
export function smoothed(line: Float32Array, half: number): Float32Array {
  const out = new Float32Array(line.length);
  let [sum, inside] = [0, Math.min(half, line.length)];
  for (let at = 0; at < inside; at++) sum += line[at];
  for (let at = 0; at < line.length; at++) {
    if (at + half < line.length) {
      sum += line[at + half];
      inside++;
    }
    if (at > half) {
      sum -= line[at - half - 1];
      inside--;
    }
    out[at] = sum / inside;
  }
  return out;
}

/** Returns the peaks upwards (`sign` 1) or downwards. */
export function peaksOf({ over, noise }: Relief, sign: 1 | -1, apart: number): Peak[] {
  const least = 3 * noise;
  const peaks: Peak[] = [];
  for (let at = 1; at < over.length - 1; at++) {
    const [before, high, after] = [sign * over[at - 1], sign * over[at], sign * over[at + 1]];
    if (high < least || high <= before || high < after) continue;
    const bend = before - 2 * high + after;
    const peak = { at: at + (before - after) / (2 * bend || 1), high };
    const last = peaks.at(-1);
    // If one mark has two peaks, the higher one counts.
    if (last && peak.at - last.at < apart) {
      if (high > last.high) peaks[peaks.length - 1] = peak;
    } else peaks.push(peak);
  }
  return peaks;
}

export const fewestMarks = 6;
const leastGap = 3;
/** Rulers span more than this share of the image; chance hardly does. */
const leastSpan = 1 / 14;

/** The longest run of peaks that are as far from each other and about as high, with little as high between. */
export function longestRow(peaks: readonly Peak[], length: number): Row | null {
  let best: number[] = [];
  const mostGap = length / fewestMarks;
  for (let start = 0; start + fewestMarks <= peaks.length; start++)
    for (let second = start + 1; second <= start + 2 && second < peaks.length; second++) {
      const gap = peaks[second].at - peaks[start].at;
      if (gap < leastGap || gap > mostGap) continue;
      const run = runFrom(peaks, start, second);
      if (run.length > best.length && gap * run.length > 0.9 * leastSpan * length && isAlone(peaks, run)) best = run;
    }
  if (best.length < fewestMarks) return null;
  const row = rowOf(best.map((index) => peaks[index].at));
  return row.gap * row.marks.length < leastSpan * length ? null : row;
}

function rowOf(marks: number[]): Row {
  return { marks, gap: (marks[marks.length - 1] - marks[0]) / (marks.length - 1) };
}

const isAlike = (high: number, usual: number): boolean => high > 0.4 * usual && high < 2.6 * usual;

function runFrom(peaks: readonly Peak[], start: number, second: number): number[] {
  const run = [start, second];
  let gap = peaks[second].at - peaks[start].at;
  let usual = (peaks[start].high + peaks[second].high) / 2;
  if (!isAlike(peaks[start].high, peaks[second].high)) return [];
  for (let next = second + 1; next < peaks.length; next++) {
    const off = peaks[next].at - peaks[run[run.length - 1]].at - gap;
    const slack = Math.max(0.06 * gap, 0.7);
    if (off < -slack) continue;
    if (off > slack) break;
    if (!isAlike(peaks[next].high, usual)) continue;
    run.push(next);
    gap = (peaks[next].at - peaks[start].at) / (run.length - 1);
    usual += (peaks[next].high - usual) / run.length;
  }
  return run;
}

/**
 * Rejects a run with many peaks of similar height between its marks: it is chance, or every second mark of a finer
 * ruler.
 */
function isAlone(peaks: readonly Peak[], run: readonly number[]): boolean {
  const usual = median(run.map((index) => peaks[index].high));
  const [first, last] = [run[0], run[run.length - 1]];
  let between = 0;
  for (let index = first; index <= last; index++) if (peaks[index].high > 0.6 * usual) between++;
  return between - run.length <= run.length / 4;
}

/** Fits the line through the marks by least squares: returns their distance and their error. */
export function regressed(marks: readonly number[]): { gap: number; miss: number } {
  const count = marks.length;
  const [middle, mean] = [(count - 1) / 2, marks.reduce((sum, at) => sum + at, 0) / count];
  let [over, under] = [0, 0];
  marks.forEach((at, index) => {
    over += (index - middle) * (at - mean);
    under += (index - middle) ** 2;
  });
  const gap = over / under;
  const squares = marks.reduce((sum, at, index) => sum + (at - mean - gap * (index - middle)) ** 2, 0);
  return { gap, miss: Math.sqrt(squares / count) };
}

/**
 * Returns the period of a line by its self-similarity, without marks: the first shift that is nearly as good as the
 * best one, then its multiples, which refine it. Null if no shift is similar.
 */
export function periodOf(over: Float32Array, from: number, to: number): { gap: number; likeness: number } | null {
  const part = smoothed(over, 1).slice(Math.max(0, Math.round(from)), Math.min(over.length, Math.round(to) + 1));
  const most = Math.floor(part.length * 0.6);
  const like = likenesses(part, most);
  const tops: number[] = [];
  for (let shift = leastGap - 1; shift < most; shift++)
    if (like[shift] > 0.2 && like[shift] > like[shift - 1] && like[shift] >= like[shift + 1]) tops.push(shift);
  const best = Math.max(0, ...tops.map((shift) => like[shift]));
  const first = tops.find((shift) => like[shift] > 0.6 * best);
  if (first === undefined) return null;
  let gap = refined(like, first);
  for (let times = 2; gap * times < most - 1; times++) {
    const near = Math.round(gap * times);
    const reach = Math.max(1, Math.round(gap * 0.12));
    let top = near;
    for (let at = near - reach; at <= near + reach; at++) if (at < most && like[at] > like[top]) top = at;
    if (like[top] < 0.5 * best) continue;
    const told = refined(like, top) / times;
    if (Math.abs(told / gap - 1) < 0.06) gap = told;
  }
  return { gap, likeness: like[first] };
}

const refined = (values: Float32Array, at: number): number => {
  const [before, top, after] = [values[at - 1], values[at], values[at + 1] ?? values[at - 1]];
  const bend = before - 2 * top + after;
  return bend < 0 ? at + Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend))) : at;
};

/** Correlation of a line with itself, shifted by 0, 1, 2 … */
function likenesses(part: Float32Array, most: number): Float32Array {
  const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
  const even = part.map((value) => value - mean);
  const out = new Float32Array(most + 1);
  for (let shift = 0; shift <= most; shift++) {
    let [sum, left, right] = [0, 0, 0];
    for (let at = 0; at + shift < even.length; at++) {
      const [a, b] = [even[at], even[at + shift]];
      sum += a * b;
      left += a * a;
      right += b * b;
    }
    out[shift] = sum / Math.sqrt(left * right || 1);
  }
  return out;
}

/** The mean line of some columns. */
export function meanLine({ columns, rows, data }: Grid, left: number, right: number): Float32Array {
  const line = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let at = row * columns + left, end = row * columns + right; at <= end; at++) sum += data[at];
    line[row] = sum / (right - left + 1);
  }
  return line;
}

/**
 * Returns the longest run at any of these coarsenesses: broad marks in grainy images have several peaks at fine scale.
 */
export function bestRow(relief: Relief, sign: 1 | -1, halves: readonly number[]): Row | null {
  let best: Row | null = null;
  for (const half of halves) {
    const row = longestRow(
      peaksOf(half === 0 ? relief : coarser(relief, half), sign, Math.max(3, 2 * half)),
      relief.over.length,
    );
    if (row && row.marks.length > (best?.marks.length ?? 0)) best = row;
  }
  return best;
}

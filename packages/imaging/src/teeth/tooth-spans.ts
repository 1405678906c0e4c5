import { sampleStep, toDepth, toOut, type ToothRow, type ToothRowSamples } from "./tooth-row-samples.ts";

/** The samples along a row between which one tooth lies, both included. */
export interface ToothSpan {
  from: number;
  to: number;
}

/** mm from where the rows meet between which neighbours are apart: under their contacts, over the forks of roots. */
const gapDepths = [3.6, 8] as const;
/** mm to both sides of the middle of the row within which the gap is dark. */
const gapReach = 4.5;
/** mm; narrower and wider spans are no single tooth. */
const narrowest = 3.4;
const widest = 13.5;
/** Share of the way from soft tissue to dentine: the depth of a clear border below the teeth beside it, and a tooth's least. */
const leastDip = 0.12;
const leastBright = 0.55;

/** Finds the teeth of a row by the dark borders between them; what has no clear borders is left out. */
export function findToothSpans(samples: ToothRowSamples, row: ToothRow): ToothSpan[] {
  const profile = smooth(measureProfile(samples, row));
  const borders = findBorders(profile);
  return listBrightRuns(profile).flatMap(({ from, to }) => {
    const ends = [from, ...borders.filter((at) => at > from && at < to), to + 1];
    return ends.slice(1).flatMap((end, at): ToothSpan[] => {
      const width = (end - ends[at]) * sampleStep;
      return width >= narrowest && width <= widest ? [{ from: ends[at], to: end - 1 }] : [];
    });
  });
}

/** The stretches in which there is a tooth. */
function listBrightRuns(profile: readonly number[]): ToothSpan[] {
  const runs: ToothSpan[] = [];
  profile.forEach((value, at) => {
    if (value < leastBright) return;
    const last = runs[runs.length - 1];
    if (last?.to === at - 1) last.to = at;
    else runs.push({ from: at, to: at });
  });
  return runs;
}

/**
 * Measures the brightest part across the row, along it: 0 as soft tissue, 1 as dentine. Between two teeth all of
 * it is dark; a pulp has bright walls.
 */
function measureProfile({ counts, values }: ToothRowSamples, { softTissue, dentine }: ToothRow): number[] {
  const { depths, alongs, outs } = counts;
  const sums = new Float64Array(alongs);
  let count = 0;
  for (let depth = 0; depth < depths; depth++) {
    if (toDepth(depth) < gapDepths[0] || toDepth(depth) > gapDepths[1]) continue;
    count++;
    for (let along = 0; along < alongs; along++) {
      const from = (depth * alongs + along) * outs;
      let most = 0;
      for (let out = 1; out < outs - 1; out++) {
        if (Math.abs(toOut(out)) > gapReach) continue;
        const mean = (values[from + out - 1] + values[from + out] + values[from + out + 1]) / 3;
        most = Math.max(most, (mean - softTissue) / (dentine - softTissue));
      }
      sums[along] += Math.min(1.2, most);
    }
  }
  return Array.from(sums, (sum) => sum / Math.max(1, count));
}

const smooth = (profile: readonly number[]): number[] =>
  profile.map((value, at) => (2 * value + (profile[at - 1] ?? value) + (profile[at + 1] ?? value)) / 4);

/** The lowest places between two teeth. */
function findBorders(profile: readonly number[]): number[] {
  const reach = Math.round(narrowest / sampleStep);
  const borders: number[] = [];
  for (let at = 1; at < profile.length - 1; at++) {
    const before = profile.slice(Math.max(0, at - reach), at);
    const after = profile.slice(at + 1, at + 1 + reach);
    const isLowest = before.every((value) => value > profile[at]) && after.every((value) => value >= profile[at]);
    const dip = Math.min(Math.max(...before), Math.max(...after)) - profile[at];
    if (isLowest && dip >= leastDip && at - (borders[borders.length - 1] ?? 0) >= reach * 0.9) borders.push(at);
  }
  return borders;
}

/** Statistics of the distances of a surface's vertices; mm, counted by vertices. */
export interface DistanceStatistics {
  /** Vertices with a distance, and of them those within the range. */
  count: number;
  within: number;
  /**
   * For the vertices within the range: the signed mean, the mean without sign, the 95th percentile without sign, the
   * largest.
   */
  mean: number;
  meanAbsolute: number;
  p95: number;
  maxAbsolute: number;
  /** The number of vertices in each of the equal steps from -range to range. */
  histogram: number[];
}

/** NaN counts as no distance. All zero if no vertex is within the range. */
export function summarizeDistances(distances: Float32Array, range: number, steps = 40): DistanceStatistics {
  const counts = Array<number>(steps).fill(0);
  const near: number[] = [];
  let [count, sum] = [0, 0];
  for (const value of distances) {
    if (Number.isNaN(value)) continue;
    count++;
    if (Math.abs(value) > range) continue;
    near.push(Math.abs(value));
    sum += value;
    counts[Math.min(steps - 1, Math.floor(((value + range) / (2 * range)) * steps))]++;
  }
  const sorted = Float32Array.from(near).sort();
  const within = sorted.length;
  return {
    count,
    within,
    mean: within && sum / within,
    meanAbsolute: within && sorted.reduce((all, value) => all + value, 0) / within,
    p95: sorted[Math.max(0, Math.ceil(0.95 * within) - 1)] ?? 0,
    maxAbsolute: sorted[within - 1] ?? 0,
    histogram: counts,
  };
}

/** Vertices of a bite that are deeper than the other jaw's surface, touch it within `touching` mm, or are near it. */
export function countContacts(
  distances: Float32Array,
  near: number,
  touching = 0.05,
): { deep: number; touching: number; near: number; deepest: number } {
  const found = { deep: 0, touching: 0, near: 0, deepest: 0 };
  for (const value of distances) {
    if (!(value <= near)) continue;
    if (value < -touching) found.deep++;
    else if (value <= touching) found.touching++;
    else found.near++;
    found.deepest = Math.max(found.deepest, -value);
  }
  return found;
}

/** Colours (sRGB bytes) at distances in mm; in between they are mixed, beyond the ends they stay or end. */
export interface DistanceColourScale {
  stops: readonly (readonly [mm: number, colour: readonly [number, number, number]])[];
  /** Beyond the last stop there is no colour. */
  isOpen: boolean;
}

/** The colours of a bite: deeper than the other surface is dark red, touching red, near yellow to blue. */
export const createBiteColourScale = (near: number): DistanceColourScale => ({
  stops: [
    [-0.3, [96, 0, 48]],
    [-0.05, [214, 24, 31]],
    [0.05, [250, 92, 34]],
    [0.25 * near + 0.04, [255, 205, 54]],
    [0.6 * near + 0.02, [92, 190, 120]],
    [near, [40, 110, 190]],
  ],
  isOpen: true,
});

/**
 * The colours of two versions: blue is below the other, red above it. People with red-green colour blindness can
 * distinguish them.
 */
export const createVersionColourScale = (range: number): DistanceColourScale => ({
  stops: [
    [-range, [20, 60, 160]],
    [-range / 2, [95, 160, 220]],
    [0, [238, 236, 230]],
    [range / 2, [240, 150, 95]],
    [range, [170, 20, 30]],
  ],
  isOpen: false,
});

/** The colour of a distance; null where it has none. */
export function getDistanceColour(
  { stops, isOpen }: DistanceColourScale,
  mm: number,
): readonly [number, number, number] | null {
  const last = stops.at(-1);
  if (!last || Number.isNaN(mm) || (isOpen && mm > last[0])) return null;
  const next = stops.findIndex(([at]) => at >= mm);
  if (next <= 0) return next === 0 ? stops[0][1] : last[1];
  const [[low, from], [high, to]] = [stops[next - 1], stops[next]];
  const part = (mm - low) / (high - low);
  return [0, 1, 2].map((i) => Math.round(from[i] + (to[i] - from[i]) * part)) as unknown as [number, number, number];
}

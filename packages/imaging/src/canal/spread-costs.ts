import type { VolumeGeometry } from "../volume/volume-geometry.ts";

/** A sample at which a path may begin or end, and what that costs. */
export interface Stop {
  at: number;
  cost: number;
}

/** The least costs of paths from some stops. */
export interface CostSpread {
  /** For each sample; infinite where none was found. */
  total: Float32Array;
  /** The sample before each one on its path; -1 at a stop. */
  previous: Int32Array;
  /** The samples with a final cost, the cheapest first. */
  order: number[];
}

interface SpreadLimits {
  /** The most that a path to a sample may cost. */
  most?: (at: number) => number;
  /** True ends the search; called for each final sample. */
  isEnough?: (at: number, total: number) => boolean;
}

/** Costs are told apart down to this; a path may be longer than the shortest by as much. */
const bucketWidth = 0.02;

/**
 * Finds the paths of least cost from some stops through the 26 neighbours (Dijkstra's algorithm with buckets, as by
 * R. Dial, 1969).
 * @param costs for each mm, above 0, `[slice][row][column]`
 */
export function spreadCosts(
  { columns, rows, slices, spacing }: VolumeGeometry,
  costs: Float32Array,
  stops: readonly Stop[],
  { most = () => Infinity, isEnough = () => false }: SpreadLimits,
): CostSpread {
  const steps = listSteps(spacing, columns, columns * rows);
  const [offsets, lengths] = [steps.map(({ offset }) => offset), steps.map(({ length }) => length)];
  const total = new Float32Array(costs.length).fill(Infinity);
  const previous = new Int32Array(costs.length).fill(-1);
  const isDone = new Uint8Array(costs.length);
  const order: number[] = [];
  const buckets: number[][] = [];
  const put = (at: number, cost: number, least: number) =>
    (buckets[Math.max(least, Math.floor(cost / bucketWidth))] ??= []).push(at);
  for (const { at, cost } of stops) {
    total[at] = cost;
    put(at, cost, 0);
  }
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    // A sample may enter the bucket that is being emptied.
    for (let at = buckets[bucket]?.pop(); at !== undefined; at = buckets[bucket].pop()) {
      if (isDone[at]) continue;
      isDone[at] = 1;
      order.push(at);
      if (isEnough(at, total[at])) return { total, previous, order };
      const i = at % columns;
      const j = Math.floor(at / columns) % rows;
      const k = Math.floor(at / (columns * rows));
      const isInside = i > 0 && j > 0 && k > 0 && i < columns - 1 && j < rows - 1 && k < slices - 1;
      const [soFar, costHere] = [total[at], costs[at]];
      for (let n = 0; n < offsets.length; n++) {
        if (!isInside) {
          const [ni, nj, nk] = [i + steps[n].x, j + steps[n].y, k + steps[n].z];
          if (ni < 0 || nj < 0 || nk < 0 || ni >= columns || nj >= rows || nk >= slices) continue;
        }
        const next = at + offsets[n];
        if (isDone[next]) continue;
        const cost = soFar + (lengths[n] * (costHere + costs[next])) / 2;
        if (cost >= total[next] || cost > most(next)) continue;
        total[next] = cost;
        previous[next] = at;
        put(next, cost, bucket);
      }
    }
    buckets[bucket] = [];
  }
  return { total, previous, order };
}

function listSteps(spacing: readonly number[], row: number, slice: number) {
  const parts = [-1, 0, 1];
  return parts
    .flatMap((x) => parts.flatMap((y) => parts.map((z) => ({ x, y, z }))))
    .filter(({ x, y, z }) => x !== 0 || y !== 0 || z !== 0)
    .map((step) => ({
      ...step,
      offset: step.x + row * step.y + slice * step.z,
      length: Math.hypot(step.x * spacing[0], step.y * spacing[1], step.z * spacing[2]),
    }));
}

/** The samples of the path to one of them, from its stop on. */
export function tracePath(previous: Int32Array, goal: number): number[] {
  const path: number[] = [];
  for (let at = goal; at >= 0; at = previous[at]) path.push(at);
  return path.reverse();
}

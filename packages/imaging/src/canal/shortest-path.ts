import type { VolumeGeometry } from "../volume/volume-geometry.ts";

/** Column, row and slice of a sample. */
export type Sample = readonly [number, number, number];

/** Costs are told apart down to this; a path may be longer than the shortest by as much. */
const bucketWidth = 0.02;

/**
 * Finds the path of least cost between two samples through the 26 neighbours (Dijkstra's algorithm with buckets, as by
 * R. Dial, 1969; directed to the goal as by P. Hart, N. Nilsson, B. Raphael, 1968).
 * @param costs for each mm, above 0, `[slice][row][column]`
 * @returns the samples' indices from `from` to `to`
 */
export function findShortestPath(
  { columns, rows, slices, spacing }: VolumeGeometry,
  costs: Float32Array,
  from: Sample,
  to: Sample,
): number[] {
  const steps = listSteps(spacing, columns, columns * rows);
  const least = costs.reduce((low, cost) => Math.min(low, cost), Infinity);
  const [start, goal] = [from, to].map(([i, j, k]) => i + columns * (j + rows * k));
  const total = new Float32Array(costs.length).fill(Infinity);
  const previous = new Int32Array(costs.length).fill(-1);
  const isDone = new Uint8Array(costs.length);
  const buckets: number[][] = [[start]];
  total[start] = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    // A sample may enter the bucket that is being emptied.
    for (let at = buckets[bucket]?.pop(); at !== undefined; at = buckets[bucket].pop()) {
      if (at === goal) return tracePath(previous, goal);
      if (isDone[at]) continue;
      isDone[at] = 1;
      const i = at % columns;
      const j = Math.floor(at / columns) % rows;
      const k = Math.floor(at / (columns * rows));
      for (const { x, y, z, offset, length } of steps) {
        const [ni, nj, nk] = [i + x, j + y, k + z];
        if (ni < 0 || nj < 0 || nk < 0 || ni >= columns || nj >= rows || nk >= slices) continue;
        const next = at + offset;
        const cost = total[at] + (length * (costs[at] + costs[next])) / 2;
        if (isDone[next] || cost >= total[next]) continue;
        total[next] = cost;
        previous[next] = at;
        const rest = spacing[0] * Math.hypot(ni - to[0], nj - to[1], nk - to[2]);
        (buckets[Math.max(bucket, Math.floor((cost + least * rest) / bucketWidth))] ??= []).push(next);
      }
    }
    buckets[bucket] = [];
  }
  return [start, goal];
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

function tracePath(previous: Int32Array, goal: number): number[] {
  const path: number[] = [];
  for (let at = goal; at >= 0; at = previous[at]) path.push(at);
  return path.reverse();
}

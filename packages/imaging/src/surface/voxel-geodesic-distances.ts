import type { VolumeGeometry } from "../volume/volume-geometry.ts";

/** Steps to the 26 voxels around one, with their length in mm. */
function getNeighbourSteps({ spacing }: VolumeGeometry): { x: number; y: number; z: number; length: number }[] {
  const parts = [-1, 0, 1];
  return parts
    .flatMap((x) => parts.flatMap((y) => parts.map((z) => ({ x, y, z }))))
    .filter(({ x, y, z }) => x !== 0 || y !== 0 || z !== 0)
    .map((step) => ({ ...step, length: Math.hypot(step.x * spacing[0], step.y * spacing[1], step.z * spacing[2]) }));
}

/**
 * Computes the distance of each voxel of a mask (`[slice][row][column]`, 1 inside) from the given voxels along paths
 * inside the mask, in mm; Infinity if there is no path. Straight paths come out up to a tenth too long.
 */
export function computeGeodesicDistances(
  info: VolumeGeometry,
  mask: Uint8Array,
  from: readonly number[],
): Float32Array {
  const { columns, rows, slices } = info;
  const distances = new Float32Array(mask.length).fill(Infinity);
  const steps = getNeighbourSteps(info);
  // Voxels wait in buckets of a small width: a distance in the nearest bucket can no longer shrink by more than that.
  const width = Math.min(...info.spacing) / 2;
  const buckets: number[][] = [[...from]];
  for (const at of from) distances[at] = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    const waiting = buckets[bucket] ?? [];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (Math.floor(distances[next] / width) !== bucket) continue;
      const column = next % columns;
      const row = Math.floor(next / columns) % rows;
      const slice = Math.floor(next / (columns * rows));
      for (const { x, y, z, length } of steps) {
        const [i, j, k] = [column + x, row + y, slice + z];
        if (i < 0 || j < 0 || k < 0 || i >= columns || j >= rows || k >= slices) continue;
        const at = i + columns * (j + rows * k);
        const pathLength = Math.fround(distances[next] + length);
        if (mask[at] === 0 || pathLength >= distances[at]) continue;
        distances[at] = pathLength;
        const bucketIndex = Math.floor(distances[at] / width);
        (buckets[bucketIndex] ??= []).push(at);
      }
    }
    buckets[bucket] = [];
  }
  return distances;
}

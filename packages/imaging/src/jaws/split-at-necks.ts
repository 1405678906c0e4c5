import { measureDepths, type VoxelMask } from "./voxel-mask.ts";

/**
 * Divides a body among seeds at its narrowest places: each voxel goes to the seed that reaches it by the widest way
 * (watershed of the distances from the surface, S. Beucher and F. Meyer, 1993).
 * @param seeds the number of a seed for its voxels, 0 elsewhere
 * @returns the number of a seed for each voxel that one reaches, 0 elsewhere
 */
export function splitAtNecks(mask: VoxelMask, seeds: Uint8Array): Uint8Array {
  const depths = measureDepths(mask);
  const labels = new Uint8Array(seeds.length);
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
  const waiting: number[][] = Array.from({ length: deepest + 1 }, () => []);
  for (let at = 0; at < seeds.length; at++) {
    if (seeds[at] === 0 || mask.inside[at] === 0) continue;
    labels[at] = seeds[at];
    waiting[depths[at]].push(at);
  }
  const offsets = listNeighbours(mask);
  for (let depth = deepest; depth > 0; depth--)
    // A queue, not a stack: where two seeds arrive at the same width, each takes what is nearer to it.
    for (const at of waiting[depth])
      for (const offset of offsets) {
        const next = at + offset;
        if (labels[next] !== 0 || mask.inside[next] === 0) continue;
        labels[next] = labels[at];
        // A wider place behind a neck is reached no sooner than the neck itself.
        waiting[Math.min(depth, depths[next])].push(next);
      }
  return labels;
}

function listNeighbours({ columns, rows }: VoxelMask): number[] {
  const parts = [-1, 0, 1];
  return parts
    .flatMap((z) => parts.flatMap((y) => parts.map((x) => x + columns * (y + rows * z))))
    .filter((offset) => offset !== 0);
}

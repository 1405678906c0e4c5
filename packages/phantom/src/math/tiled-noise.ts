import { createRandom } from "./random.ts";

const bits = 6;
const size = 1 << bits;
const mask = size - 1;
let tiles: Float32Array[] | null = null;

/**
 * Noise about -1…1 that repeats every 64 steps; `level` 0 changes from step to step, each further level twice as slowly.
 * A table: computed afresh for every voxel it would take longer than all the rest of a volume.
 */
export function sampleTiledNoise(x: number, y: number, z: number, level: 0 | 1 | 2 | 3): number {
  tiles ??= createTiles();
  return tiles[level][((z & mask) << (2 * bits)) | ((y & mask) << bits) | (x & mask)];
}

function createTiles(): Float32Array[] {
  const random = createRandom("noise tile");
  const first = Float32Array.from({ length: size ** 3 }, () => random.between(-1.6, 1.6));
  const levels = [blurTile(first, 1)];
  for (let level = 1; level < 4; level++) levels.push(blurTile(levels[level - 1], 2 ** (level - 1)));
  return levels.map(normalizeDeviation);
}

/** A box of 1 2 1 along each axis, with wrap-around. */
function blurTile(values: Float32Array, reach: number): Float32Array {
  let from = values;
  for (const shift of [0, bits, 2 * bits]) {
    const to = new Float32Array(from.length);
    const field = mask << shift;
    for (let i = 0; i < from.length; i++) {
      const rest = i & ~field;
      const place = (i & field) >> shift;
      const before = from[rest | (((place - reach) & mask) << shift)];
      const after = from[rest | (((place + reach) & mask) << shift)];
      to[i] = 0.25 * before + 0.5 * from[i] + 0.25 * after;
    }
    from = to;
  }
  return from;
}

/** To a standard deviation of 0.45. */
function normalizeDeviation(values: Float32Array): Float32Array {
  const square = values.reduce((sum, value) => sum + value * value, 0) / values.length;
  const factor = 0.45 / Math.sqrt(square);
  return values.map((value) => value * factor);
}

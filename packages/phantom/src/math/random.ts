/** A stream of chance that is the same for the same key on every machine. */
export type Random = {
  /** 0 ≤ value < 1 */
  unit: () => number;
  between: (low: number, high: number) => number;
  pick: <T>(list: readonly T[]) => T;
  /** Mean 0, standard deviation 1. */
  normal: () => number;
};

/** The random stream of this key; other keys produce independent streams. */
export function createRandom(...key: readonly (string | number)[]): Random {
  const unit = createGenerator(key.join("\u0001"));
  return {
    unit,
    between: (low, high) => low + (high - low) * unit(),
    pick: (list) => list[Math.floor(unit() * list.length)],
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  };
}

/** sfc32 by Chris Doty-Humphrey (PractRand, public domain), seeded by FNV-1a over the key. */
function createGenerator(key: string): () => number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  let [a, b, c, counter] = [hash | 0, (hash ^ 0x9e3779b9) | 0, (hash ^ 0x243f6a88) | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 0x100000000;
  };
  for (let i = 0; i < 15; i++) next();
  return next;
}

const tableSize = 1 << 16;
let cachedNormalTable: Float32Array | null = null;

/** 65,536 normal values: noise for a volume is looked up, since generating 10 million takes seconds. */
export function getNormalTable(): Float32Array {
  if (cachedNormalTable) return cachedNormalTable;
  const random = createRandom("normal table");
  cachedNormalTable = Float32Array.from({ length: tableSize }, random.normal);
  return cachedNormalTable;
}

/** Smooth noise over space, -1…1, with detail of about one unit. */
export function sampleSmoothNoise(x: number, y: number, z: number): number {
  const [ix, iy, iz] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [fx, fy, fz] = [eased(x - ix), eased(y - iy), eased(z - iz)];
  const near = mix(
    mix(getLatticeValue(ix, iy, iz), getLatticeValue(ix + 1, iy, iz), fx),
    mix(getLatticeValue(ix, iy + 1, iz), getLatticeValue(ix + 1, iy + 1, iz), fx),
    fy,
  );
  const far = mix(
    mix(getLatticeValue(ix, iy, iz + 1), getLatticeValue(ix + 1, iy, iz + 1), fx),
    mix(getLatticeValue(ix, iy + 1, iz + 1), getLatticeValue(ix + 1, iy + 1, iz + 1), fx),
    fy,
  );
  return mix(near, far, fz);
}

/**
 * Samples the trabecular network of spongy bone as X-rays show it, about -1…1: noise without a preferred direction.
 * @param x mm divided by the desired width of the meshes
 */
export function sampleTrabecularNoise(x: number, y: number, layer: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const [c, s] = turns[k];
    sum += sampleSmoothNoise(x * c - y * s + 31 * k, x * s + y * c, layer + 0.5);
  }
  const value = sum * 1.3;
  return value / (0.5 + Math.abs(value));
}

const turns = [0.35, 1.4, 2.45].map((angle) => [Math.cos(angle), Math.sin(angle)] as const);

const eased = (t: number): number => t * t * (3 - 2 * t);

const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

function getLatticeValue(x: number, y: number, z: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(z, 0x1b873593);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 0x80000000 - 1;
}

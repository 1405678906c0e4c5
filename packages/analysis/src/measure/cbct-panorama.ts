import { sampleCurvedSurface, patientToCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { patientToVoxel } from "@arcada/imaging/volume/patient-space";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { EngineVolume } from "../engine.ts";

interface Unrolled {
  columns: number;
  rows: number;
  samples: Uint16Array;
}

/**
 * A panorama along both arches and along the rami behind them, the patient's right on the left: above the occlusal
 * plane along the upper arch, below it along the lower one, and between them along the lines in between. Each value is
 * the mean of the 18 brightest of 45 in a slab 20 mm thick. Lengths in it are not true. Null if hardly any of it is
 * inside the volume.
 */
export function unrolled(volume: EngineVolume, upper: CurvedSurface, lower: CurvedSurface): Unrolled | null {
  const { geometry } = volume;
  const mm = Math.max(0.25, Math.min(...geometry.spacing));
  const columns = Math.round(lower.length / mm);
  const heights = heightsOf(upper, lower, mm);
  const rows = heights.length;
  const means = new Float32Array(columns * rows);
  const sample = samplerOf(volume);
  const slab = new Float32Array(depths);
  let inside = 0;
  for (let column = 0; column < columns; column++) {
    const under = sampleCurvedSurface(lower, ((column + 0.5) / columns) * lower.length);
    // Both lines have tails of their own: equal shares of them would not be above each other.
    const over = sampleCurvedSurface(upper, patientToCurvedSurface(upper, under.point).along);
    for (let row = 0; row < rows; row++) {
      const { height, blend } = heights[row];
      const point = mixed(under.point, over.point, blend, upper.up, height);
      const normal = mixed(under.normal, over.normal, blend, upper.up, 0);
      const found = sample(point, normal, slab);
      if (found > depths / 2) inside++;
      means[row * columns + column] = found > 0 ? brightest(slab.subarray(0, found)) : NaN;
    }
  }
  return inside < 0.4 * means.length ? null : { columns, rows, samples: within16(means) };
}

const depths = 45;
const bright = 18;
const slabMm = 20;
/** Above the upper and below the lower necks: to the floor of the nose and below the chin. */
const reach = { above: 32, below: 32 } as const;

/** Heights from the top, and which arch each follows: 1 the upper, 0 the lower. */
function heightsOf(upper: CurvedSurface, lower: CurvedSurface, mm: number): { height: number; blend: number }[] {
  const [top, bottom] = [upper.level + reach.above, lower.level - reach.below];
  const gap = Math.max(1, upper.level - lower.level);
  return Array.from({ length: Math.round((top - bottom) / mm) }, (_, row) => {
    const height = top - (row + 0.5) * mm;
    return { height, blend: Math.min(1, Math.max(0, (height - lower.level) / gap)) };
  });
}

const mixed = (a: Vector, b: Vector, share: number, up: Vector, height: number): Vector => [
  a[0] + (b[0] - a[0]) * share + up[0] * height,
  a[1] + (b[1] - a[1]) * share + up[1] * height,
  a[2] + (b[2] - a[2]) * share + up[2] * height,
];

/**
 * Writes the values on a line through a point, along a direction, into `slab`; returns the number of those inside the
 * volume.
 */
function samplerOf({ geometry, values }: EngineVolume) {
  const { columns, rows, slices } = geometry;
  const size = columns * rows;
  const zero = patientToVoxel(geometry, [0, 0, 0]);
  const axes = ([0, 1, 2] as const).map((axis) => {
    const end = patientToVoxel(geometry, [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0]);
    return [end[0] - zero[0], end[1] - zero[1], end[2] - zero[2]];
  });
  const turned = (v: Vector, at: number): number => axes[0][at] * v[0] + axes[1][at] * v[1] + axes[2][at] * v[2];
  const step = slabMm / (depths - 1);
  return (point: Vector, normal: Vector, slab: Float32Array): number => {
    const [dx, dy, dz] = [turned(normal, 0) * step, turned(normal, 1) * step, turned(normal, 2) * step];
    const back = (depths - 1) / 2;
    let x = zero[0] + turned(point, 0) - back * dx;
    let y = zero[1] + turned(point, 1) - back * dy;
    let z = zero[2] + turned(point, 2) - back * dz;
    let found = 0;
    for (let depth = 0; depth < depths; depth++, x += dx, y += dy, z += dz) {
      const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
      if (i < 0 || j < 0 || k < 0 || i >= columns - 1 || j >= rows - 1 || k >= slices - 1) continue;
      const [u, v, w] = [x - i, y - j, z - k];
      const at = k * size + j * columns + i;
      const near =
        (values[at] * (1 - u) + values[at + 1] * u) * (1 - v) +
        (values[at + columns] * (1 - u) + values[at + columns + 1] * u) * v;
      const far =
        (values[at + size] * (1 - u) + values[at + size + 1] * u) * (1 - v) +
        (values[at + size + columns] * (1 - u) + values[at + size + columns + 1] * u) * v;
      slab[found++] = near * (1 - w) + far * w;
    }
    return found;
  };
}

function brightest(slab: Float32Array): number {
  slab.sort();
  const count = Math.min(bright, slab.length);
  let sum = 0;
  for (let at = slab.length - count; at < slab.length; at++) sum += slab[at];
  return sum / count;
}

/**
 * Values from black (0) to white (65,535), for display: the darkest and the brightest hundredth are black and white, so
 * that one metal object does not leave everything else dark. Outside the volume it is black.
 */
function within16(means: Float32Array): Uint16Array {
  const sorted = means.filter((value) => !Number.isNaN(value)).sort();
  const valueAt = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  const black = valueAt(0.01);
  const scale = 65_535 / Math.max(1, valueAt(0.99) - black);
  return Uint16Array.from(means, (value) =>
    Number.isNaN(value) ? 0 : Math.min(65_535, Math.max(0, Math.round((value - black) * scale))),
  );
}

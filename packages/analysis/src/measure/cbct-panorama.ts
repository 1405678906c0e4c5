import { sampleCurvedSurface, patientToCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { patientToVoxel } from "@arcada/imaging/volume/voxel-to-patient";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { EngineVolume } from "../engine.ts";

interface PanoramaImage {
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
export function renderPanorama(volume: EngineVolume, upper: CurvedSurface, lower: CurvedSurface): PanoramaImage | null {
  const { geometry } = volume;
  const mm = Math.max(0.25, Math.min(...geometry.spacing));
  const columns = Math.round(lower.length / mm);
  const heights = planRows(upper, lower, mm);
  const rows = heights.length;
  const pixelMeans = new Float32Array(columns * rows);
  const sample = createSlabSampler(volume);
  const slab = new Float32Array(slabSampleCount);
  let inside = 0;
  for (let column = 0; column < columns; column++) {
    const lowerSample = sampleCurvedSurface(lower, ((column + 0.5) / columns) * lower.length);
    // Both lines have tails of their own: equal shares of them would not be above each other.
    const upperSample = sampleCurvedSurface(upper, patientToCurvedSurface(upper, lowerSample.point).along);
    for (let row = 0; row < rows; row++) {
      const { height, blend } = heights[row];
      const point = interpolatePoint(lowerSample.point, upperSample.point, blend, upper.up, height);
      const normal = interpolatePoint(lowerSample.normal, upperSample.normal, blend, upper.up, 0);
      const sampleCount = sample(point, normal, slab);
      if (sampleCount > slabSampleCount / 2) inside++;
      pixelMeans[row * columns + column] = sampleCount > 0 ? meanOfBrightest(slab.subarray(0, sampleCount)) : NaN;
    }
  }
  return inside < 0.4 * pixelMeans.length ? null : { columns, rows, samples: scaleTo16Bit(pixelMeans) };
}

const slabSampleCount = 45;
const brightestCount = 18;
const slabMm = 20;
/** Above the upper and below the lower necks: to the floor of the nose and below the chin. */
const verticalReachMm = { above: 32, below: 32 } as const;

/** Heights from the top, and which arch each follows: 1 the upper, 0 the lower. */
function planRows(upper: CurvedSurface, lower: CurvedSurface, mm: number): { height: number; blend: number }[] {
  const [top, bottom] = [upper.level + verticalReachMm.above, lower.level - verticalReachMm.below];
  const gap = Math.max(1, upper.level - lower.level);
  return Array.from({ length: Math.round((top - bottom) / mm) }, (_, row) => {
    const height = top - (row + 0.5) * mm;
    return { height, blend: Math.min(1, Math.max(0, (height - lower.level) / gap)) };
  });
}

const interpolatePoint = (a: Vector, b: Vector, fraction: number, up: Vector, height: number): Vector => [
  a[0] + (b[0] - a[0]) * fraction + up[0] * height,
  a[1] + (b[1] - a[1]) * fraction + up[1] * height,
  a[2] + (b[2] - a[2]) * fraction + up[2] * height,
];

/**
 * Writes the values on a line through a point, along a direction, into `slab`; returns the number of those inside the
 * volume.
 */
function createSlabSampler({ geometry, values }: EngineVolume) {
  const { columns, rows, slices } = geometry;
  const size = columns * rows;
  const zero = patientToVoxel(geometry, [0, 0, 0]);
  const axes = ([0, 1, 2] as const).map((axis) => {
    const end = patientToVoxel(geometry, [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0]);
    return [end[0] - zero[0], end[1] - zero[1], end[2] - zero[2]];
  });
  const toVoxelAxis = (v: Vector, axis: number): number =>
    axes[0][axis] * v[0] + axes[1][axis] * v[1] + axes[2][axis] * v[2];
  const step = slabMm / (slabSampleCount - 1);
  return (point: Vector, normal: Vector, slab: Float32Array): number => {
    const [dx, dy, dz] = [toVoxelAxis(normal, 0) * step, toVoxelAxis(normal, 1) * step, toVoxelAxis(normal, 2) * step];
    const back = (slabSampleCount - 1) / 2;
    let x = zero[0] + toVoxelAxis(point, 0) - back * dx;
    let y = zero[1] + toVoxelAxis(point, 1) - back * dy;
    let z = zero[2] + toVoxelAxis(point, 2) - back * dz;
    let sampleCount = 0;
    for (let depth = 0; depth < slabSampleCount; depth++, x += dx, y += dy, z += dz) {
      const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
      if (i < 0 || j < 0 || k < 0 || i >= columns - 1 || j >= rows - 1 || k >= slices - 1) continue;
      const [u, v, w] = [x - i, y - j, z - k];
      const voxelIndex = k * size + j * columns + i;
      const near =
        (values[voxelIndex] * (1 - u) + values[voxelIndex + 1] * u) * (1 - v) +
        (values[voxelIndex + columns] * (1 - u) + values[voxelIndex + columns + 1] * u) * v;
      const far =
        (values[voxelIndex + size] * (1 - u) + values[voxelIndex + size + 1] * u) * (1 - v) +
        (values[voxelIndex + size + columns] * (1 - u) + values[voxelIndex + size + columns + 1] * u) * v;
      slab[sampleCount++] = near * (1 - w) + far * w;
    }
    return sampleCount;
  };
}

function meanOfBrightest(slab: Float32Array): number {
  slab.sort();
  const count = Math.min(brightestCount, slab.length);
  let sum = 0;
  for (let voxelIndex = slab.length - count; voxelIndex < slab.length; voxelIndex++) sum += slab[voxelIndex];
  return sum / count;
}

/**
 * Values from black (0) to white (65,535), for display: the darkest and the brightest hundredth are black and white, so
 * that one metal object does not leave everything else dark. Outside the volume it is black.
 */
function scaleTo16Bit(pixelMeans: Float32Array): Uint16Array {
  const sorted = pixelMeans.filter((value) => !Number.isNaN(value)).sort();
  const valueAt = (fraction: number): number => sorted[Math.round(fraction * (sorted.length - 1))];
  const black = valueAt(0.01);
  const scale = 65_535 / Math.max(1, valueAt(0.99) - black);
  return Uint16Array.from(pixelMeans, (value) =>
    Number.isNaN(value) ? 0 : Math.min(65_535, Math.max(0, Math.round((value - black) * scale))),
  );
}

import type { Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { sizeOf, type VolumeGeometry } from "../volume/volume-geometry.ts";
import { patientToVoxel, voxelToPatient } from "../volume/voxel-to-patient.ts";
import { CanalError } from "./canal-error.ts";

/** Grey values around the clicked points, resampled to equal steps; `[slice][row][column]`. */
export interface SearchField {
  info: VolumeGeometry;
  values: Float32Array;
}

/** mm around the points in which the canal is searched. */
const margin = 9;
/** mm between samples where the box is small enough, and the most. */
const finestStep = 0.5;
const coarsestStep = 0.75;
/** The most samples: all fields of the search together take about 20 bytes for each. */
const maxSamples = 2_500_000;

/** Resamples the box around some patient points. @throws {CanalError} if a point is outside, or the box is too large */
export function createSearchField(grid: VoxelGrid, points: readonly Vector[]): SearchField {
  const { info } = grid;
  const size = sizeOf(info);
  const voxels = points.map((point) => patientToVoxel(info, point));
  if (voxels.some((voxel) => voxel.some((at, axis) => !(at >= 0 && at <= size[axis] - 1))))
    throw new CanalError("outside");
  const range = [0, 1, 2].map((axis) => {
    const spread = margin / info.spacing[axis];
    const places = voxels.map((voxel) => voxel[axis]);
    return [Math.max(0, Math.min(...places) - spread), Math.min(size[axis] - 1, Math.max(...places) + spread)] as const;
  });
  const lengths = range.map(([from, to], axis) => (to - from) * info.spacing[axis]);
  const volume = lengths.reduce((all, length) => all * length, 1);
  const step = Math.max(finestStep, Math.cbrt(volume / maxSamples));
  if (step > coarsestStep) throw new CanalError("tooFar");
  const count = lengths.map((length) => Math.max(3, Math.floor(length / step) + 1));
  return resample(grid, range.map(([from]) => from) as unknown as Vector, count as unknown as Vector, step);
}

/** Mean of eight values in each sample's own cube: less noise than its middle alone. One axis after another. */
function resample({ info, data }: VoxelGrid, first: Vector, count: Vector, step: number): SearchField {
  const [columns, rows, slices] = count;
  const taps = [0, 1, 2].map((axis) =>
    createTaps(first[axis], step / info.spacing[axis], count[axis], sizeOf(info)[axis]),
  );
  const alongX = new Float32Array(columns * info.rows * info.slices);
  const from = taps.map(({ index }) => index[0]);
  const to = taps.map(({ index }) => index[index.length - 1]);
  for (let k = from[2]; k <= to[2]; k++)
    for (let j = from[1]; j <= to[1]; j++) {
      const line = j + info.rows * k;
      weighLine(data, line * info.columns, 1, taps[0], alongX, line * columns, 1);
    }
  const alongY = new Float32Array(columns * rows * info.slices);
  for (let k = from[2]; k <= to[2]; k++)
    for (let i = 0; i < columns; i++)
      weighLine(alongX, i + columns * info.rows * k, columns, taps[1], alongY, i + columns * rows * k, columns);
  const values = new Float32Array(columns * rows * slices);
  const area = columns * rows;
  for (let at = 0; at < area; at++) weighLine(alongY, at, area, taps[2], values, at, area);
  const origin = voxelToPatient(info, [...first]);
  const spacing: VolumeGeometry["spacing"] = [step, step, step];
  return { info: { columns, rows, slices, spacing, origin, direction: info.direction }, values };
}

/** Four voxels and their weights for each sample of an axis. */
interface Taps {
  index: Int32Array;
  weight: Float32Array;
}

function createTaps(first: number, step: number, count: number, size: number): Taps {
  const [index, weight] = [new Int32Array(4 * count), new Float32Array(4 * count)];
  for (let at = 0; at < count; at++)
    for (const [half, off] of [-0.25, 0.25].entries()) {
      const place = Math.min(size - 1, Math.max(0, first + (at + off) * step));
      const low = Math.min(Math.max(0, size - 2), Math.floor(place));
      index.set([low, Math.min(size - 1, low + 1)], 4 * at + 2 * half);
      weight.set([(1 - place + low) / 2, (place - low) / 2], 4 * at + 2 * half);
    }
  return { index, weight };
}

function weighLine(
  from: Int16Array | Float32Array,
  start: number,
  stride: number,
  { index, weight }: Taps,
  to: Float32Array,
  toStart: number,
  toStride: number,
): void {
  for (let at = 0, place = toStart; at < index.length; at += 4, place += toStride)
    to[place] =
      weight[at] * from[start + index[at] * stride] +
      weight[at + 1] * from[start + index[at + 1] * stride] +
      weight[at + 2] * from[start + index[at + 2] * stride] +
      weight[at + 3] * from[start + index[at + 3] * stride];
}

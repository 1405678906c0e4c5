import { patientToVoxel, voxelToPatient } from "../volume/voxel-to-patient.ts";
import type { Vector } from "../geometry/vector.ts";
import { sizeOf, type VolumeGeometry } from "../volume/volume-geometry.ts";
import type { VoxelGrid } from "./voxel-grid.ts";

/** A box of whole voxels: the first ones and how many along columns, rows and slices. */
export interface VoxelBox {
  first: Vector;
  count: Vector;
}

/** The voxels between two shares of a volume, 0 to 1 from edge to edge along each axis; at least two of them. */
export function createBoxFromShares(volume: VolumeGeometry, low: Vector, high: Vector): VoxelBox {
  const size = sizeOf(volume);
  return createBoxBetween(
    size,
    low.map((part, axis) => part * size[axis] - 0.5),
    high.map((part, axis) => part * size[axis] - 0.5),
  );
}

/** The voxels around two opposite corners in patient mm, and of everything between them. */
export function createBoxFromCorners(volume: VolumeGeometry, one: Vector, other: Vector): VoxelBox {
  const ends = [one, other].map((corner) => patientToVoxel(volume, [...corner]));
  const least = [0, 1, 2].map((axis) => Math.min(ends[0][axis], ends[1][axis]));
  const most = [0, 1, 2].map((axis) => Math.max(ends[0][axis], ends[1][axis]));
  return createBoxBetween(sizeOf(volume), least, most);
}

function createBoxBetween(size: Vector, low: readonly number[], high: readonly number[]): VoxelBox {
  const first = size.map((all, axis) => Math.min(all - 2, Math.max(0, Math.ceil(low[axis] - 1e-6))));
  const last = size.map((all, axis) => Math.max(first[axis] + 1, Math.min(all - 1, Math.floor(high[axis] + 1e-6))));
  return {
    first: first as unknown as Vector,
    count: last.map((end, axis) => end - first[axis] + 1) as unknown as Vector,
  };
}

/** Returns the geometry of the voxels of a box. */
export const cropGeometry = (volume: VolumeGeometry, { first, count }: VoxelBox): VolumeGeometry => ({
  columns: count[0],
  rows: count[1],
  slices: count[2],
  spacing: volume.spacing,
  direction: volume.direction,
  origin: voxelToPatient(volume, [...first]),
});

/** The values of some slices of a box, `[slice][row][column]`; slices are counted within the box. */
export function cropSlices(
  { info, data }: VoxelGrid,
  { first, count }: VoxelBox,
  from: number,
  to: number,
): Int16Array<ArrayBuffer> {
  const [columns, rows] = count;
  const values = new Int16Array(columns * rows * (to - from));
  for (let slice = from, at = 0; slice < to; slice++)
    for (let row = 0; row < rows; row++, at += columns) {
      const start = first[0] + info.columns * (first[1] + row + info.rows * (first[2] + slice));
      values.set(data.subarray(start, start + columns), at);
    }
  return values;
}

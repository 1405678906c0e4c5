import type { VolumeInfo } from "./volume.ts";
import { patientToVoxel, voxelToPatient } from "./voxel-to-patient.ts";
import type { Vector } from "../geometry/vector.ts";

/** A regular grid of voxels in patient space (DICOM LPS, mm). */
export type VolumeGeometry = Pick<VolumeInfo, "columns" | "rows" | "slices" | "spacing" | "origin" | "direction">;

/** Unit vectors along columns, rows and slices. */
export const axesOf = ({ direction: [a, b, c, d, e, f, g, h, i] }: VolumeGeometry): [Vector, Vector, Vector] => [
  [a, b, c],
  [d, e, f],
  [g, h, i],
];

export const sizeOf = ({ columns, rows, slices }: VolumeGeometry): Vector => [columns, rows, slices];

/** The voxel in the middle, or behind it where their number is even: there a viewer's planes begin. */
export const getMiddleVoxelPoint = (volume: VolumeGeometry): Vector =>
  voxelToPatient(volume, [Math.floor(volume.columns / 2), Math.floor(volume.rows / 2), Math.floor(volume.slices / 2)]);

/** The eight outermost voxel centres. */
export function cornersOf(volume: VolumeGeometry): Vector[] {
  const [nx, ny, nz] = sizeOf(volume);
  const ends = (count: number) => [0, count - 1];
  return ends(nx).flatMap((x) =>
    ends(ny).flatMap((y) => ends(nz).map((z): Vector => voxelToPatient(volume, [x, y, z]))),
  );
}

/** Column, row and slice of the voxel that holds a patient point; null outside. */
export function findVoxel(volume: VolumeGeometry, patient: Vector): Vector | null {
  const [column, row, slice] = patientToVoxel(volume, patient).map(Math.round) as [number, number, number];
  if (column < 0 || row < 0 || slice < 0 || column >= volume.columns || row >= volume.rows || slice >= volume.slices)
    return null;
  return [column, row, slice];
}

import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import type { Vector } from "../geometry/vector.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";

/** Grey values as stored, `[slice][row][column]`, and their geometry. */
export interface VoxelGrid {
  info: VolumeGeometry;
  data: Int16Array;
}

/** The value between eight voxels (trilinear) at a patient point in mm; NaN outside the voxels' centres. */
export const sampleAtPatient = (grid: VoxelGrid, point: Vector): number =>
  sampleAtVoxel(grid, ...patientToVoxel(grid.info, [...point]));

/** The same at voxel indices, also between voxels. */
export function sampleAtVoxel({ info, data }: VoxelGrid, x: number, y: number, z: number): number {
  const { columns, rows, slices } = info;
  const [i, j, k] = [getLowerVoxel(x, columns), getLowerVoxel(y, rows), getLowerVoxel(z, slices)];
  if (i < 0 || j < 0 || k < 0) return Number.NaN;
  const [fx, fy, fz] = [x - i, y - j, z - k];
  const right = columns > 1 ? 1 : 0;
  const down = rows > 1 ? columns : 0;
  const deep = slices > 1 ? columns * rows : 0;
  const at = i + columns * (j + rows * k);
  const along = (from: number) => data[from] + fx * (data[from + right] - data[from]);
  const near = along(at) + fy * (along(at + down) - along(at));
  const far = along(at + deep) + fy * (along(at + deep + down) - along(at + deep));
  return near + fz * (far - near);
}

/** Returns the voxel before a position if the next one exists too; −1 outside. */
function getLowerVoxel(at: number, count: number): number {
  // Rounding of the geometry must not put an outermost centre outside.
  if (!(at > -1e-6 && at < count - 1 + 1e-6)) return -1;
  return Math.max(0, Math.min(count - 2, Math.floor(at)));
}

import type { Vector } from "../geometry/vector.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { voxelToPatient } from "../volume/voxel-to-patient.ts";
import type { VoxelGrid } from "./voxel-grid.ts";

/** A grid turned by 90° and tilted by a few degrees, as no machine that is set right would, around the origin of space. */
export function createTiltedGeometry(
  [columns, rows, slices]: Vector,
  spacing: [number, number, number],
): VolumeGeometry {
  const [c, s] = [Math.cos(0.2), Math.sin(0.2)];
  const direction: VolumeGeometry["direction"] = [0, c, s, -1, 0, 0, 0, -s, c];
  const middle = voxelToPatient({ origin: [0, 0, 0], spacing, direction }, [
    (columns - 1) / 2,
    (rows - 1) / 2,
    (slices - 1) / 2,
  ]);
  return { columns, rows, slices, spacing, direction, origin: [-middle[0], -middle[1], -middle[2]] };
}

/**
 * Grey values of a body whose surface is where `inside` (mm, positive inside) is 0: 1000 within, 0 outside, the border
 * as wide as two voxels, so that the surface is at 500.
 */
export function createBodyGrid(info: VolumeGeometry, getDepth: (point: Vector) => number): VoxelGrid {
  const data = new Int16Array(info.columns * info.rows * info.slices);
  const border = Math.max(...info.spacing);
  let at = 0;
  for (let k = 0; k < info.slices; k++)
    for (let j = 0; j < info.rows; j++)
      for (let i = 0; i < info.columns; i++, at++) {
        const depth = getDepth(voxelToPatient(info, [i, j, k]));
        data[at] = Math.round(1000 * Math.min(1, Math.max(0, 0.5 + depth / (2 * border))));
      }
  return { info, data };
}

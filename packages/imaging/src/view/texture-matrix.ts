import { axesOf, sizeOf, type VolumeGeometry } from "../volume/volume-geometry.ts";
import { dot } from "../geometry/vector.ts";

/**
 * Patient mm (LPS) to texture coordinates of the volume, 0 to 1 from voxel edge to voxel edge, as sixteen numbers of a
 * matrix, column by column.
 */
export function createPatientToTextureMatrix(volume: VolumeGeometry): number[] {
  const size = sizeOf(volume);
  const rows = axesOf(volume).map((axis, at) => {
    const perMm = 1 / (volume.spacing[at] * size[at]);
    return [...axis.map((part) => part * perMm), 0.5 / size[at] - dot(axis, volume.origin) * perMm];
  });
  return [0, 1, 2, 3].flatMap((column) => [...rows.map((row) => row[column]), column === 3 ? 1 : 0]);
}

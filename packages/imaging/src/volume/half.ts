import { voxelToPatient } from "./space.ts";
import { makePreview } from "./transport.ts";
import type { Volume, VolumeInfo } from "./volume.ts";

/** Bytes of 16-bit values from which on a volume is also kept at half its resolution: a quarter of what phones have. */
const halfFrom = 256e6;

export const needsHalf = ({ columns, rows, slices }: Pick<VolumeInfo, "columns" | "rows" | "slices">): boolean =>
  columns * rows * slices * 2 > halfFrom;

/** The volume at half its resolution, each voxel the mean of eight. */
export const makeHalf = ({ info, data }: Volume): Volume => ({
  info: halfInfo(info),
  data: makePreview(info, data, 2).data,
});

/** Where the half of a volume lies: the same patient, voxels of twice the length; its range is called that of the whole. */
export const halfInfo = (info: VolumeInfo): VolumeInfo => ({
  ...info,
  columns: Math.ceil(info.columns / 2),
  rows: Math.ceil(info.rows / 2),
  slices: Math.ceil(info.slices / 2),
  spacing: [2 * info.spacing[0], 2 * info.spacing[1], 2 * info.spacing[2]],
  origin: voxelToPatient(info, [0.5, 0.5, 0.5]),
});

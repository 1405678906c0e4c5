import { Downsampler } from "./downsampler.ts";
import { voxelToPatient } from "./voxel-to-patient.ts";
import type { StackedVolume } from "./stack-volume.ts";
import type { VolumeInfo } from "./volume.ts";

/**
 * The size of 16-bit values, in bytes, from which a volume is also kept at half its resolution: a quarter of the memory
 * of phones.
 */
const minBytesForHalf = 256e6;

export const needsHalfResolution = (
  { columns, rows, slices }: Pick<VolumeInfo, "columns" | "rows" | "slices">,
  from = minBytesForHalf,
): boolean => columns * rows * slices * 2 > from;

type SliceSource = Pick<StackedVolume, "info" | "slice">;

/** The volume at half its resolution, each voxel the mean of eight; made slice by slice. */
export const buildHalfResolution = ({ info, slice }: SliceSource): SliceSource => ({
  info: halfResolutionInfo(info),
  slice: (index) => {
    const coarse = new Downsampler(info, 2);
    for (let at = index * 2; at < Math.min(index * 2 + 2, info.slices); at++) coarse.add(slice(at));
    return coarse.finish().data;
  },
});

/**
 * Returns the geometry of the half-resolution volume: the same patient space, voxels of twice the length. Its value
 * range is stated as that of the whole.
 */
export const halfResolutionInfo = (info: VolumeInfo): VolumeInfo => ({
  ...info,
  columns: Math.ceil(info.columns / 2),
  rows: Math.ceil(info.rows / 2),
  slices: Math.ceil(info.slices / 2),
  spacing: [2 * info.spacing[0], 2 * info.spacing[1], 2 * info.spacing[2]],
  origin: voxelToPatient(info, [0.5, 0.5, 0.5]),
});

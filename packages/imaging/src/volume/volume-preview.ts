import { findRange } from "../image/voi-window.ts";
import { Downsampler } from "./downsampler.ts";
import type { Volume, VolumeInfo } from "./volume.ts";

/** Slices in one file of a stored volume: each is fetched by its own address. */
export const slicesPerGroup = 8;

/**
 * The volume at a fraction of its resolution, each voxel the mean of a box of `factor`³ (less at the far edges).
 * The new origin is the centre of the first box, so that patient coordinates stay true.
 */
export function buildPreview(info: VolumeInfo, data: Int16Array, factor = 4): Volume {
  const size = info.columns * info.rows;
  const coarse = new Downsampler(info, factor);
  for (let slice = 0; slice < info.slices; slice++) coarse.add(data.subarray(slice * size, (slice + 1) * size));
  return finishPreview(info, coarse, factor);
}

/**
 * Builds the preview from means that were gathered while the slices came; `offset`: the difference of the means from
 * the stored values.
 */
export function finishPreview(info: VolumeInfo, coarse: Downsampler, factor: number, offset = 0): Volume {
  const { columns, rows } = coarse;
  const { slices, data } = coarse.finish(offset);
  return { info: { ...info, columns, rows, slices, ...findRange(data), ...previewGeometry(info, factor) }, data };
}

function previewGeometry(
  { origin, spacing, direction }: VolumeInfo,
  factor: number,
): Pick<VolumeInfo, "origin" | "spacing"> {
  const shift = (factor - 1) / 2;
  const moved = origin.map(
    (value, axis) =>
      value +
      shift * (spacing[0] * direction[axis] + spacing[1] * direction[3 + axis] + spacing[2] * direction[6 + axis]),
  );
  return {
    origin: [moved[0], moved[1], moved[2]],
    spacing: [spacing[0] * factor, spacing[1] * factor, spacing[2] * factor],
  };
}

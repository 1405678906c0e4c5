import { Downsampler } from "@arcada/imaging/volume/downsampler";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import type { EngineVolume } from "../engine.ts";

/** Returns the volume in voxels of about `mm`, each the mean of a block of its own; in larger voxels as it is. */
export function reduceVolume(volume: EngineVolume, mm: number): EngineVolume {
  const { geometry, values } = volume;
  const factor = Math.max(1, Math.round(mm / Math.max(...geometry.spacing)));
  if (factor === 1) return volume;
  const coarse = new Downsampler(geometry, factor);
  const size = geometry.columns * geometry.rows;
  for (let slice = 0; slice < geometry.slices; slice++) coarse.add(values.subarray(slice * size, (slice + 1) * size));
  const { slices, data } = coarse.finish();
  return { kind: "volume", geometry: downsampledGeometry(geometry, factor, coarse, slices), values: data };
}

function downsampledGeometry(
  { origin, spacing, direction }: VolumeGeometry,
  factor: number,
  { columns, rows }: Downsampler,
  slices: number,
): VolumeGeometry {
  const shift = (factor - 1) / 2;
  const shiftedOrigin = origin.map(
    (value, axis) =>
      value +
      shift * [0, 1, 2].reduce((sum, voxelAxis) => sum + spacing[voxelAxis] * direction[3 * voxelAxis + axis], 0),
  );
  return {
    columns,
    rows,
    slices,
    direction,
    origin: [shiftedOrigin[0], shiftedOrigin[1], shiftedOrigin[2]],
    spacing: [spacing[0] * factor, spacing[1] * factor, spacing[2] * factor],
  };
}

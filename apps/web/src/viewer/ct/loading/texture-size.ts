import { voxelToPatient } from "@arcada/imaging/volume/voxel-to-patient";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";

/**
 * Bytes that the display texture of a volume may use on the graphics processor: an eighth of a small machine's memory.
 * Browsers that do not report the memory (and those with 8 GiB or more, which report 8) get 512 MB.
 */
export const getTextureBudget = (): number =>
  Math.min(512e6, 64e6 * ((navigator as { deviceMemory?: number }).deviceMemory ?? 8));

/**
 * Bytes for the parts of a volume that are shown in full while its texture is coarser. They come in addition to that
 * texture: both together take one and a half times its budget at most.
 */
export const getBrickBudget = (): number => getTextureBudget() / 2;

/** Bytes that the processes of a page and of the graphics take beside a volume; see bench/README.md under 0160. */
const ownBytes = 400e6;

/**
 * Bytes that both processes may take. Tablets and telephones end a page that takes more than about a gigabyte, whatever
 * memory they report.
 */
const getMemoryBudget = (): number => {
  const { deviceMemory = 8 } = navigator as { deviceMemory?: number };
  return deviceMemory <= 2 || matchMedia("(pointer: coarse)").matches ? 1e9 : Infinity;
};

/**
 * Returns true if this device can hold all values of a volume, and what is drawn of it: a second time all of them, or
 * the means of `factor`³ voxels and the parts in full.
 */
export const canHoldWhole = (
  { columns, rows, slices }: VolumeGeometry,
  factor: number,
  budget = getMemoryBudget(),
): boolean => {
  const valueBytes = columns * rows * slices * 2;
  const brickBytes = factor > 1 ? getBrickBudget() : 0;
  return valueBytes * (1 + 1 / factor ** 3) + brickBytes + ownBytes <= budget;
};

/** Returns if a volume is loaded whole or, where it has a half and the device is too small for it, by its half. */
export const chooseFirstLevel = (
  volume: VolumeGeometry,
  hasHalf: boolean,
  factor: number,
  budget?: number,
): "half" | "full" => (hasHalf && (factor > 1 || !canHoldWhole(volume, factor, budget)) ? "half" : "full");

/**
 * Returns the number of voxels along each axis that are merged into one in the display texture: 1 if the volume fits,
 * else 2 or 4.
 */
export function computeDownsamplingFactor(
  { columns, rows, slices }: VolumeGeometry,
  largestSide: number,
  budget = 512e6,
): 1 | 2 | 4 {
  const fits = (factor: number) =>
    Math.ceil(Math.max(columns, rows, slices) / factor) <= largestSide &&
    (columns * rows * slices * 2) / factor ** 3 <= budget;
  return fits(1) ? 1 : fits(2) ? 2 : 4;
}

/** The grid of means of `factor`³ voxels. */
export function downsampleGeometry(volume: VolumeGeometry, factor: number): VolumeGeometry {
  if (factor === 1) return volume;
  const shift = (factor - 1) / 2;
  const [x, y, z] = volume.spacing;
  return {
    columns: Math.ceil(volume.columns / factor),
    rows: Math.ceil(volume.rows / factor),
    slices: Math.ceil(volume.slices / factor),
    spacing: [x * factor, y * factor, z * factor],
    origin: voxelToPatient(volume, [shift, shift, shift]),
    direction: volume.direction,
  };
}

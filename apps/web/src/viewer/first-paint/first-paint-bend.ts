import type { CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";

/** Null where there is no hard tissue to fit to. */
export type FittedBend = NonNullable<CurvedSurface["bend"]> | null;

/** The layer that the first paint has fitted, and what it was fitted to; null if it showed no panorama. */
let kept: { name: string; bend: FittedBend } | null = null;

/**
 * Names a layer by its arch and by the voxels to which it is fitted.
 * @param owner the instance that represents the volume; two volumes may have the same grid
 */
export const nameBend = (
  owner: string | null,
  points: readonly Vector[],
  up: Vector,
  { columns, rows, slices, spacing, origin, direction }: VolumeGeometry,
): string => JSON.stringify([owner, points, up, columns, rows, slices, spacing, origin, direction]);

export const keepFirstPaintBend = (name: string, bend: FittedBend): void => {
  kept = { name, bend };
};

/** Returns the layer of this name; undefined if the first paint has not fitted it. */
export const findFirstPaintBend = (name: string): FittedBend | undefined =>
  kept?.name === name ? kept.bend : undefined;

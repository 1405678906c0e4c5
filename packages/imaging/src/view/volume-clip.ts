import type { Vector } from "../geometry/vector.ts";

/**
 * The visible part of a volume: between two corners of its box, 0 to 1 along its own axes, and on one side of a plane.
 */
export interface VolumeClip {
  low: Vector;
  high: Vector;
  /** Patient mm: points with `normal` · point > `offset` are taken away. */
  cut: { normal: Vector; offset: number } | null;
}

export const unclipped: VolumeClip = { low: [0, 0, 0], high: [1, 1, 1], cut: null };

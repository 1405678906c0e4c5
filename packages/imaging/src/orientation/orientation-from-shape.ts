import type { Mesh } from "../mesh/mesh.ts";
import { times, type Vector } from "../geometry/vector.ts";
import { measureArch, type ArchShape } from "./arch-shape.ts";
import { findCrownSide } from "./crown-side.ts";
import { measureFlatShape, fitTipPlane } from "./crown-tip-plane.ts";
import { sampleSurface } from "./surface-sample.ts";

/** The orientation of a row of crowns, assuming that they point to one side. */
export interface ArchPose {
  /** To where the crowns point. */
  crown: Vector;
  back: Vector;
}

/**
 * The orientation that a scan's own shape indicates, in its file's space. The shape does not indicate which jaw it is.
 */
export interface ScanShape {
  middle: Vector;
  /** Across the arch; its sign means nothing. */
  normal: Vector;
  /** To which side of the normal the crowns point; 0 where that is not certain. */
  side: -1 | 0 | 1;
  /** If the crowns point along the normal, and if against it; null where it is no whole arch. */
  along: ArchPose | null;
  against: ArchPose | null;
  /** Standard deviation across the arch, mm. */
  thickness: number;
}

/** mm below the tips that are examined. */
const examinedDepth = 5;

export function measureScanShape(mesh: Mesh): ScanShape | null {
  const sample = sampleSurface(mesh);
  if (sample.points.length < 3000) return null;
  const flat = measureFlatShape(sample);
  const { middle, normal, spread } = flat;
  const shape = { middle, normal, thickness: spread[0] };
  // As deep as it is wide, it is no arch, or too little of one.
  if (spread[0] > 0.75 * spread[1] || spread[2] < 8 || spread[2] > 40)
    return { ...shape, side: 0, along: null, against: null };
  const pose = (sign: 1 | -1): ArchPose | null => {
    const tips = fitTipPlane(sample, { ...flat, normal: times(normal, sign) });
    const arch = measureArch(sample, tips, examinedDepth);
    return arch && isWholeArch(arch) ? { crown: tips.normal, back: arch.back } : null;
  };
  return { ...shape, side: findCrownSide(sample, normal, middle), along: pose(1), against: pose(-1) };
}

/**
 * Returns true if an arch runs from the molars of one side to those of the other: a part of an arch looks the same from
 * two sides.
 */
const isWholeArch = ({ width, depth, symmetry, frontShare, limbs }: ArchShape): boolean =>
  width > 34 &&
  width < 95 &&
  depth > 0.58 * width &&
  depth < 1.1 * width &&
  symmetry > 0.65 &&
  frontShare > 0.95 &&
  limbs > 0.7;

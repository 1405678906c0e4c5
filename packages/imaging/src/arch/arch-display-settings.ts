import { findCrossSectionNumber } from "./cross-section.ts";
import { patientToCurvedSurface, type CurvedSurface } from "./curved-surface.ts";
import type { Jaw } from "./detection/detected-arches.ts";
import type { Vector } from "../geometry/vector.ts";
import type { SlabMode } from "../gl/volume-viewport-renderer.ts";

/** The jaw whose arch is shown first. */
export const defaultJaw: Jaw = "lower";

/**
 * Display settings of the panorama: a slab (mm) whose middle is `depth` mm in front of the arch, towards lips and
 * cheeks.
 */
export interface PanoramaSettings {
  slab: number;
  slabMode: SlabMode;
  depth: number;
  /** True if the middle follows crowns, roots and chin; false for an upright surface. */
  isBent: boolean;
}

export interface CrossSectionSettings {
  /** mm between two sections. */
  spacing: number;
  slab: number;
  slabMode: SlabMode;
  /** Number of cross-sections side by side; null: as many as fit. */
  count: number | null;
}

/** In mm, or in positions on a screen. */
export interface ArchView {
  middle: readonly [number, number];
  scale: number;
}

export const initialPanoramaSettings: PanoramaSettings = { slab: 12, slabMode: "mean", depth: 0, isBent: true };
export const initialCrossSectionSettings: CrossSectionSettings = { spacing: 2, slab: 1, slabMode: "mean", count: null };

/** mm from the arch within which the crosshair determines the position along it. */
export const crosshairReachMm = 15;

/**
 * Returns the cross-section at the crosshair; the middle one if the crosshair is far from the teeth, as it is at first.
 */
export function findCrossSection(path: CurvedSurface, spacing: number, crosshair: Vector): number {
  const position = patientToCurvedSurface(path, crosshair);
  return findCrossSectionNumber(
    path,
    spacing,
    Math.abs(position.out) > crosshairReachMm ? path.length / 2 : position.along,
  );
}

/** The largest number of cross-sections that a viewport shows side by side. */
export const maxCrossSectionsShown = 9;

/** The first of `count` cross-sections side by side, with the current one in their middle. */
export const findFirstShown = (crossSection: number, count: number, crossSections: number): number =>
  Math.min(Math.max(1, crossSection - Math.floor(count / 2)), Math.max(1, crossSections - count + 1));

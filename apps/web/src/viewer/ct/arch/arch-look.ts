import { patientToWall, type ArchPath } from "@arcada/imaging/arch/path";
import { sectionNumber } from "@arcada/imaging/arch/section";
import type { SlabMode } from "@arcada/imaging/gl/volume-painter";
import type { Vector } from "@arcada/imaging/view/vector";

/** What the panorama shows: a slab (mm) whose middle lies `depth` mm before the arch. */
export interface WallLook {
  slab: number;
  slabMode: SlabMode;
  depth: number;
  /** Whether its middle follows crowns, roots and chin; else it is an upright wall. */
  isBent: boolean;
}

export interface SectionLook {
  /** mm between two sections. */
  spacing: number;
  slab: number;
  slabMode: SlabMode;
  /** How many stand side by side; null: as many as there is room for. */
  count: number | null;
}

/** mm or places on a screen. */
export interface ArchView {
  middle: readonly [number, number];
  scale: number;
}

export const firstWallLook: WallLook = { slab: 12, slabMode: "mean", depth: 0, isBent: true };
export const firstSectionLook: SectionLook = { spacing: 2, slab: 1, slabMode: "mean", count: null };

/** mm from the arch within which the crosshair says where along it one is. */
export const nearby = 15;

/** The section that the crosshair tells; the middle one where it stands nowhere near the teeth, as it does at first. */
export function sectionFor(path: ArchPath, spacing: number, cross: Vector): number {
  const place = patientToWall(path, cross);
  return sectionNumber(path, spacing, Math.abs(place.out) > nearby ? path.length / 2 : place.along);
}

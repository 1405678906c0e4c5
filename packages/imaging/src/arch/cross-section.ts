import { cross, times, type Vector } from "../geometry/vector.ts";
import type { Plane } from "../view/plane-view.ts";
import { sampleCurvedSurface, curvedSurfaceToPatient, type CurvedSurface } from "./curved-surface.ts";

/** A cross-section: lips and cheeks to the left on the screen, the tongue to the right, `up` upwards. */
export interface CrossSection {
  plane: Plane;
  /** The point at which it crosses the arch, at the arch's own height. */
  point: Vector;
}

export function createCrossSection(path: CurvedSurface, along: number): CrossSection {
  const { normal } = sampleCurvedSurface(path, along);
  const right = times(normal, -1);
  const down = times(path.up, -1);
  return {
    plane: { right, down, away: cross(right, down) },
    point: curvedSurfaceToPatient(path, { along, height: path.level, out: 0 }),
  };
}

/** Cross-sections follow every `spacing` mm along the arch; the first is number 1 at the patient's right end. */
export const countCrossSections = ({ length }: CurvedSurface, spacing: number): number =>
  Math.floor(length / spacing) + 1;

/** Returns the number of the cross-section nearest to a position along the arch. */
export const findCrossSectionNumber = (path: CurvedSurface, spacing: number, along: number): number =>
  Math.min(countCrossSections(path, spacing), Math.max(1, Math.round(along / spacing) + 1));

export const getCrossSectionPosition = (spacing: number, number: number): number => (number - 1) * spacing;

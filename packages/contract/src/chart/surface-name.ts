import { jawOf, positionInQuadrant } from "../kernel/tooth-numbers.ts";
import type { ToothSurface } from "./chart.schema.ts";

/**
 * Returns the name of the surface for this tooth: front teeth have an incisal and a labial surface, upper teeth a
 * palatal one. A line about the whole mouth has no tooth, and keeps the general names.
 */
export function getSurfaceName(
  tooth: number | null,
  surface: ToothSurface,
): ToothSurface | "incisal" | "labial" | "palatal" {
  if (tooth === null) return surface;
  const isFront = positionInQuadrant(tooth) <= 3;
  if (surface === "occlusal" && isFront) return "incisal";
  if (surface === "buccal" && isFront) return "labial";
  return surface === "lingual" && jawOf(tooth) === "maxilla" ? "palatal" : surface;
}

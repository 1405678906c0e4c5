import type { ToothSurface } from "@arcada/contract/chart/chart.schema";
import { jawOf, quadrantOf } from "@arcada/contract/kernel/tooth-numbers";

type Side = "top" | "right" | "bottom" | "left" | "middle";
/** Five fields in a square of 40. */
export const surfacePolygons: Record<Side, string> = {
  top: "3,3 37,3 27,13 13,13",
  right: "37,3 37,37 27,27 27,13",
  bottom: "3,37 13,27 27,27 37,37",
  left: "3,3 13,13 13,27 3,37",
  middle: "13,13 27,13 27,27 13,27",
};

/**
 * Maps each surface to its side in the view from the front: the outer surface outwards, the mesial one towards the
 * middle.
 */
export function mapSurfacesToSides(tooth: number): Record<ToothSurface, Side> {
  const isUpper = jawOf(tooth) === "maxilla";
  const isRight = quadrantOf(tooth).endsWith("Right");
  return {
    buccal: isUpper ? "top" : "bottom",
    lingual: isUpper ? "bottom" : "top",
    mesial: isRight ? "right" : "left",
    distal: isRight ? "left" : "right",
    occlusal: "middle",
  };
}

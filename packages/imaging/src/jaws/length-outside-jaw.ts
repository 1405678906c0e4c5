import { distance, plus, times } from "../geometry/vector.ts";
import { getRadialDirections, getRing, type ImplantBody } from "../implant/implant-body.ts";
import { isInBody } from "./jaw-body.ts";
import type { JawBody } from "./segment-jaws.ts";

/** mm under the shoulder from which an implant is examined: the crest of a coarse jaw may be off by as much. */
const examinedFrom = 3;
const stepMm = 0.5;
const directionCount = 12;
/** The share of the way round that is outside where a place of the implant counts as outside. */
const leastShare = 0.25;

/**
 * Measures the length of an implant, in mm along its axis, on which a quarter of its surface or more lies outside a
 * jaw. The uppermost 3 mm are not examined.
 */
export function measureLengthOutsideJaw(implant: ImplantBody, jaw: JawBody): number {
  const length = distance(implant.head, implant.apex);
  const directions = getRadialDirections(implant, directionCount);
  let outside = 0;
  for (let depth = examinedFrom + stepMm / 2; depth < length; depth += stepMm) {
    const [middle, radius] = getRing(implant, depth / length);
    const left = directions.filter((direction) => !isInBody(jaw, plus(middle, times(direction, radius))));
    if (left.length >= leastShare * directionCount) outside += stepMm;
  }
  return outside;
}

import { distance, dot, lengthOf, minus, plus, times, unit, type Vector } from "../view/vector.ts";
import { distanceTo, nearestOn, type Body, type Tube } from "./body.ts";
import { towards } from "./line.ts";
import { nearestPlaces, type NearestPlaces, type Support } from "./nearest-places.ts";
import type { Root } from "./root.ts";

/**
 * The shortest path from an implant's surface (`from`) to the wall of a nerve canal (`to`); patient LPS, mm. Negative
 * where they overlap. Exact along the line's segments: the distance to a convex body is convex along each of them.
 */
export function canalClearance(body: Body, { line: { points }, radius }: Tube): NearestPlaces {
  let [best, least] = [0, Infinity];
  for (const [at, point] of points.entries()) {
    const mm = distanceTo(body, point);
    if (mm < least) [best, least] = [at, mm];
  }
  const middle = [best - 1, best]
    .filter((at) => at >= 0 && at + 1 < points.length)
    .map((at) => nearestAlong(body, points[at], points[at + 1]))
    .reduce((one, other) => (distanceTo(body, other) < distanceTo(body, one) ? other : one), points[best]);
  const { mm, place } = nearestOn(body, middle);
  const way = mm > 0 ? towards(middle, place) : towards(place, middle);
  return { mm: mm - radius, from: place, to: plus(middle, times(way, Math.min(radius, Math.abs(mm)))) };
}

/** The place between two points that is nearest to the body, to 0.001 of their distance. */
function nearestAlong(body: Body, a: Vector, b: Vector): Vector {
  const at = (share: number): Vector => plus(times(a, 1 - share), times(b, share));
  let [low, high] = [0, 1];
  while (high - low > 1e-3) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (distanceTo(body, at(left)) < distanceTo(body, at(right))) high = right;
    else low = left;
  }
  return at((low + high) / 2);
}

/** The shortest way between the surfaces of two implants; 0 where they touch or overlap. */
export const bodyClearance = (one: Body, other: Body): NearestPlaces =>
  nearestPlaces(bodySupport(one), bodySupport(other), minus(other.head, one.head));

/** The shortest way from an implant's surface to that of a drawn root; 0 where they touch or overlap. */
export const rootClearance = (body: Body, root: Root): NearestPlaces =>
  nearestPlaces(bodySupport(body), rootSupport(root), minus(root.neck, body.head));

/** A lower bound of the distance between the two, mm: enough to exclude distant objects. */
export function leastBetween(one: Body, other: Body | Root): number {
  const [a, b] = [
    ballAround(one.head, one.apex, one.shoulder, one.tip),
    "neck" in other
      ? ballAround(other.neck, other.apex, other.wide, other.thin)
      : ballAround(other.head, other.apex, other.shoulder, other.tip),
  ];
  return distance(a.middle, b.middle) - a.radius - b.radius;
}

const ballAround = (a: Vector, b: Vector, first: number, last: number) => ({
  middle: times(plus(a, b), 0.5),
  radius: distance(a, b) / 2 + Math.max(first, last),
});

function bodySupport({ head, apex, shoulder, tip }: Body): Support {
  const axis = towards(head, apex);
  return (way) => {
    const aside = minus(way, times(axis, dot(way, axis)));
    const length = lengthOf(aside);
    const rim = (middle: Vector, radius: number) =>
      length > 1e-12 ? plus(middle, times(aside, radius / length)) : middle;
    const [top, bottom] = [rim(head, shoulder), rim(apex, tip)];
    return dot(top, way) > dot(bottom, way) ? top : bottom;
  };
}

const rootSupport =
  ({ neck, apex, wide, thin }: Root): Support =>
  (way) => {
    const out = unit(way);
    const [top, bottom] = [plus(neck, times(out, wide)), plus(apex, times(out, thin))];
    return dot(top, way) > dot(bottom, way) ? top : bottom;
  };

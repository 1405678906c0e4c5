import { distance, dot, lengthOf, minus, plus, times, normalize, type Vector } from "../geometry/vector.ts";
import { measureDistanceToBody, findNearestOnBody, type ImplantBody, type NerveCanal } from "./implant-body.ts";
import { getDirection } from "../arch/smooth-line.ts";
import { findNearestPoints, type NearestPoints, type SupportFunction } from "./convex-shape-distance.ts";
import type { ToothRoot } from "./tooth-root.ts";

/**
 * Finds the shortest path from an implant's surface (`from`) to the wall of a nerve canal (`to`); patient LPS, mm.
 * Negative if they overlap. Exact along the line's segments: the distance to a convex body is convex along each of
 * them.
 */
export function measureCanalClearance(body: ImplantBody, { line: { points }, radius }: NerveCanal): NearestPoints {
  let [best, least] = [0, Infinity];
  for (const [at, point] of points.entries()) {
    const mm = measureDistanceToBody(body, point);
    if (mm < least) [best, least] = [at, mm];
  }
  const middle = [best - 1, best]
    .filter((at) => at >= 0 && at + 1 < points.length)
    .map((at) => findNearestAlong(body, points[at], points[at + 1]))
    .reduce(
      (one, other) => (measureDistanceToBody(body, other) < measureDistanceToBody(body, one) ? other : one),
      points[best],
    );
  const { mm, place } = findNearestOnBody(body, middle);
  const direction = mm > 0 ? getDirection(middle, place) : getDirection(place, middle);
  return { mm: mm - radius, from: place, to: plus(middle, times(direction, Math.min(radius, Math.abs(mm)))) };
}

/** The place between two points that is nearest to the body, to 0.001 of their distance. */
function findNearestAlong(body: ImplantBody, a: Vector, b: Vector): Vector {
  const at = (share: number): Vector => plus(times(a, 1 - share), times(b, share));
  let [low, high] = [0, 1];
  while (high - low > 1e-3) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (measureDistanceToBody(body, at(left)) < measureDistanceToBody(body, at(right))) high = right;
    else low = left;
  }
  return at((low + high) / 2);
}

/** The shortest way between the surfaces of two implants; 0 where they touch or overlap. */
export const measureImplantClearance = (one: ImplantBody, other: ImplantBody): NearestPoints =>
  findNearestPoints(createBodySupport(one), createBodySupport(other), minus(other.head, one.head));

/** The shortest way from an implant's surface to that of a drawn root; 0 where they touch or overlap. */
export const measureRootClearance = (body: ImplantBody, root: ToothRoot): NearestPoints =>
  findNearestPoints(createBodySupport(body), createRootSupport(root), minus(root.neck, body.head));

/** A lower bound of the distance between the two, mm: enough to exclude distant objects. */
export function getDistanceLowerBound(one: ImplantBody, other: ImplantBody | ToothRoot): number {
  const [a, b] = [
    getBoundingBall(one.head, one.apex, one.shoulder, one.tip),
    "neck" in other
      ? getBoundingBall(other.neck, other.apex, other.wide, other.thin)
      : getBoundingBall(other.head, other.apex, other.shoulder, other.tip),
  ];
  return distance(a.middle, b.middle) - a.radius - b.radius;
}

const getBoundingBall = (a: Vector, b: Vector, first: number, last: number) => ({
  middle: times(plus(a, b), 0.5),
  radius: distance(a, b) / 2 + Math.max(first, last),
});

function createBodySupport({ head, apex, shoulder, tip }: ImplantBody): SupportFunction {
  const axis = getDirection(head, apex);
  return (direction) => {
    const aside = minus(direction, times(axis, dot(direction, axis)));
    const length = lengthOf(aside);
    const rim = (middle: Vector, radius: number) =>
      length > 1e-12 ? plus(middle, times(aside, radius / length)) : middle;
    const [top, bottom] = [rim(head, shoulder), rim(apex, tip)];
    return dot(top, direction) > dot(bottom, direction) ? top : bottom;
  };
}

const createRootSupport =
  ({ neck, apex, wide, thin }: ToothRoot): SupportFunction =>
  (direction) => {
    const out = normalize(direction);
    const [top, bottom] = [plus(neck, times(out, wide)), plus(apex, times(out, thin))];
    return dot(top, direction) > dot(bottom, direction) ? top : bottom;
  };

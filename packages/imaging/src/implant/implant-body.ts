import { cross, dot, lengthOf, minus, plus, times, type Vector } from "../geometry/vector.ts";
import type { Point2D } from "../view/measure-lengths-angles.ts";
import { getDirection, type SmoothLine } from "../arch/smooth-line.ts";

/** An implant: a cylinder, or a cone where `tip` is less than `shoulder`; patient LPS and radii in mm. */
export interface ImplantBody {
  head: Vector;
  apex: Vector;
  shoulder: number;
  tip: number;
}

/** A nerve canal: a tube of one radius (mm) around a line. */
export interface NerveCanal {
  line: SmoothLine;
  radius: number;
}

/**
 * Returns the distance of a point from the body's surface, in mm, negative inside. Source: I. Quilez, "Distance
 * functions" (capped cone, exact).
 */
export const measureDistanceToBody = (body: ImplantBody, point: Vector): number => findNearestOnBody(body, point).mm;

/** Returns the place of the body's surface nearest to a point, with the signed distance of `distanceTo`. */
export function findNearestOnBody(body: ImplantBody, point: Vector): { mm: number; place: Vector } {
  const { head, apex, shoulder, tip } = body;
  const [axis, off] = [minus(apex, head), minus(point, head)];
  const square = dot(axis, axis);
  const along = dot(off, axis) / square;
  const outwards = minus(off, times(axis, along));
  const aside = lengthOf(outwards);
  const end = along < 0.5 ? 0 : 1;
  const cap = { aside: Math.min(aside, end === 0 ? shoulder : tip), along: end };
  const widening = tip - shoulder;
  const share = clampShare((widening * (aside - shoulder) + along * square) / (widening * widening + square));
  const side = { aside: shoulder + share * widening, along: share };
  const far = (place: typeof cap): number => Math.hypot(aside - place.aside, (along - place.along) * Math.sqrt(square));
  const nearest = far(cap) < far(side) ? cap : side;
  const isIn = aside < side.aside && along > 0 && along < 1;
  // On the axis every direction is as near as any other.
  const direction = aside > 1e-9 ? times(outwards, 1 / aside) : getRadialDirections(body, 1)[0];
  return {
    mm: (isIn ? -1 : 1) * far(nearest),
    place: plus(plus(head, times(axis, nearest.along)), times(direction, nearest.aside)),
  };
}

const clampShare = (value: number): number => Math.min(1, Math.max(0, value));

/** The middle and the radius of the body at a share of the way from head to apex. */
export const getRing = ({ head, apex, shoulder, tip }: ImplantBody, share: number): [Vector, number] => [
  plus(times(head, 1 - share), times(apex, share)),
  shoulder + (tip - shoulder) * share,
];

/** Unit vectors square to the body's axis, all around. */
export function getRadialDirections({ head, apex }: ImplantBody, count: number): Vector[] {
  const axis = getDirection(head, apex);
  const other: Vector = Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const side = times(cross(axis, other), 1 / lengthOf(cross(axis, other)));
  const front = cross(axis, side);
  return Array.from({ length: count }, (_, at) => {
    const angle = (at / count) * 2 * Math.PI;
    return plus(times(side, Math.cos(angle)), times(front, Math.sin(angle)));
  });
}

/** Points of both ends' rims. */
export function sampleRims(body: ImplantBody): [Vector[], Vector[]] {
  const rim = (share: number): Vector[] => {
    const [middle, radius] = getRing(body, share);
    return getRadialDirections(body, 48).map((direction) => plus(middle, times(direction, radius)));
  };
  return [rim(0), rim(1)];
}

/** Corners of where a plane cuts the body, in no order; none where it does not. */
export function cutBody(body: ImplantBody, on: Vector, normal: Vector): Vector[] {
  const [top, bottom] = sampleRims(body);
  const edges = top.flatMap((point, at): [Vector, Vector][] => {
    const next = (at + 1) % top.length;
    return [
      [point, bottom[at]],
      [point, top[next]],
      [bottom[at], bottom[next]],
    ];
  });
  return edges.flatMap(([a, b]) => {
    const [above, below] = [dot(minus(a, on), normal), dot(minus(b, on), normal)];
    if (above * below > 0 || above === below) return [];
    return [plus(a, times(minus(b, a), above / (above - below)))];
  });
}

/** The outline around points of a screen. Source: A. Andrew's monotone chain, 1979. */
export function computeConvexHull(points: readonly Point2D[]): Point2D[] {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (row: readonly Point2D[]): Point2D[] => {
    const chain: Point2D[] = [];
    for (const point of row) {
      while (chain.length > 1 && crossProduct(chain[chain.length - 2], chain[chain.length - 1], point) <= 0)
        chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.toReversed())];
}

const crossProduct = (a: Point2D, b: Point2D, c: Point2D): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

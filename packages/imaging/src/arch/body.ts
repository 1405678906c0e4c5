import { cross, dot, lengthOf, minus, plus, times, type Vector } from "../view/vector.ts";
import type { Spot } from "../view/measure.ts";
import { towards, type SmoothLine } from "./line.ts";

/** An implant: a cylinder, or a cone where `tip` is less than `shoulder`; patient LPS and radii in mm. */
export interface Body {
  head: Vector;
  apex: Vector;
  shoulder: number;
  tip: number;
}

/** A nerve canal: a tube of one radius (mm) around a line. */
export interface Tube {
  line: SmoothLine;
  radius: number;
}

/**
 * How far a point lies from the body's surface, negative inside; mm.
 * Source: I. Quilez, "Distance functions" (capped cone, exact).
 */
export function distanceTo({ head, apex, shoulder, tip }: Body, point: Vector): number {
  const [axis, off] = [minus(apex, head), minus(point, head)];
  const square = dot(axis, axis);
  const along = dot(off, axis) / square;
  const aside = Math.sqrt(Math.max(0, dot(off, off) - along * along * square));
  const widening = tip - shoulder;
  const cap = [Math.max(0, aside - (along < 0.5 ? shoulder : tip)), Math.abs(along - 0.5) - 0.5];
  const share = clamped((widening * (aside - shoulder) + along * square) / (widening * widening + square));
  const side = [aside - shoulder - share * widening, along - share];
  const isIn = side[0] < 0 && cap[1] < 0;
  const near = Math.min(cap[0] ** 2 + cap[1] ** 2 * square, side[0] ** 2 + side[1] ** 2 * square);
  return (isIn ? -1 : 1) * Math.sqrt(near);
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value));

/** From the implant's surface to the canal's wall; negative where they overlap; mm. */
export const canalGap = (body: Body, { line, radius }: Tube): number =>
  Math.min(...line.points.map((point) => distanceTo(body, point))) - radius;

/** From one implant's surface to the other's, to about 0.02 mm; 0 where they touch or overlap. */
export function bodyGap(one: Body, other: Body): number {
  let least = distanceTo(other, one.head);
  for (let ring = 0; ring <= 80; ring++) {
    const [middle, radius] = ringOf(one, ring / 80);
    for (const way of around(one, 72)) least = Math.min(least, distanceTo(other, plus(middle, times(way, radius))));
  }
  return Math.max(0, least);
}

const ringOf = ({ head, apex, shoulder, tip }: Body, share: number): [Vector, number] => [
  plus(times(head, 1 - share), times(apex, share)),
  shoulder + (tip - shoulder) * share,
];

/** Unit vectors square to the body's axis, all around. */
function around({ head, apex }: Body, count: number): Vector[] {
  const axis = towards(head, apex);
  const other: Vector = Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const side = times(cross(axis, other), 1 / lengthOf(cross(axis, other)));
  const front = cross(axis, side);
  return Array.from({ length: count }, (_, at) => {
    const angle = (at / count) * 2 * Math.PI;
    return plus(times(side, Math.cos(angle)), times(front, Math.sin(angle)));
  });
}

/** Points of both ends' rims. */
export function rimsOf(body: Body): [Vector[], Vector[]] {
  const rim = (share: number): Vector[] => {
    const [middle, radius] = ringOf(body, share);
    return around(body, 48).map((way) => plus(middle, times(way, radius)));
  };
  return [rim(0), rim(1)];
}

/** Corners of where a plane cuts the body, in no order; none where it does not. */
export function cutOf(body: Body, on: Vector, normal: Vector): Vector[] {
  const [top, bottom] = rimsOf(body);
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
export function outlineOf(points: readonly Spot[]): Spot[] {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (row: readonly Spot[]): Spot[] => {
    const chain: Spot[] = [];
    for (const point of row) {
      while (chain.length > 1 && turnOf(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.toReversed())];
}

const turnOf = (a: Spot, b: Spot, c: Spot): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

import type { Spot } from "../view/measure.ts";
import { cross, dot, minus, plus, times, unit, type Vector } from "../view/vector.ts";

/** A drawn root: all places that balls cover whose radius runs evenly from the neck to the apex; patient LPS and radii in mm. */
export interface Root {
  neck: Vector;
  apex: Vector;
  /** Radius at the neck and at the apex. */
  wide: number;
  thin: number;
}

const balls = 24;

function* ballsOf({ neck, apex, wide, thin }: Root): Generator<{ middle: Vector; radius: number }> {
  for (let at = 0; at <= balls; at++) {
    const share = at / balls;
    yield { middle: plus(times(neck, 1 - share), times(apex, share)), radius: wide + (thin - wide) * share };
  }
}

/** Points on the edge of a plane's cut through a root, in no order; none if it does not cut it. */
export function rootCut(root: Root, on: Vector, normal: Vector): Vector[] {
  const [side, front] = acrossOf(normal);
  return [...ballsOf(root)].flatMap(({ middle, radius }) => {
    const before = dot(minus(middle, on), normal);
    const square = radius * radius - before * before;
    if (square <= 0) return [];
    const centre = minus(middle, times(normal, before));
    return circle(centre, side, front, Math.sqrt(square));
  });
}

/** Places all over the surface of a root, for its outline from anywhere. */
export const rootSurface = (root: Root): Vector[] =>
  [...ballsOf(root)].flatMap(({ middle, radius }) => [
    ...circle(middle, [1, 0, 0], [0, 1, 0], radius),
    ...circle(middle, [0, 1, 0], [0, 0, 1], radius),
    ...circle(middle, [0, 0, 1], [1, 0, 0], radius),
  ]);

function acrossOf(normal: Vector): [Vector, Vector] {
  const side = unit(cross(normal, Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
  return [side, cross(normal, side)];
}

const spots: readonly Spot[] = Array.from({ length: 20 }, (_, at) => {
  const angle = (at / 20) * 2 * Math.PI;
  return [Math.cos(angle), Math.sin(angle)];
});

const circle = (middle: Vector, side: Vector, front: Vector, radius: number): Vector[] =>
  spots.map(([x, y]) => plus(middle, plus(times(side, x * radius), times(front, y * radius))));

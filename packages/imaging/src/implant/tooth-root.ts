import type { Point2D } from "../view/measure-lengths-angles.ts";
import { cross, dot, minus, plus, times, normalize, type Vector } from "../geometry/vector.ts";

/**
 * A drawn root: all points covered by balls whose radius changes linearly from the neck to the apex; patient LPS and
 * radii in mm.
 */
export interface ToothRoot {
  neck: Vector;
  apex: Vector;
  /** Radius at the neck and at the apex. */
  wide: number;
  thin: number;
}

const ballCount = 24;

function* iterateBalls({ neck, apex, wide, thin }: ToothRoot): Generator<{ middle: Vector; radius: number }> {
  for (let at = 0; at <= ballCount; at++) {
    const share = at / ballCount;
    yield { middle: plus(times(neck, 1 - share), times(apex, share)), radius: wide + (thin - wide) * share };
  }
}

/** Points on the edge of a plane's cut through a root, in no order; none if it does not cut it. */
export function cutRoot(root: ToothRoot, on: Vector, normal: Vector): Vector[] {
  const [side, front] = getPerpendiculars(normal);
  return [...iterateBalls(root)].flatMap(({ middle, radius }) => {
    const before = dot(minus(middle, on), normal);
    const square = radius * radius - before * before;
    if (square <= 0) return [];
    const centre = minus(middle, times(normal, before));
    return createCircle(centre, side, front, Math.sqrt(square));
  });
}

/** Samples points all over the surface of a root, for its outline from any direction. */
export const sampleRootSurface = (root: ToothRoot): Vector[] =>
  [...iterateBalls(root)].flatMap(({ middle, radius }) => [
    ...createCircle(middle, [1, 0, 0], [0, 1, 0], radius),
    ...createCircle(middle, [0, 1, 0], [0, 0, 1], radius),
    ...createCircle(middle, [0, 0, 1], [1, 0, 0], radius),
  ]);

/**
 * Samples the silhouette of a root seen along `towards`: the rims of a few balls, between which a root is straight. A
 * view may draw the roots of all teeth with each movement of the pointer.
 */
export function sampleRootSilhouette(root: ToothRoot, towards: Vector): Vector[] {
  const [side, front] = getPerpendiculars(towards);
  return [...iterateBalls(root)]
    .filter((_, at) => at % 6 === 0)
    .flatMap(({ middle, radius }) => createCircle(middle, side, front, radius));
}

function getPerpendiculars(normal: Vector): [Vector, Vector] {
  const side = normalize(cross(normal, Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
  return [side, cross(normal, side)];
}

const circlePoints: readonly Point2D[] = Array.from({ length: 20 }, (_, at) => {
  const angle = (at / 20) * 2 * Math.PI;
  return [Math.cos(angle), Math.sin(angle)];
});

const createCircle = (middle: Vector, side: Vector, front: Vector, radius: number): Vector[] =>
  circlePoints.map(([x, y]) => plus(middle, plus(times(side, x * radius), times(front, y * radius))));

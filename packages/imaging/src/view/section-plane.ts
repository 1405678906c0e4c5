import type { Point2D } from "./measure-lengths-angles.ts";
import { castViewRay, type BoundingBox, type ModelCamera } from "./model-camera.ts";
import type { Size } from "./image-view.ts";
import { cross, dot, minus, plus, rotateVector, times, normalize, type Vector } from "../geometry/vector.ts";

/** A plane in mm: the points whose product with `normal` (length 1) is `offset`. */
export interface SectionPlane {
  normal: Vector;
  offset: number;
}

/** Across a direction, through the middle of the box. */
export const createMiddlePlane = (normal: Vector, { min, max }: BoundingBox): SectionPlane => ({
  normal,
  offset: dot(normal, times(plus(min, max), 0.5)),
});

/** Returns the range of the plane along its normal, until it has left the box: offsets in mm. */
export function getOffsetRange(normal: Vector, { min, max }: BoundingBox): { least: number; most: number } {
  const middle = dot(normal, times(plus(min, max), 0.5));
  const half = normal.reduce((sum, part, at) => sum + (Math.abs(part) * ((max[at] ?? 0) - (min[at] ?? 0))) / 2, 0);
  return { least: middle - half, most: middle + half };
}

/** The place on the plane that is nearest to `point`. */
export const projectOntoPlane = ({ normal, offset }: SectionPlane, point: Vector): Vector =>
  plus(point, times(normal, offset - dot(normal, point)));

/** Rotates the plane about an axis (length 1) through a point on the plane, by radians. */
export function rotatePlane(plane: SectionPlane, about: Vector, axis: Vector, angle: number): SectionPlane {
  const normal = normalize(rotateVector(plane.normal, axis, angle));
  return { normal, offset: dot(normal, projectOntoPlane(plane, about)) };
}

/** The plane that a line on the screen cuts straight into the depth; null where the line is too short to have a direction. */
export function createPlaneThroughLine(
  camera: ModelCamera,
  viewport: Size,
  from: Point2D,
  to: Point2D,
): SectionPlane | null {
  if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 8) return null;
  const [one, other] = [from, to].map((at) => castViewRay(camera, viewport, at, 0)) as [ViewRay, ViewRay];
  // The plane contains two lines of sight: side by side without perspective, from one eye with it.
  const across = camera.hasPerspective ? other.direction : minus(other.origin, one.origin);
  const normal = normalize(cross(one.direction, across));
  return { normal, offset: dot(normal, one.origin) };
}

type ViewRay = ReturnType<typeof castViewRay>;

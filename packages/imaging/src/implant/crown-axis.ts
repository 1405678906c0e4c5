import { cross, dot, lengthOf, minus, normalize, plus, times, type Vector } from "../geometry/vector.ts";
import { transformPoint, type RigidTransform } from "../geometry/rigid-transform.ts";
import type { ImplantBody } from "./implant-body.ts";
import { getOutwardAxis } from "./implant-parts.ts";

/** A scan's triangles: x, y, z of each vertex in mm of its own file, three vertex numbers for each triangle. */
export interface ScanTriangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/** mm around the implant's axis within which the scan is considered: a crown with half of each neighbour. */
const defaultRadius = 7;
/** The least area (mm²), seen along the axis, that says anything about the site. */
const minArea = 12;

/**
 * Estimates the crown's axis at an implant from a scan that is registered with the volume: the direction that the scan
 * faces around the site. The vector area of an open surface depends on its rim alone, so that cusps and fissures
 * cancel out, and what remains is the normal of the plane through the teeth around the site.
 *
 * @param transform from the scan's own frame into the volume's (patient LPS, mm)
 * @returns a unit vector out of the jaw; null if the scan has too little surface there
 */
export function estimateCrownAxis(
  { positions, indices }: ScanTriangles,
  transform: RigidTransform,
  body: Pick<ImplantBody, "head" | "apex">,
  radius = defaultRadius,
): Vector | null {
  const axis = getOutwardAxis(body);
  const at = (vertex: number): Vector =>
    transformPoint(transform, [
      positions[vertex * 3] ?? 0,
      positions[vertex * 3 + 1] ?? 0,
      positions[vertex * 3 + 2] ?? 0,
    ]);
  let sum: Vector = [0, 0, 0];
  for (let corner = 0; corner + 2 < indices.length; corner += 3) {
    const a = at(indices[corner] ?? 0);
    if (!isNearAxis(a, body.head, axis, radius)) continue;
    const [b, c] = [at(indices[corner + 1] ?? 0), at(indices[corner + 2] ?? 0)];
    sum = plus(sum, times(cross(minus(b, a), minus(c, a)), 0.5));
  }
  // A scan whose triangles are wound the other way faces inwards.
  const outward = dot(sum, axis) < 0 ? times(sum, -1) : sum;
  return lengthOf(outward) < minArea ? null : normalize(outward);
}

/** mm below and above the shoulder in which the crowns of the site lie. */
const [below, above] = [6, 16];

function isNearAxis(point: Vector, head: Vector, axis: Vector, radius: number): boolean {
  const offset = minus(point, head);
  const along = dot(offset, axis);
  if (along < -below || along > above) return false;
  return lengthOf(minus(offset, times(axis, along))) <= radius;
}

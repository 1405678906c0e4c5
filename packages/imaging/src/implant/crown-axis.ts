import { cross, distance, dot, minus, plus, times, type Vector } from "../geometry/vector.ts";
import { transformPoint, type RigidTransform } from "../geometry/rigid-transform.ts";
import { fitTipPlane, measureFlatShape } from "../orientation/crown-tip-plane.ts";
import type { ImplantBody } from "./implant-body.ts";
import { getOutwardAxis } from "./implant-parts.ts";

/** A scan's triangles: x, y, z of each vertex in mm of its own file, three vertex numbers for each triangle. */
export interface ScanTriangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/** Vertices that are enough for a plane; a scan has hundreds of thousands. */
const maxPoints = 30_000;
/** mm from the implant's shoulder beyond which a scan does not show its site. */
const reach = 20;
/** mm; a shorter or narrower row of crowns has no certain plane. */
const minSpread = 6;

/**
 * Finds the direction in which a crown stands square to the occlusal plane of a scan that is registered with the
 * volume: the normal of the plane through the tips of its crowns, out of the jaw. Real crowns lean against it.
 *
 * @param transform from the scan's own frame into the volume's (patient LPS, mm)
 * @returns a unit vector; null if the scan shows another site or the other jaw, or too little of an arch
 */
export function findOcclusalAxis(
  scan: ScanTriangles,
  transform: RigidTransform,
  body: Pick<ImplantBody, "head" | "apex">,
): Vector | null {
  const outwards = getOutwardAxis(body);
  const points = samplePoints(scan, transform);
  if (!points.some((point) => distance(point, body.head) < reach)) return null;
  // A scan faces the opposing jaw: that of the other jaw faces this implant.
  if (dot(getFacing(scan, transform), outwards) <= 0) return null;
  const sample = { points: Float32Array.from(points.flat()) };
  if (measureFlatShape(sample).spread[1] < minSpread) return null;
  return fitTipPlane(sample, { middle: body.head, normal: outwards }).normal;
}

function samplePoints({ positions }: ScanTriangles, transform: RigidTransform): Vector[] {
  const count = positions.length / 3;
  const step = Math.max(1, Math.floor(count / maxPoints));
  const points: Vector[] = [];
  for (let vertex = 0; vertex < count; vertex += step) points.push(placeVertex(positions, vertex, transform));
  return points;
}

/** The vector area of an open surface: it depends on its rim alone, and points to where the surface faces. */
function getFacing({ positions, indices }: ScanTriangles, transform: RigidTransform): Vector {
  let sum: Vector = [0, 0, 0];
  for (let corner = 0; corner + 2 < indices.length; corner += 3) {
    const [a, b, c] = [0, 1, 2].map((at) => placeVertex(positions, indices[corner + at], transform));
    sum = plus(sum, times(cross(minus(b, a), minus(c, a)), 0.5));
  }
  return sum;
}

const placeVertex = (positions: ArrayLike<number>, vertex: number, transform: RigidTransform): Vector =>
  transformPoint(transform, [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]]);

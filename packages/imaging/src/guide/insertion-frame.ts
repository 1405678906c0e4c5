import { invertTransform, transformPoint, type RigidTransform } from "../geometry/rigid-transform.ts";
import { cross, dot, lengthOf, normalize, plus, times, type Vector } from "../geometry/vector.ts";
import { countTriangles, getTriangleCorners, type Mesh } from "../mesh/mesh.ts";
import { GuideError, type GuideInput } from "./guide-input.ts";

/**
 * A frame in which the guide is pushed on along −z: the blocked scan is everything below a height map there.
 */
export interface InsertionFrame {
  /** From the volume's frame into this one. */
  toLocal: RigidTransform;
  toPatient: RigidTransform;
  /** The direction into the jaw, of length 1, in the volume's frame. */
  insertion: Vector;
}

/** The least cosine between a sleeve and the direction out of the jaw: 60°. */
const leastCosine = 0.5;

/** @throws {GuideError} if no direction suits all sleeves */
export function createInsertionFrame({
  sleeves,
  insertion,
}: Pick<GuideInput, "sleeves" | "insertion">): InsertionFrame {
  const axes = sleeves.map(({ axis }) => normalize(axis));
  const mean = axes.reduce((sum, axis) => plus(sum, axis), [0, 0, 0] as Vector);
  const wanted = insertion ? times(insertion, -1) : mean;
  if (lengthOf(wanted) < 1e-6) throw new GuideError("noInsertion");
  const up = normalize(wanted);
  if (axes.some((axis) => dot(axis, up) < leastCosine)) throw new GuideError("noInsertion");
  const side = normalize(cross(Math.abs(up[1]) < 0.8 ? [0, 1, 0] : [1, 0, 0], up));
  const front = cross(up, side);
  const toLocal: RigidTransform = [...side, 0, ...front, 0, ...up, 0];
  return { toLocal, toPatient: invertTransform(toLocal), insertion: times(up, -1) };
}

/** The corners of all triangles, nine numbers each, moved by a transform. */
export function listTriangles(mesh: Mesh, transform: RigidTransform): Float32Array {
  const count = countTriangles(mesh);
  const { positions } = mesh;
  const corners = new Float32Array(9 * count);
  for (let t = 0; t < count; t++)
    getTriangleCorners(mesh, t).forEach((at, corner) =>
      corners.set(transformPoint(transform, [positions[at], positions[at + 1], positions[at + 2]]), 9 * t + 3 * corner),
    );
  return corners;
}

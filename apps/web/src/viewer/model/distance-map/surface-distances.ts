import { createOrientedSurface, computeSignedDistance } from "@arcada/imaging/mesh/signed-distance";
import { invertTransform, transformPoint, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import { SurfaceTree } from "../mesh/surface-tree.ts";
import type { SerializedBVH } from "three-mesh-bvh";

export interface TreeSurface {
  positions: Float32Array;
  indices: Uint32Array;
  bvh: SerializedBVH | null;
  /** From the file's own space to the scene's. */
  pose: RigidTransform;
}

/**
 * Returns the distance of each vertex from the other surface, in mm: positive on its outside, negative if the vertex is
 * inside; NaN beyond `reach`, and beside the other's border.
 * @param onPart called with the part that is done, 0 to 1
 */
export function surfaceDistances(
  from: Pick<TreeSurface, "positions" | "pose">,
  onto: TreeSurface,
  reach: number,
  onPart: (part: number) => void = () => {},
): Float32Array {
  const tree = new SurfaceTree(onto, onto.bvh);
  const sides = createOrientedSurface(onto.positions, onto.indices);
  const inverse = invertTransform(onto.pose);
  const count = from.positions.length / 3;
  const distances = new Float32Array(count).fill(NaN);
  const at = (i: number) => from.positions[i] ?? 0;
  for (let vertex = 0; vertex < count; vertex++) {
    if (vertex % 10_000 === 0) onPart(vertex / count);
    const point = transformPoint(
      inverse,
      transformPoint(from.pose, [at(3 * vertex), at(3 * vertex + 1), at(3 * vertex + 2)]),
    );
    const near = tree.nearest(point, reach);
    if (near) distances[vertex] = computeSignedDistance(sides, near.face, near.point, point);
  }
  return distances;
}

import type { Contour } from "@arcada/imaging/mesh/contour";
import { cross, dot, normalize, type Vector } from "@arcada/imaging/geometry/vector";
import { ShapeUtils, Vector2 } from "three";

interface Loop {
  points: readonly Vector[];
  flat: Vector2[];
  size: number;
}

/**
 * Triangulates the areas enclosed by a section's closed lines: x y z for each corner, in mm. A line within another is a
 * hole, one within a hole an island. Open lines enclose nothing.
 */
export function triangulateCap(contours: readonly Contour[], normal: Vector): Float32Array {
  const side = normalize(cross(normal, Math.abs(normal[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]));
  const up = cross(normal, side);
  const loops = contours
    .filter(({ isClosed, points }) => isClosed && points.length > 2)
    .map(({ points }): Loop => {
      const flat = points.map((point) => new Vector2(dot(point, side), dot(point, up)));
      return { points, flat, size: Math.abs(ShapeUtils.area(flat)) };
    })
    .sort((a, b) => b.size - a.size);
  const enclosing = loops.map((loop, at) => loops.slice(0, at).filter((larger) => contains(larger, loop)));
  const corners: number[] = [];
  loops.forEach((outer, at) => {
    if ((enclosing[at] ?? []).length % 2 === 1) return;
    const holes = loops.filter((_, other) => {
      const around = enclosing[other] ?? [];
      return around.length % 2 === 1 && around.at(-1) === outer;
    });
    const points = [outer, ...holes].flatMap((loop) => loop.points);
    const flat = holes.map((hole) => hole.flat);
    for (const corner of ShapeUtils.triangulateShape(outer.flat, flat).flat()) corners.push(...(points[corner] ?? []));
  });
  return Float32Array.from(corners);
}

/**
 * True if a loop is within a larger one: a ray from one of its points crosses the larger one an odd number of times.
 */
function contains({ flat }: Loop, inner: Loop): boolean {
  const point = inner.flat[0];
  if (!point) return false;
  let isIn = false;
  flat.forEach((a, at) => {
    const b = flat[(at + 1) % flat.length] ?? a;
    if (a.y > point.y !== b.y > point.y && point.x < a.x + ((point.y - a.y) / (b.y - a.y)) * (b.x - a.x)) isIn = !isIn;
  });
  return isIn;
}

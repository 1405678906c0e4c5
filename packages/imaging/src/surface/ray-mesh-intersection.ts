import { cross, dot, minus, plus, times, type Vector } from "../geometry/vector.ts";

interface Triangles {
  positions: Float32Array;
  indices: Uint32Array;
}

/**
 * Returns the first intersection of a ray with a surface, from either side; null if it misses. Source: T. Möller and B.
 * Trumbore 1997.
 */
export function findFirstIntersection(mesh: Triangles, origin: Vector, direction: Vector): Vector | null {
  const { positions: p, indices } = mesh;
  const at = (index: number): Vector => [p[3 * index], p[3 * index + 1], p[3 * index + 2]];
  let best = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    const a = at(indices[t]);
    const [u, v] = [minus(at(indices[t + 1]), a), minus(at(indices[t + 2]), a)];
    const across = cross(direction, v);
    const size = dot(u, across);
    if (Math.abs(size) < 1e-12) continue;
    const from = minus(origin, a);
    const first = dot(from, across) / size;
    if (first < 0 || first > 1) continue;
    const crossed = cross(from, u);
    const second = dot(direction, crossed) / size;
    if (second < 0 || first + second > 1) continue;
    const far = dot(v, crossed) / size;
    if (far > 0 && far < best) best = far;
  }
  return best < Infinity ? plus(origin, times(direction, best)) : null;
}

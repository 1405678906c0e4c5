import { cross, distance, dot, lengthOf, minus, plus, normalize, toVector, type Vector } from "../geometry/vector.ts";

/** A joined surface, in mm, whose triangles face outwards. */
export interface OrientedSurface {
  positions: Float32Array;
  indices: Uint32Array;
  /** For each edge of a triangle, from its corner to the next: the triangle beyond, or -1 at the border. */
  neighbours: Int32Array;
  /** The normal of each vertex, weighted by the angles of its triangles; not of length 1; zero at the border. */
  normals: Float32Array;
}

/**
 * Prepares a surface for `computeSignedDistance`, which distinguishes its outside from its inside. Equal vertices must have
 * been joined.
 */
export function createOrientedSurface(positions: Float32Array, indices: Uint32Array): OrientedSurface {
  const neighbours = findNeighbours(indices, positions.length / 3);
  const normals = new Float32Array(positions.length);
  for (let t = 0; t < indices.length; t += 3) {
    const corners = getCorners(positions, indices, t);
    const normal = computeFaceNormal(corners);
    for (let at = 0; at < 3; at++) {
      const angle = computeCornerAngle(corners, at);
      const place = 3 * indices[t + at];
      for (let i = 0; i < 3; i++) normals[place + i] += angle * normal[i];
    }
  }
  for (let e = 0; e < neighbours.length; e++) {
    if (neighbours[e] >= 0) continue;
    const next = e % 3 === 2 ? e - 2 : e + 1;
    for (const vertex of [indices[e], indices[next]]) normals.fill(0, 3 * vertex, 3 * vertex + 3);
  }
  return { positions, indices, neighbours, normals };
}

/**
 * Returns the distance of `point` from the surface, in mm: positive outside, negative inside; NaN if the nearest point
 * is on the surface's border, where there is neither. `nearest` is a point on triangle `face`. The sign follows from
 * the normal of the nearest triangle, edge or vertex: Baerentzen & Aanaes, "Signed distance computation using the angle
 * weighted pseudonormal", IEEE TVCG 11(3), 2005.
 */
export function computeSignedDistance(surface: OrientedSurface, face: number, nearest: Vector, point: Vector): number {
  const off = distance(point, nearest);
  const normal = findPseudonormal(surface, face, nearest);
  if (off < 1e-6) return 0;
  if (!normal) return NaN;
  return dot(minus(point, nearest), normal) < 0 ? -off : off;
}

/** Closer to an edge than this share of the triangle's height is on the edge. */
const edgeTolerance = 1e-4;

function findPseudonormal(
  { positions, indices, neighbours, normals }: OrientedSurface,
  face: number,
  nearest: Vector,
): Vector | null {
  const at = 3 * face;
  const corners = getCorners(positions, indices, at);
  const barycentric = computeBarycentric(corners, nearest);
  const low = [0, 1, 2].filter((corner) => barycentric[corner] < edgeTolerance);
  if (low.length === 0) return computeFaceNormal(corners);
  if (low.length === 1) {
    const other = neighbours[at + ((low[0] + 1) % 3)];
    return other < 0
      ? null
      : plus(computeFaceNormal(corners), computeFaceNormal(getCorners(positions, indices, 3 * other)));
  }
  const corner = barycentric.indexOf(Math.max(...barycentric));
  const vertex = 3 * indices[at + corner];
  const normal = toVector([...normals.subarray(vertex, vertex + 3)]);
  return lengthOf(normal) === 0 ? null : normal;
}

type Corners = readonly [Vector, Vector, Vector];

const getCorners = (positions: Float32Array, indices: Uint32Array, at: number): Corners => [
  getVertex(positions, indices[at]),
  getVertex(positions, indices[at + 1]),
  getVertex(positions, indices[at + 2]),
];

const getVertex = (positions: Float32Array, vertex: number): Vector => [
  positions[3 * vertex],
  positions[3 * vertex + 1],
  positions[3 * vertex + 2],
];

const computeFaceNormal = ([a, b, c]: Corners): Vector => normalize(cross(minus(b, a), minus(c, a)));

function computeCornerAngle(corners: Corners, at: number): number {
  const [from, a, b] = [corners[at], corners[(at + 1) % 3], corners[(at + 2) % 3]];
  return Math.acos(Math.min(1, Math.max(-1, dot(normalize(minus(a, from)), normalize(minus(b, from))))));
}

/** Returns the barycentric coordinates of a point of the triangle: 1 at the corner itself, 0 on the edge opposite. */
function computeBarycentric([a, b, c]: Corners, place: Vector): [number, number, number] {
  const normal = cross(minus(b, a), minus(c, a));
  const whole = dot(normal, normal) || 1;
  const first = dot(cross(minus(b, place), minus(c, place)), normal) / whole;
  const second = dot(cross(minus(c, place), minus(a, place)), normal) / whole;
  return [first, second, 1 - first - second];
}

/** Pairs the edges by an open hash table: a Map of keys takes ten times as long. */
function findNeighbours(indices: Uint32Array, vertices: number): Int32Array {
  const neighbours = new Int32Array(indices.length).fill(-1);
  let size = 16;
  while (size < 2 * indices.length) size *= 2;
  const slots = new Int32Array(size).fill(-1);
  const keys = new Float64Array(indices.length);
  for (let e = 0; e < indices.length; e++) {
    const next = e % 3 === 2 ? e - 2 : e + 1;
    const [low, high] = indices[e] < indices[next] ? [indices[e], indices[next]] : [indices[next], indices[e]];
    keys[e] = low * vertices + high;
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77)) & (size - 1);
    while (slots[slot] >= 0 && keys[slots[slot]] !== keys[e]) slot = (slot + 1) & (size - 1);
    const other = slots[slot];
    if (other < 0) slots[slot] = e;
    else if (neighbours[other] < 0) [neighbours[e], neighbours[other]] = [Math.floor(other / 3), Math.floor(e / 3)];
  }
  return neighbours;
}

import { transformPoint, type RigidTransform } from "../geometry/rigid-transform.ts";
import { cross, dot, normalize, type Vector } from "../geometry/vector.ts";
import { interpolateBend } from "./surface-bend.ts";
import type { CurvedSurface } from "./curved-surface.ts";

/** A point on the unrolled surface: mm along its line, and mm along its upright. */
export interface UnrolledPoint {
  along: number;
  height: number;
}

interface TriangleSurface {
  /** x, y, z of each corner, mm. */
  positions: ArrayLike<number>;
  /** Three corners of each triangle. */
  indices: ArrayLike<number>;
}

/**
 * Returns the line segments in which the curved surface of a panorama cuts a mesh that has been moved into the patient
 * (LPS, mm). A segment is straight between two edges of a triangle, as the mesh is.
 */
export function intersectMesh(
  path: CurvedSurface,
  surface: TriangleSurface,
  rigidTransform: RigidTransform,
): [UnrolledPoint, UnrolledPoint][] {
  const { positions, indices } = surface;
  const count = positions.length / 3;
  const places = { along: new Float32Array(count), height: new Float32Array(count), out: new Float32Array(count) };
  const line = projectLine(path);
  const { bend } = path;
  for (let at = 0; at < count; at++) {
    const point = transformPoint(rigidTransform, [
      positions[3 * at] ?? 0,
      positions[3 * at + 1] ?? 0,
      positions[3 * at + 2] ?? 0,
    ]);
    locateOnLine(line, point, places, at);
    if (bend)
      places.out[at] = (places.out[at] ?? 0) - interpolateBend(bend, places.along[at] ?? 0, places.height[at] ?? 0);
  }
  const segments: [UnrolledPoint, UnrolledPoint][] = [];
  for (let at = 0; at < indices.length; at += 3) {
    const ends: UnrolledPoint[] = [];
    for (let side = 0; side < 3; side++) {
      const end = findCrossing(places, indices[at + side] ?? 0, indices[at + ((side + 1) % 3)] ?? 0, path.length);
      if (end) ends.push(end);
    }
    const [from, to] = ends;
    if (from && to) segments.push([from, to]);
  }
  return segments;
}

interface VertexPositions {
  along: Float32Array;
  height: Float32Array;
  /** mm in front of the curved surface, towards lips and cheeks. */
  out: Float32Array;
}

/**
 * Returns the point at which an edge crosses the curved surface. Null if it does not, or if the points nearest to its
 * ends are far apart, as between the two sides of the jaw.
 */
function findCrossing(
  { along, height, out }: VertexPositions,
  a: number,
  b: number,
  length: number,
): UnrolledPoint | null {
  const [from, to] = [out[a] ?? 0, out[b] ?? 0];
  if (from >= 0 === to >= 0) return null;
  const part = from / (from - to);
  const [start, end] = [along[a] ?? 0, along[b] ?? 0];
  const isBeyond = Math.min(start, end) <= 0 || Math.max(start, end) >= length;
  if (isBeyond || Math.abs(end - start) > maxEdgeLength) return null;
  return {
    along: start + (end - start) * part,
    height: (height[a] ?? 0) + ((height[b] ?? 0) - (height[a] ?? 0)) * part,
  };
}

/** mm: longer than an edge of any scan. */
const maxEdgeLength = 5;

/** The surface's line as seen from above. */
interface ProjectedLine {
  up: Vector;
  right: Vector;
  ahead: Vector;
  /** x, y of each sample. */
  samples: Float64Array;
  step: number;
}

function projectLine({ points, up, step }: CurvedSurface): ProjectedLine {
  const right = normalize(cross(Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], up));
  const ahead = cross(up, right);
  const samples = Float64Array.from(points.flatMap((point) => [dot(point, right), dot(point, ahead)]));
  return { up, right, ahead, samples, step };
}

/** The step of the coarse search; then the samples around the nearest one are examined. */
const coarseStride = 16;

function locateOnLine(
  { up, right, ahead, samples, step }: ProjectedLine,
  point: Vector,
  into: VertexPositions,
  index: number,
): void {
  const [x, y] = [dot(point, right), dot(point, ahead)];
  const last = samples.length / 2 - 1;
  const near = findNearestSample(samples, x, y, 0, last, coarseStride);
  const best = findNearestSample(
    samples,
    x,
    y,
    Math.max(0, near - coarseStride),
    Math.min(last, near + coarseStride),
    1,
  );
  let least = Infinity;
  for (let at = Math.max(0, best - 1); at <= Math.min(last - 1, best); at++) {
    const [fromX, fromY] = [samples[2 * at] ?? 0, samples[2 * at + 1] ?? 0];
    const [directionX, directionY] = [(samples[2 * at + 2] ?? 0) - fromX, (samples[2 * at + 3] ?? 0) - fromY];
    const long = Math.hypot(directionX, directionY);
    const share = Math.min(1, Math.max(0, ((x - fromX) * directionX + (y - fromY) * directionY) / long ** 2));
    const [offX, offY] = [x - fromX - directionX * share, y - fromY - directionY * share];
    if (offX ** 2 + offY ** 2 >= least) continue;
    least = offX ** 2 + offY ** 2;
    into.along[index] = (at + share) * step;
    into.out[index] = (offX * directionY - offY * directionX) / long;
  }
  into.height[index] = dot(point, up);
}

function findNearestSample(
  samples: Float64Array,
  x: number,
  y: number,
  first: number,
  last: number,
  by: number,
): number {
  let best = first;
  let least = Infinity;
  for (let at = first; at <= last; at += by) {
    const square = ((samples[2 * at] ?? 0) - x) ** 2 + ((samples[2 * at + 1] ?? 0) - y) ** 2;
    if (square >= least) continue;
    least = square;
    best = at;
  }
  return best;
}

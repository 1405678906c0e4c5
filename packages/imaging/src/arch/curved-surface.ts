import { cross, distance, dot, lengthOf, minus, plus, times, type Vector } from "../geometry/vector.ts";
import { interpolateBend, type SurfaceBend } from "./surface-bend.ts";
import { createSmoothLine, getDirection } from "./smooth-line.ts";

/**
 * The curved surface that a panorama shows (curved planar reformation): a line along the teeth, from the patient's
 * right to the left, extruded up and down. A point on it is (along, height): mm along the line and the patient's mm
 * along `up`; both are true lengths of an upright surface. A surface with a bend is shown as if it were upright:
 * `measureCurvedLength` measures on it.
 */
export interface CurvedSurface {
  up: Vector;
  /** Samples every `step` mm, at height 0. */
  points: readonly Vector[];
  /** Unit vectors square to the line and to `up`, to lips and cheeks. */
  normals: readonly Vector[];
  step: number;
  length: number;
  /** Mean height of the points that the line was made of. */
  level: number;
  /** The offset of the shown layer from the upright curved surface; absent if the layer is that surface. */
  bend?: SurfaceBend | undefined;
}

/**
 * A patient point relative to the curved surface; `out` is mm in front of the surface with its bend, towards lips and
 * cheeks.
 */
export interface CurvedSurfacePoint {
  along: number;
  height: number;
  out: number;
}

export const patientUp: Vector = [0, 0, 1];
const sampleStep = 0.25;

/**
 * Builds the curved surface through control points (patient LPS, mm), moved `depth` mm outwards. A moved surface has
 * its own line, so that lengths along it stay true.
 */
export function createCurvedSurface(
  control: readonly Vector[],
  up: Vector = patientUp,
  depth = 0,
): CurvedSurface | null {
  const flat = control.map((point) => minus(point, times(up, dot(point, up))));
  const line = orientFromRight(createSmoothLine(flat, sampleStep).points, up);
  if (line.length < 3) return null;
  const moved = depth === 0 ? line : offsetOutwards(line, up, depth);
  const { points, step, length } = createSmoothLine(thinOut(moved), sampleStep);
  const level = control.reduce((sum, point) => sum + dot(point, up), 0) / control.length;
  return { up, points, normals: computeNormals(points, up), step, length, level };
}

/** The right of a patient has the lower x; seen from above a line around the tongue turns the same way everywhere. */
function orientFromRight(points: readonly Vector[], up: Vector): readonly Vector[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return points;
  const across = cross([0, 1, 0], up);
  return dot(minus(last, first), across) >= 0 ? points : points.toReversed();
}

const offsetOutwards = (points: readonly Vector[], up: Vector, depth: number): Vector[] =>
  computeNormals(points, up).map((normal, at) => plus(points[at], times(normal, depth)));

/** A smooth line through every point of a sampled one would follow its rounding errors. */
const thinOut = (points: readonly Vector[]): Vector[] =>
  points.filter((_, at) => at % 8 === 0 || at === points.length - 1);

function computeNormals(points: readonly Vector[], up: Vector): Vector[] {
  return points.map((_, at) => {
    const ahead = getDirection(points[Math.max(0, at - 1)], points[Math.min(points.length - 1, at + 1)]);
    const normal = cross(ahead, up);
    return times(normal, 1 / (lengthOf(normal) || 1));
  });
}

/**
 * Returns the point and normal at a position along the line, also between samples; if `along` is beyond the line's
 * ends, those of the end.
 */
export function sampleCurvedSurface(
  { points, normals, step, length }: CurvedSurface,
  along: number,
): { point: Vector; normal: Vector } {
  const place = Math.min(length, Math.max(0, along)) / step;
  const at = Math.min(points.length - 2, Math.floor(place));
  const share = place - at;
  const interpolate = (list: readonly Vector[]): Vector => plus(times(list[at], 1 - share), times(list[at + 1], share));
  const normal = interpolate(normals);
  return { point: interpolate(points), normal: times(normal, 1 / lengthOf(normal)) };
}

export function curvedSurfaceToPatient(path: CurvedSurface, { along, height, out }: CurvedSurfacePoint): Vector {
  const { point, normal } = sampleCurvedSurface(path, along);
  const bent = path.bend ? interpolateBend(path.bend, along, height) : 0;
  return plus(plus(point, times(path.up, height)), times(normal, out + bent));
}

/** Returns the nearest place of the curved surface. */
export function patientToCurvedSurface(path: CurvedSurface, patient: Vector): CurvedSurfacePoint {
  const { points, up, step } = path;
  const height = dot(patient, up);
  const flat = minus(patient, times(up, height));
  const best = findNearestPoint(points, flat, step);
  const before = best > 0 ? projectOntoSegment(points[best - 1], points[best], flat, best - 1) : null;
  const after = best < points.length - 1 ? projectOntoSegment(points[best], points[best + 1], flat, best) : null;
  const projection = before && (!after || before.square <= after.square) ? before : after;
  const along = (projection?.place ?? 0) * step;
  const { point, normal } = sampleCurvedSurface(path, along);
  const bent = path.bend ? interpolateBend(path.bend, along, height) : 0;
  return { along, height, out: dot(minus(flat, point), normal) - bent };
}

const coarseStride = 16;

/**
 * Returns the index of the nearest point of a line whose points are `step` apart. The distance to a point differs from
 * that to the next one by a step at most, so that most points need not be looked at: a view projects tens of thousands
 * of points of roots and canals.
 */
function findNearestPoint(points: readonly Vector[], [x, y, z]: Vector, step: number): number {
  const squareTo = (at: number): number => {
    const [left, front, low] = points[at];
    return (left - x) ** 2 + (front - y) ** 2 + (low - z) ** 2;
  };
  let best = 0;
  let least = Infinity;
  for (let at = 0; at < points.length; at += coarseStride) {
    const square = squareTo(at);
    if (square < least) [best, least] = [at, square];
  }
  for (let at = 0; at < points.length;) {
    const square = squareTo(at);
    if (square < least) [best, least] = [at, square];
    // A tenth of a step more than the rounding of the points: none is passed over.
    at += Math.max(1, Math.floor((Math.sqrt(square) - Math.sqrt(least)) / step - 0.1));
  }
  return best;
}

function projectOntoSegment(a: Vector, b: Vector, point: Vector, at: number): { place: number; square: number } {
  const direction = minus(b, a);
  const share = Math.min(1, Math.max(0, dot(minus(point, a), direction) / dot(direction, direction)));
  const off = minus(point, plus(a, times(direction, share)));
  return { place: at + share, square: dot(off, off) };
}

/**
 * The length (mm) in the patient of a stroke that is straight on the unrolled surface: along the arch and in height,
 * and evenly from the depth of its one end to that of the other. On an upright surface it is the shortest path along
 * it.
 */
export function measureCurvedLength({ bend: _, ...upright }: CurvedSurface, from: Vector, to: Vector): number {
  const [a, b] = [patientToCurvedSurface(upright, from), patientToCurvedSurface(upright, to)];
  const interpolate = (share: number): Vector =>
    curvedSurfaceToPatient(upright, {
      along: a.along + (b.along - a.along) * share,
      height: a.height + (b.height - a.height) * share,
      out: a.out + (b.out - a.out) * share,
    });
  const segments = Math.max(1, Math.ceil(Math.abs(a.along - b.along) / segmentMm));
  let length = 0;
  for (let at = 0; at < segments; at++)
    length += distance(interpolate(at / segments), interpolate((at + 1) / segments));
  return length;
}

const segmentMm = 0.5;

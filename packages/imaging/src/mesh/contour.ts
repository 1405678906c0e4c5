import type { SectionPlane } from "../view/section-plane.ts";
import { distance, minus, dot, plus, times, type Vector } from "../geometry/vector.ts";

/** A line where a plane meets a surface, mm. A closed one does not repeat its first point. */
export interface Contour {
  points: Vector[];
  isClosed: boolean;
  /** Along the line, mm; of a closed one all round. */
  length: number;
}

/**
 * Returns the line in which a plane cuts a triangle; null if it does not. `a`, `b`, `c`: start indices of the corners
 * in `positions`. A corner on the plane counts as above it, so that neighbours agree and no segment appears twice.
 */
export function cutTriangle(
  positions: ArrayLike<number>,
  [a, b, c]: readonly [number, number, number],
  plane: SectionPlane,
): [Vector, Vector] | null {
  const corners = [a, b, c].map((place): Vector => [
    positions[place] ?? 0,
    positions[place + 1] ?? 0,
    positions[place + 2] ?? 0,
  ]);
  const heights = corners.map((corner) => dot(corner, plane.normal) - plane.offset);
  const ends: Vector[] = [];
  for (let at = 0; at < 3; at++) {
    const next = (at + 1) % 3;
    if (heights[at] >= 0 === heights[next] >= 0) continue;
    // From below to above, whichever triangle asks: the neighbour finds the same numbers.
    const [low, high] = heights[at] < 0 ? [at, next] : [next, at];
    const part = heights[low] / (heights[low] - heights[high]);
    ends.push(plus(corners[low], times(minus(corners[high], corners[low]), part)));
  }
  return ends.length === 2 ? [ends[0], ends[1]] : null;
}

/** Joins the segments that a plane cuts out of triangles to lines, the longest first. */
export function joinContours(segments: readonly (readonly [Vector, Vector])[]): Contour[] {
  const segmentsAtPoint = new Map<string, number[]>();
  const ends = segments.map(([from, to]) => [getPointKey(from), getPointKey(to)] as const);
  ends.forEach(([from, to], segment) => {
    if (from === to) return;
    for (const place of [from, to]) segmentsAtPoint.set(place, [...(segmentsAtPoint.get(place) ?? []), segment]);
  });
  const isUsed = new Uint8Array(segments.length);
  const followSegments = (start: string): { points: Vector[]; end: string } => {
    const points: Vector[] = [];
    let end = start;
    for (;;) {
      const segment = segmentsAtPoint.get(end)?.find((other) => isUsed[other] === 0);
      if (segment === undefined) return { points, end };
      isUsed[segment] = 1;
      const isForward = ends[segment][0] === end;
      points.push(segments[segment][isForward ? 1 : 0]);
      end = ends[segment][isForward ? 1 : 0];
    }
  };
  const contours: Contour[] = [];
  segments.forEach(([from], segment) => {
    const [start, other] = ends[segment];
    if (isUsed[segment] === 1 || start === other) return;
    const onward = followSegments(start);
    if (onward.end === start) return void contours.push(createContour(onward.points, true));
    const back = followSegments(start).points.reverse();
    contours.push(createContour([...back, from, ...onward.points], false));
  });
  return contours.sort((a, b) => b.length - a.length);
}

/**
 * Returns the path along one of the contours between its points nearest to two given points, mm; null if no contour
 * contains both.
 */
export function findContourPath(
  contours: readonly Contour[],
  from: Vector,
  to: Vector,
  tolerance = 0.2,
): { points: Vector[]; length: number } | null {
  for (const each of contours) {
    const [start, end] = [findNearestOnContour(each, from), findNearestOnContour(each, to)];
    if (start.off > tolerance || end.off > tolerance) continue;
    const [first, last] = isBefore(start, end) ? [start, end] : [end, start];
    const inner = [first.point, ...each.points.slice(first.segment + 1, last.segment + 1), last.point];
    const outer = [
      last.point,
      ...each.points.slice(last.segment + 1),
      ...each.points.slice(0, first.segment + 1),
      first.point,
    ];
    const paths = (each.isClosed ? [inner, outer] : [inner]).map((points) => ({
      points,
      length: getPathLength(points),
    }));
    return paths.sort((a, b) => a.length - b.length)[0];
  }
  return null;
}

/** Returns the point of a contour nearest to a point, mm: its segment and its distance from the point. */
export function findNearestOnContour({ points, isClosed }: Contour, point: Vector): NearestPoint {
  let best: NearestPoint = { segment: 0, part: 0, point: points[0] ?? point, off: Infinity };
  const count = isClosed ? points.length : points.length - 1;
  for (let segment = 0; segment < count; segment++) {
    const [a, b] = [points[segment], points[(segment + 1) % points.length]];
    const along = minus(b, a);
    const part = Math.min(1, Math.max(0, dot(minus(point, a), along) / (dot(along, along) || 1)));
    const foot = plus(a, times(along, part));
    const off = distance(foot, point);
    if (off < best.off) best = { segment, part, point: foot, off };
  }
  return best;
}

interface NearestPoint {
  segment: number;
  part: number;
  point: Vector;
  off: number;
}

const isBefore = (a: NearestPoint, b: NearestPoint): boolean =>
  a.segment < b.segment || (a.segment === b.segment && a.part <= b.part);

/** A tenth of a micrometre: ends that differ by rounding alone are one. */
const getPointKey = ([x, y, z]: Vector): string =>
  `${Math.round(x * 1e4)} ${Math.round(y * 1e4)} ${Math.round(z * 1e4)}`;

const createContour = (points: Vector[], isClosed: boolean): Contour => ({
  points,
  isClosed,
  length: getPathLength(isClosed ? [...points, points[0]] : points),
});

const getPathLength = (points: readonly Vector[]): number =>
  points.reduce((sum, point, at) => (at === 0 ? 0 : sum + distance(points[at - 1], point)), 0);

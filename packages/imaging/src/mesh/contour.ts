import type { SectionPlane } from "../view/section-plane.ts";
import { distance, minus, dot, plus, times, type Vector } from "../view/vector.ts";

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
export function cutOf(
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

/** Joins the pieces that a plane cuts out of triangles to lines, the longest first. */
export function contoursOf(pieces: readonly (readonly [Vector, Vector])[]): Contour[] {
  const atPlace = new Map<string, number[]>();
  const ends = pieces.map(([from, to]) => [placeOf(from), placeOf(to)] as const);
  ends.forEach(([from, to], piece) => {
    if (from === to) return;
    for (const place of [from, to]) atPlace.set(place, [...(atPlace.get(place) ?? []), piece]);
  });
  const isUsed = new Uint8Array(pieces.length);
  const follow = (start: string): { points: Vector[]; end: string } => {
    const points: Vector[] = [];
    let end = start;
    for (;;) {
      const piece = atPlace.get(end)?.find((other) => isUsed[other] === 0);
      if (piece === undefined) return { points, end };
      isUsed[piece] = 1;
      const isForward = ends[piece][0] === end;
      points.push(pieces[piece][isForward ? 1 : 0]);
      end = ends[piece][isForward ? 1 : 0];
    }
  };
  const contours: Contour[] = [];
  pieces.forEach(([from], piece) => {
    const [start, other] = ends[piece];
    if (isUsed[piece] === 1 || start === other) return;
    const onward = follow(start);
    if (onward.end === start) return void contours.push(contour(onward.points, true));
    const back = follow(start).points.reverse();
    contours.push(contour([...back, from, ...onward.points], false));
  });
  return contours.sort((a, b) => b.length - a.length);
}

/**
 * Returns the path along one of the contours between its points nearest to two given points, mm; null if no contour
 * contains both.
 */
export function wayAlong(
  contours: readonly Contour[],
  from: Vector,
  to: Vector,
  tolerance = 0.2,
): { points: Vector[]; length: number } | null {
  for (const each of contours) {
    const [start, end] = [nearestOn(each, from), nearestOn(each, to)];
    if (start.off > tolerance || end.off > tolerance) continue;
    const [first, last] = isBefore(start, end) ? [start, end] : [end, start];
    const inner = [first.point, ...each.points.slice(first.piece + 1, last.piece + 1), last.point];
    const outer = [
      last.point,
      ...each.points.slice(last.piece + 1),
      ...each.points.slice(0, first.piece + 1),
      first.point,
    ];
    const ways = (each.isClosed ? [inner, outer] : [inner]).map((points) => ({ points, length: lengthOf(points) }));
    return ways.sort((a, b) => a.length - b.length)[0];
  }
  return null;
}

/** Returns the point of a contour nearest to a point, mm: its segment and its distance from the point. */
export function nearestOn({ points, isClosed }: Contour, point: Vector): Nearest {
  let best: Nearest = { piece: 0, part: 0, point: points[0] ?? point, off: Infinity };
  const count = isClosed ? points.length : points.length - 1;
  for (let piece = 0; piece < count; piece++) {
    const [a, b] = [points[piece], points[(piece + 1) % points.length]];
    const along = minus(b, a);
    const part = Math.min(1, Math.max(0, dot(minus(point, a), along) / (dot(along, along) || 1)));
    const foot = plus(a, times(along, part));
    const off = distance(foot, point);
    if (off < best.off) best = { piece, part, point: foot, off };
  }
  return best;
}

interface Nearest {
  piece: number;
  part: number;
  point: Vector;
  off: number;
}

const isBefore = (a: Nearest, b: Nearest): boolean => a.piece < b.piece || (a.piece === b.piece && a.part <= b.part);

/** A tenth of a micrometre: ends that differ by rounding alone are one. */
const placeOf = ([x, y, z]: Vector): string => `${Math.round(x * 1e4)} ${Math.round(y * 1e4)} ${Math.round(z * 1e4)}`;

const contour = (points: Vector[], isClosed: boolean): Contour => ({
  points,
  isClosed,
  length: lengthOf(isClosed ? [...points, points[0]] : points),
});

const lengthOf = (points: readonly Vector[]): number =>
  points.reduce((sum, point, at) => (at === 0 ? 0 : sum + distance(points[at - 1], point)), 0);

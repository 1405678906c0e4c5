import { dot, lengthOf, minus, plus, times, type Vector } from "../geometry/vector.ts";

/** A convex shape, given by its farthest point in a direction (of any length but 0). */
export type SupportFunction = (direction: Vector) => Vector;

/** The shortest way between two forms: mm, and its end on each of them. 0 where they touch or overlap. */
export interface NearestPoints {
  mm: number;
  from: Vector;
  to: Vector;
}

/** A corner of the difference of two shapes, with the points that it comes from. */
interface Corner {
  at: Vector;
  from: Vector;
  to: Vector;
}

/** mm; far below the width of a voxel. */
const tolerance = 1e-4;
const maxSteps = 80;

/**
 * The shortest path between two convex shapes, to about 0.0001 mm. Source: E. Gilbert, D. Johnson, S. Keerthi, "A fast
 * procedure for computing the distance between complex objects in three-dimensional space", 1988. The nearest part of a
 * simplex is the best of all its faces. At most 15 solved systems of three unknowns find it, without the special cases
 * that round badly.
 */
export function findNearestPoints(
  one: SupportFunction,
  other: SupportFunction,
  guess: Vector = [1, 0, 0],
): NearestPoints {
  const getCornerTowards = (direction: Vector): Corner => {
    const [from, to] = [one(direction), other(times(direction, -1))];
    return { at: minus(from, to), from, to };
  };
  let best = combineCorners([getCornerTowards(guess)], [1]);
  for (let step = 0; step < maxSteps; step++) {
    const length = lengthOf(best.at);
    if (length < tolerance) return { mm: 0, from: best.from, to: best.from };
    const next = getCornerTowards(times(best.at, -1));
    // The plane through the next corner is a lower bound of the distance.
    if (length - dot(best.at, next.at) / length < tolerance) break;
    const nearer = findNearestFace([...best.corners, next]);
    if (lengthOf(nearer.at) >= length) break;
    best = nearer;
  }
  return { mm: lengthOf(best.at), from: best.from, to: best.to };
}

interface Nearest extends Corner {
  corners: readonly Corner[];
}

function combineCorners(corners: readonly Corner[], shares: readonly number[]): Nearest {
  const mix = (part: "at" | "from" | "to"): Vector =>
    corners.reduce<Vector>((sum, corner, at) => plus(sum, times(corner[part], shares[at])), [0, 0, 0]);
  return { corners, at: mix("at"), from: mix("from"), to: mix("to") };
}

function findNearestFace(corners: readonly Corner[]): Nearest {
  let best: Nearest | null = null;
  for (let mask = 1; mask < 1 << corners.length; mask++) {
    const face = corners.filter((_, at) => mask & (1 << at));
    const shares = computeBarycentric(face);
    if (!shares) continue;
    const point = combineCorners(face, shares);
    if (!best || lengthOf(point.at) < lengthOf(best.at)) best = point;
  }
  return best ?? combineCorners(corners.slice(-1), [1]);
}

/**
 * Returns the barycentric coordinates of the corners' point that is nearest to 0; null if that point is outside their
 * face.
 */
function computeBarycentric([first, ...rest]: readonly Corner[]): number[] | null {
  const edges = rest.map(({ at }) => minus(at, first.at));
  const rows = edges.map((edge) => [...edges.map((other) => dot(edge, other)), -dot(edge, first.at)]);
  const solved = solveRows(rows);
  if (!solved) return null;
  const shares = [1 - solved.reduce((sum, share) => sum + share, 0), ...solved];
  return shares.every((share) => share >= -1e-12) ? shares : null;
}

/** Gauss' elimination with pivots of rows of coefficients and the right side; null where they have no one solution. */
function solveRows(rows: number[][]): number[] | null {
  for (let at = 0; at < rows.length; at++) {
    const pivot = rows.reduce(
      (most, row, index) => (index > at && Math.abs(row[at]) > Math.abs(rows[most][at]) ? index : most),
      at,
    );
    [rows[at], rows[pivot]] = [rows[pivot], rows[at]];
    if (Math.abs(rows[at][at]) < 1e-14) return null;
    for (const [index, row] of rows.entries()) {
      if (index === at) continue;
      const factor = row[at] / rows[at][at];
      for (let column = at; column < row.length; column++) row[column] -= factor * rows[at][column];
    }
  }
  return rows.map((row, at) => row[row.length - 1] / row[at]);
}

import type { Point } from "./plane-geometry.ts";

/**
 * A thin-plate spline (Bookstein 1989) that maps each `from` onto its `to` and bends the space between as little as
 * possible. Null if fewer than three points are given, or if all are collinear.
 */
export function createThinPlateSpline(from: readonly Point[], to: readonly Point[]): ((point: Point) => Point) | null {
  const count = from.length;
  if (count < 3) return null;
  const size = count + 3;
  const rows = Array.from({ length: size }, (_, index): number[] => {
    if (index >= count) {
      const axis = index - count;
      return [...from.map((point) => affineBasis(point)[axis]!), 0, 0, 0, 0, 0];
    }
    return [...from.map((other) => radialBasis(from[index]!, other)), ...affineBasis(from[index]!), ...to[index]!];
  });
  const coefficients = solveLinearSystem(rows);
  if (!coefficients) return null;
  return (point) => {
    const basis = [...from.map((other) => radialBasis(point, other)), ...affineBasis(point)];
    const sum = (axis: 0 | 1) => basis.reduce((total, weight, index) => total + weight * coefficients[index]![axis], 0);
    return [sum(0), sum(1)];
  };
}

const affineBasis = ([x, y]: Point): readonly [number, number, number] => [1, x, y];
const radialBasis = ([ax, ay]: Point, [bx, by]: Point): number => {
  const square = (ax - bx) ** 2 + (ay - by) ** 2;
  return square === 0 ? 0 : square * Math.log(square);
};

/** Gauss's elimination with the largest pivot; each row ends in two right sides. Null where it has no single answer. */
function solveLinearSystem(rows: number[][]): (readonly [number, number])[] | null {
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    const best = rows.slice(at).reduce((bestIndex, row, index) => {
      const largest = Math.abs(rows[bestIndex]![at]!);
      return Math.abs(row[at]!) > largest ? at + index : bestIndex;
    }, at);
    [rows[at], rows[best]] = [rows[best]!, rows[at]!];
    const pivot = rows[at]![at]!;
    if (Math.abs(pivot) < 1e-9) return null;
    for (let other = 0; other < size; other++) {
      if (other === at) continue;
      const factor = rows[other]![at]! / pivot;
      if (factor !== 0)
        for (let column = at; column < size + 2; column++) rows[other]![column]! -= factor * rows[at]![column]!;
    }
  }
  return rows.map((row, index) => [row[size]! / row[index]!, row[size + 1]! / row[index]!]);
}

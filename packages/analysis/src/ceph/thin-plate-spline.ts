import { solveLinearSystem } from "./linear-system.ts";
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

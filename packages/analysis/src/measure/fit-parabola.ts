import { median } from "./pixel-grid.ts";

/** y = height + slope × x + bend × x², x from the middle; all in one unit of length. */
export interface Parabola {
  height: number;
  slope: number;
  bend: number;
  /** Median distance of the points. */
  residual: number;
}

export const parabolaHeightAt = ({ height, slope, bend }: Omit<Parabola, "residual">, x: number): number =>
  height + slope * x + bend * x * x;

/**
 * Fits a parabola robustly: least squares, with far points weighing less each time (Tukey's biweight). `baseWeights`: the
 * initial weight of each point, by default equal.
 */
export function fitParabola(xs: readonly number[], ys: readonly number[], baseWeights = xs.map(() => 1)): Parabola {
  let weights: readonly number[] = baseWeights;
  let fit = { height: 0, slope: 0, bend: 0, residual: Infinity };
  for (let round = 0; round < 12; round++) {
    const [height, slope, bend] = leastSquares(xs, ys, weights);
    const deviations = xs.map((x, index) => Math.abs(ys[index] - parabolaHeightAt({ height, slope, bend }, x)));
    const residual = median(deviations);
    fit = { height, slope, bend, residual };
    const cutoff = Math.max(1e-6, 6 * residual);
    weights = deviations.map((value, index) =>
      value >= cutoff ? 0 : baseWeights[index] * (1 - (value / cutoff) ** 2) ** 2,
    );
  }
  return fit;
}

/** Weighted normal equations of a parabola, by Cramer's rule. */
function leastSquares(xs: readonly number[], ys: readonly number[], weights: readonly number[]): number[] {
  const powerSums = [0, 0, 0, 0, 0];
  const rightSide = [0, 0, 0];
  xs.forEach((x, index) => {
    for (let power = 0, term = weights[index]; power < 5; power++, term *= x) {
      powerSums[power] += term;
      if (power < 3) rightSide[power] += term * ys[index];
    }
  });
  const rows = [0, 1, 2].map((row) => [powerSums[row], powerSums[row + 1], powerSums[row + 2]]);
  const systemDeterminant = determinant(rows);
  return [0, 1, 2].map((column) => {
    const replaced = rows.map((row, index) =>
      row.map((value, position) => (position === column ? rightSide[index] : value)),
    );
    return determinant(replaced) / systemDeterminant;
  });
}

const determinant = ([[a, b, c], [d, e, f], [g, h, i]]: number[][]): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);

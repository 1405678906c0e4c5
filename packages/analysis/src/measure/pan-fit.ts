import { median } from "./grid.ts";

/** y = height + slope × x + bend × x², x from the middle; all in one unit of length. */
export interface Parabola {
  height: number;
  slope: number;
  bend: number;
  /** Median distance of the points. */
  residual: number;
}

export const heightAt = ({ height, slope, bend }: Omit<Parabola, "residual">, x: number): number =>
  height + slope * x + bend * x * x;

/**
 * Fits a parabola robustly: least squares, with far points weighing less each time (Tukey's biweight). `trusts`: the
 * initial weight of each point, by default equal.
 */
export function robustParabola(xs: readonly number[], ys: readonly number[], trusts = xs.map(() => 1)): Parabola {
  let weights: readonly number[] = trusts;
  let fit = { height: 0, slope: 0, bend: 0, residual: Infinity };
  for (let round = 0; round < 12; round++) {
    const [height, slope, bend] = leastSquares(xs, ys, weights);
    const off = xs.map((x, at) => Math.abs(ys[at] - heightAt({ height, slope, bend }, x)));
    const residual = median(off);
    fit = { height, slope, bend, residual };
    const far = Math.max(1e-6, 6 * residual);
    weights = off.map((value, at) => (value >= far ? 0 : trusts[at] * (1 - (value / far) ** 2) ** 2));
  }
  return fit;
}

/** Weighted normal equations of a parabola, by Cramer's rule. */
function leastSquares(xs: readonly number[], ys: readonly number[], weights: readonly number[]): number[] {
  const s = [0, 0, 0, 0, 0];
  const t = [0, 0, 0];
  xs.forEach((x, at) => {
    for (let power = 0, term = weights[at]; power < 5; power++, term *= x) {
      s[power] += term;
      if (power < 3) t[power] += term * ys[at];
    }
  });
  const rows = [0, 1, 2].map((row) => [s[row], s[row + 1], s[row + 2]]);
  const whole = determinant(rows);
  return [0, 1, 2].map((column) => {
    const replaced = rows.map((row, at) => row.map((value, place) => (place === column ? t[at] : value)));
    return determinant(replaced) / whole;
  });
}

const determinant = ([[a, b, c], [d, e, f], [g, h, i]]: number[][]): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);

import type { Point2 } from "../math/shape-functions.ts";

/** A thin-plate spline (Bookstein 1989): moves each point of `from` onto its own of `to`, and the space between along. */
export function createPointWarp(from: readonly Point2[], to: readonly Point2[]): (point: Point2) => Point2 {
  const count = from.length;
  const size = count + 3;
  const rows = Array.from({ length: size }, (_, i): number[] => {
    if (i < count) return [...from.map((other) => bend(from[i], other)), 1, from[i][0], from[i][1], ...to[i]];
    return [...from.map((point) => [1, point[0], point[1]][i - count]), 0, 0, 0, 0, 0];
  });
  solve(rows, size);
  return (point) => {
    const sum: [number, number] = [0, 0];
    for (let i = 0; i < size; i++) {
      const share = i < count ? bend(point, from[i]) : [1, point[0], point[1]][i - count];
      sum[0] += share * rows[i][size];
      sum[1] += share * rows[i][size + 1];
    }
    return sum;
  };
}

function bend([ax, ay]: Point2, [bx, by]: Point2): number {
  const square = (ax - bx) ** 2 + (ay - by) ** 2;
  return square === 0 ? 0 : square * Math.log(square);
}

/** Gauss and Jordan with the largest pivot; the columns from `size` on become the solution. */
function solve(rows: number[][], size: number): void {
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let row = column; row < size; row++)
      if (Math.abs(rows[row][column]) > Math.abs(rows[best][column])) best = row;
    [rows[column], rows[best]] = [rows[best], rows[column]];
    const pivot = rows[column][column];
    for (let k = column; k < rows[column].length; k++) rows[column][k] /= pivot;
    for (let row = 0; row < size; row++) {
      const factor = rows[row][column];
      if (row === column || factor === 0) continue;
      for (let k = column; k < rows[row].length; k++) rows[row][k] -= factor * rows[column][k];
    }
  }
}

import { measureLength, type Measurement, type PixelSpacing, type Point2D } from "./measure-lengths-angles.ts";

/**
 * Grey values in rows and columns: an image, or a plane through a volume. Pixel (0, 0) covers 0…1 in both directions.
 */
export interface ValueGrid {
  columns: number;
  rows: number;
  /** Null where the grid is not calibrated. */
  spacing: PixelSpacing | null;
  /** The grey value of a pixel as it was stored and rescaled, never of a texture; null where there is none. */
  value: (column: number, row: number) => number | null;
}

export type RegionShape = "ellipse" | "rectangle";

export interface RegionStatistics {
  count: number;
  mean: number;
  /** The standard deviation over all pixels (divided by their number). */
  deviation: number;
  min: number;
  max: number;
  /** The area of the drawn outline, not of the counted pixels. */
  area: Measurement;
}

/**
 * The grey values of the pixels whose middles are within the shape between two opposite corners; null if there is none.
 */
export function measureRegion(grid: ValueGrid, shape: RegionShape, a: Point2D, b: Point2D): RegionStatistics | null {
  const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  const [rx, ry] = [(right - left) / 2, (bottom - top) / 2];
  let [count, sum, min, max] = [0, 0, Infinity, -Infinity];
  let squares = 0;
  for (let row = Math.max(0, Math.ceil(top - 0.5)); row < Math.min(grid.rows, bottom - 0.5); row++) {
    const down = (row + 0.5 - top - ry) / ry;
    const reach = shape === "ellipse" ? rx * Math.sqrt(Math.max(0, 1 - down * down)) : rx;
    const [from, to] = [left + rx - reach, left + rx + reach];
    for (let column = Math.max(0, Math.ceil(from - 0.5)); column < Math.min(grid.columns, to - 0.5); column++) {
      const value = grid.value(column, row);
      if (value === null) continue;
      count++;
      // Welford: sums of squares of 16 bits over millions of pixels would lose digits.
      const before = value - sum;
      sum += before / count;
      squares += before * (value - sum);
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  if (count === 0) return null;
  return {
    count,
    mean: sum,
    deviation: Math.sqrt(squares / count),
    min,
    max,
    area: measureOutlineArea(grid, shape, rx, ry),
  };
}

function measureOutlineArea({ spacing }: ValueGrid, shape: RegionShape, rx: number, ry: number): Measurement {
  const pixels = shape === "ellipse" ? Math.PI * rx * ry : 4 * rx * ry;
  return spacing ? { value: pixels * spacing.row * spacing.column, unit: "mm2" } : { value: pixels, unit: "px2" };
}

export interface LineProfile {
  /** Grey values at even steps from the first point to the second; null outside. */
  values: readonly (number | null)[];
  length: Measurement;
}

/** Grey values along a line, one for about each pixel that it passes, linear between the middles of pixels. */
export function sampleProfile(grid: ValueGrid, from: Point2D, to: Point2D): LineProfile {
  const steps = Math.min(4096, Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]))));
  const values = Array.from({ length: steps + 1 }, (_, step) => {
    const part = step / steps;
    return interpolateGrid(grid, from[0] + (to[0] - from[0]) * part - 0.5, from[1] + (to[1] - from[1]) * part - 0.5);
  });
  return { values, length: measureLength(from, to, grid.spacing) };
}

/** At the very edge the nearest middle counts alone. */
function interpolateGrid(grid: ValueGrid, x: number, y: number): number | null {
  if (x < -0.5 || y < -0.5 || x > grid.columns - 0.5 || y > grid.rows - 0.5) return null;
  const clampIndex = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  const [atX, atY] = [clampIndex(x, grid.columns), clampIndex(y, grid.rows)];
  const [column, row] = [Math.floor(atX), Math.floor(atY)];
  const [partX, partY] = [atX - column, atY - row];
  const [right, below] = [Math.min(grid.columns - 1, column + 1), Math.min(grid.rows - 1, row + 1)];
  const corners = [
    grid.value(column, row),
    grid.value(right, row),
    grid.value(column, below),
    grid.value(right, below),
  ];
  const [a, b, c, d] = corners;
  if (a === null || b === null || c === null || d === null) return null;
  const upper = a! * (1 - partX) + b! * partX;
  return upper * (1 - partY) + (c! * (1 - partX) + d! * partX) * partY;
}

import { newGrid, percentiles, type Grid, type Part } from "./grid.ts";

/**
 * Finds the pixels of a reduced panorama that are as dense as metal, within a band of rows around the line between the
 * teeth: far above the usual value in the band, and near the brightest of the image; specks are removed. 1 or 0.
 */
export function opaqueIn(picture: Grid, bandOf: (column: number) => { top: number; bottom: number }): Grid {
  const { columns, rows, data } = picture;
  const [low, high] = percentiles(data, [0.001, 0.999]);
  const within: number[] = [];
  eachOf(picture, bandOf, (at) => within.push(data[at]));
  const band = Float32Array.from(within);
  const mean = band.reduce((sum, value) => sum + value, 0) / band.length;
  const spread = Math.sqrt(band.reduce((sum, value) => sum + (value - mean) ** 2, 0) / band.length);
  const least = Math.max(percentiles(band, [0.75])[0] + spreads * spread, low + bright * (high - low));
  const seen = newGrid(columns, rows);
  eachOf(picture, bandOf, (at) => (seen.data[at] = data[at] > least ? 1 : 0));
  return grown(grown(seen, false), true);
}

// Analysis of 278 panoramas with and without restorations: docs/analysis.md.
const spreads = 1.9;
const bright = 200 / 255;

function eachOf(
  { columns, rows }: Grid,
  bandOf: (column: number) => { top: number; bottom: number },
  visit: (at: number) => void,
): void {
  for (let column = 0; column < columns; column++) {
    const { top, bottom } = bandOf(column);
    for (let row = Math.max(0, Math.round(top)); row < Math.min(rows, bottom); row++) visit(row * columns + column);
  }
}

/**
 * Morphology: a pixel is set if it and all of its four neighbours are set (erosion), or with `isAny` if any of them is
 * (dilation).
 */
function grown({ columns, rows, data }: Grid, isAny: boolean): Grid {
  const out = newGrid(columns, rows);
  const least = isAny ? 1 : 5;
  for (let row = 1; row < rows - 1; row++)
    for (let at = row * columns + 1; at < (row + 1) * columns - 1; at++) {
      const set = data[at] + data[at - 1] + data[at + 1] + data[at - columns] + data[at + columns];
      out.data[at] = set >= least ? 1 : 0;
    }
  return out;
}

/** Counts the pixels that are set in a part. */
export function countIn({ columns, rows, data }: Grid, { left, top, right, bottom }: Part): number {
  let count = 0;
  for (let row = Math.max(0, Math.round(top)); row < Math.min(rows, bottom); row++)
    for (let column = Math.max(0, Math.round(left)); column < Math.min(columns, right); column++)
      count += data[row * columns + column];
  return count;
}

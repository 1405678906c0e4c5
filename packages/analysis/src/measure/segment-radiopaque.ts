import { newGrid, percentiles, type Grid, type PixelRect } from "./pixel-grid.ts";

/**
 * Finds the pixels of a reduced panorama that are as dense as metal, within a band of rows around the line between the
 * teeth: far above the usual value in the band, and near the brightest of the image; specks are removed. 1 or 0.
 */
export function segmentRadiopaque(grid: Grid, bandAt: (column: number) => { top: number; bottom: number }): Grid {
  const { columns, rows, data } = grid;
  const [low, high] = percentiles(data, [0.001, 0.999]);
  const bandValues: number[] = [];
  forEachPixelInBand(grid, bandAt, (index) => bandValues.push(data[index]));
  const band = Float32Array.from(bandValues);
  const mean = band.reduce((sum, value) => sum + value, 0) / band.length;
  const deviation = Math.sqrt(band.reduce((sum, value) => sum + (value - mean) ** 2, 0) / band.length);
  const threshold = Math.max(
    percentiles(band, [0.75])[0] + deviationFactor * deviation,
    low + brightFraction * (high - low),
  );
  const mask = newGrid(columns, rows);
  forEachPixelInBand(grid, bandAt, (index) => (mask.data[index] = data[index] > threshold ? 1 : 0));
  return applyCrossFilter(applyCrossFilter(mask, false), true);
}

// Analysis of 278 panoramas with and without restorations: docs/analysis.md.
const deviationFactor = 1.9;
const brightFraction = 200 / 255;

function forEachPixelInBand(
  { columns, rows }: Grid,
  bandAt: (column: number) => { top: number; bottom: number },
  visitPixel: (index: number) => void,
): void {
  for (let column = 0; column < columns; column++) {
    const { top, bottom } = bandAt(column);
    for (let row = Math.max(0, Math.round(top)); row < Math.min(rows, bottom); row++)
      visitPixel(row * columns + column);
  }
}

/**
 * Morphology: a pixel is set if it and all of its four neighbours are set (erosion), or with `isDilation` if any of them is
 * (dilation).
 */
function applyCrossFilter({ columns, rows, data }: Grid, isDilation: boolean): Grid {
  const out = newGrid(columns, rows);
  const minNeighbours = isDilation ? 1 : 5;
  for (let row = 1; row < rows - 1; row++)
    for (let index = row * columns + 1; index < (row + 1) * columns - 1; index++) {
      const neighbourCount =
        data[index] + data[index - 1] + data[index + 1] + data[index - columns] + data[index + columns];
      out.data[index] = neighbourCount >= minNeighbours ? 1 : 0;
    }
  return out;
}

/** Counts the pixels that are set in a part. */
export function countPixels({ columns, rows, data }: Grid, { left, top, right, bottom }: PixelRect): number {
  let count = 0;
  for (let row = Math.max(0, Math.round(top)); row < Math.min(rows, bottom); row++)
    for (let column = Math.max(0, Math.round(left)); column < Math.min(columns, right); column++)
      count += data[row * columns + column];
  return count;
}

/** Grey values row by row from the top, `[row][column]`. */
export interface Grid {
  columns: number;
  rows: number;
  data: Float32Array;
}

/** A part of an image, in its pixels; right and bottom are exclusive. */
export interface PixelRect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const newGrid = (columns: number, rows: number): Grid => ({
  columns,
  rows,
  data: new Float32Array(columns * rows),
});

/** Returns the part of an image reduced to this size, each value the mean of its source pixels. */
export function resampleByMean(grid: Grid, region: PixelRect, columns: number, rows: number): Grid {
  const resampledColumns = new Float32Array(columns * grid.rows);
  const { first, last } = sourceRanges(region.left, region.right, columns, grid.columns);
  for (let row = region.top; row < region.bottom; row++) {
    const start = row * grid.columns;
    for (let column = 0; column < columns; column++) {
      const end = start + last[column];
      let sum = 0;
      for (let index = start + first[column]; index <= end; index++) sum += grid.data[index];
      resampledColumns[row * columns + column] = sum / (last[column] - first[column] + 1);
    }
  }
  return averageRows(resampledColumns, columns, sourceRanges(region.top, region.bottom, rows, grid.rows));
}

/** All columns at once, row after row. */
function averageRows(data: Float32Array, columns: number, { first, last }: SourceRanges): Grid {
  const out = newGrid(columns, first.length);
  const sums = new Float64Array(columns);
  for (let row = 0; row < first.length; row++) {
    sums.fill(0);
    for (let index = first[row] * columns, end = (last[row] + 1) * columns; index < end; index += columns)
      for (let column = 0; column < columns; column++) sums[column] += data[index + column];
    const count = last[row] - first[row] + 1;
    for (let column = 0; column < columns; column++) out.data[row * columns + column] = sums[column] / count;
  }
  return out;
}

/** The range of source pixels behind each value, both ends included. */
interface SourceRanges {
  first: Int32Array;
  last: Int32Array;
}

function sourceRanges(from: number, to: number, count: number, end: number): SourceRanges {
  const step = (to - from) / count;
  const first = Int32Array.from({ length: count }, (_, index) => Math.min(end - 1, Math.floor(from + index * step)));
  const last = first.map((start, index) =>
    Math.min(end - 1, Math.max(start, Math.ceil(from + (index + 1) * step) - 1)),
  );
  return { first, last };
}

/** Means over boxes of (2 × across + 1) × (2 × down + 1), smaller at the edges. */
export function boxBlur(grid: Grid, columnRadius: number, rowRadius: number): Grid {
  return boxBlurRows(boxBlurColumns(grid, columnRadius), rowRadius);
}

function boxBlurColumns({ columns, rows, data }: Grid, radius: number): Grid {
  const out = newGrid(columns, rows);
  for (let start = 0; start < data.length; start += columns) {
    let sum = 0;
    let windowSize = Math.min(radius, columns);
    for (let index = 0; index < windowSize; index++) sum += data[start + index];
    for (let index = 0; index < columns; index++) {
      if (index + radius < columns) {
        sum += data[start + index + radius];
        windowSize++;
      }
      if (index > radius) {
        sum -= data[start + index - radius - 1];
        windowSize--;
      }
      out.data[start + index] = sum / windowSize;
    }
  }
  return out;
}

/** All columns at once, row after row: values that are adjacent in memory are read together. */
function boxBlurRows({ columns, rows, data }: Grid, radius: number): Grid {
  const out = newGrid(columns, rows);
  const sums = new Float64Array(columns);
  const addRow = (row: number, sign: 1 | -1): void => {
    for (let index = 0, from = row * columns; index < columns; index++, from++) sums[index] += sign * data[from];
  };
  let windowSize = Math.min(radius, rows);
  for (let row = 0; row < windowSize; row++) addRow(row, 1);
  for (let row = 0; row < rows; row++) {
    if (row + radius < rows) {
      addRow(row + radius, 1);
      windowSize++;
    }
    if (row > radius) {
      addRow(row - radius - 1, -1);
      windowSize--;
    }
    for (let index = 0, to = row * columns; index < columns; index++, to++) out.data[to] = sums[index] / windowSize;
  }
  return out;
}

/** Each value less the local mean, in units of the local deviation. `minDeviation`: the deviation that counts as none. */
export function normaliseLocally(grid: Grid, radius: number, minDeviation: number): Grid {
  const out = newGrid(grid.columns, grid.rows);
  const mean = boxBlur(grid, radius, radius).data;
  for (let index = 0; index < out.data.length; index++) out.data[index] = grid.data[index] * grid.data[index];
  const squares = boxBlur(out, radius, radius).data;
  for (let index = 0; index < out.data.length; index++) {
    const deviation = Math.sqrt(Math.max(0, squares[index] - mean[index] * mean[index]));
    out.data[index] = (grid.data[index] - mean[index]) / (deviation + minDeviation);
  }
  return out;
}

/**
 * Returns the values below which these shares of all are. For many values the result is exact to a 16,000th of their
 * range, and the least and the greatest are exact.
 */
export function percentiles(data: Float32Array, fractions: readonly number[]): number[] {
  if (data.length > maxSortedLength) {
    const histogram = computeHistogram(data);
    return fractions.map((fraction) => percentileOf(histogram, fraction));
  }
  const sorted = data.slice().sort();
  return fractions.map((fraction) => sorted[Math.round(fraction * (sorted.length - 1))] ?? 0);
}
const maxSortedLength = 4096;

/** A histogram of the values. */
export interface Histogram {
  low: number;
  high: number;
  /** Share of the values that are one of these two; 0 where all are one. */
  clippedShare: number;
  /** From `low` to `high`, of some of the values. */
  counts: Uint32Array;
  sampleCount: number;
}

const bins = 16_384;
/** The largest number of values that are counted. If there are more, every second, third … is counted. */
const maxSamples = 1_000_000;

export function computeHistogram(data: Float32Array): Histogram {
  let [low, high, lowCount, highCount] = [data[0], data[0], 0, 0];
  // The loop uses an index: walking millions of values with an iterator takes several times as long.
  for (let index = 0; index < data.length; index++) {
    const value = data[index];
    if (value <= low) {
      lowCount = value === low ? lowCount + 1 : 1;
      low = value;
    }
    if (value >= high) {
      highCount = value === high ? highCount + 1 : 1;
      high = value;
    }
  }
  const counts = new Uint32Array(bins + 1);
  const scale = bins / (high - low || 1);
  const stride = Math.ceil(data.length / maxSamples);
  for (let index = 0; index < data.length; index += stride) counts[Math.floor((data[index] - low) * scale)]++;
  const clippedShare = high > low ? (lowCount + highCount) / data.length : 0;
  return { low, high, clippedShare, counts, sampleCount: Math.ceil(data.length / stride) };
}

/** Returns the value below which this share of all is. */
export function percentileOf({ low, high, counts, sampleCount }: Histogram, fraction: number): number {
  if (fraction === 0 || fraction === 1) return fraction === 0 ? low : high;
  const targetRank = fraction * (sampleCount - 1);
  let [bin, below] = [0, 0];
  while (bin < bins && below + counts[bin] <= targetRank) below += counts[bin++];
  return low + (bin * (high - low || 1)) / bins;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Brought to 0 … 1 between the darkest and the brightest hundredth. */
export function scaleToUnitRange(grid: Grid): Grid {
  const [low, high] = percentiles(grid.data, [0.01, 0.99]);
  const span = Math.max(1e-9, high - low);
  const out = newGrid(grid.columns, grid.rows);
  for (let index = 0; index < out.data.length; index++)
    out.data[index] = Math.min(1.5, Math.max(-0.5, (grid.data[index] - low) / span));
  return out;
}

/** The part in which something is seen: an even margin, such as a collimator leaves, is cut off. */
export function findContentRegion({ columns, rows, data }: Grid, histogram: Histogram): PixelRect {
  const [low, high] = [percentileOf(histogram, 0.002), percentileOf(histogram, 0.998)];
  const minDeviation = (high - low) * 0.02;
  const hasVariation = (start: number, stride: number, count: number): boolean => {
    let [sum, squares] = [0, 0];
    for (let index = 0; index < count; index++) {
      const value = data[start + index * stride];
      [sum, squares] = [sum + value, squares + value * value];
    }
    return squares / count - (sum / count) ** 2 > minDeviation * minDeviation;
  };
  const countUntil = (count: number, test: (index: number) => boolean): number => {
    let index = 0;
    while (index < count && !test(index)) index++;
    return index;
  };
  const rowHasContent = (row: number): boolean => hasVariation(row * columns, 1, columns);
  const top = countUntil(rows, rowHasContent);
  if (top === rows) return { left: 0, top: 0, right: columns, bottom: rows };
  const columnHasContent = (column: number): boolean => hasVariation(column, columns, rows);
  return {
    top,
    bottom: rows - countUntil(rows, (index) => rowHasContent(rows - 1 - index)),
    left: countUntil(columns, columnHasContent),
    right: columns - countUntil(columns, (index) => columnHasContent(columns - 1 - index)),
  };
}

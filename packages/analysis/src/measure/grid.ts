/** Grey values row by row from the top, `[row][column]`. */
export interface Grid {
  columns: number;
  rows: number;
  data: Float32Array;
}

/** A part of an image, in its pixels; right and bottom are exclusive. */
export interface Part {
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
export function shrunk(grid: Grid, part: Part, columns: number, rows: number): Grid {
  const narrow = new Float32Array(columns * grid.rows);
  const { first, last } = sharesOf(part.left, part.right, columns, grid.columns);
  for (let row = part.top; row < part.bottom; row++) {
    const start = row * grid.columns;
    for (let column = 0; column < columns; column++) {
      const end = start + last[column];
      let sum = 0;
      for (let at = start + first[column]; at <= end; at++) sum += grid.data[at];
      narrow[row * columns + column] = sum / (last[column] - first[column] + 1);
    }
  }
  return shortened(narrow, columns, sharesOf(part.top, part.bottom, rows, grid.rows));
}

/** All columns at once, row after row. */
function shortened(data: Float32Array, columns: number, { first, last }: Shares): Grid {
  const out = newGrid(columns, first.length);
  const sums = new Float64Array(columns);
  for (let row = 0; row < first.length; row++) {
    sums.fill(0);
    for (let at = first[row] * columns, end = (last[row] + 1) * columns; at < end; at += columns)
      for (let column = 0; column < columns; column++) sums[column] += data[at + column];
    const count = last[row] - first[row] + 1;
    for (let column = 0; column < columns; column++) out.data[row * columns + column] = sums[column] / count;
  }
  return out;
}

/** The range of source pixels behind each value, both ends included. */
interface Shares {
  first: Int32Array;
  last: Int32Array;
}

function sharesOf(from: number, to: number, count: number, end: number): Shares {
  const step = (to - from) / count;
  const first = Int32Array.from({ length: count }, (_, at) => Math.min(end - 1, Math.floor(from + at * step)));
  const last = first.map((start, at) => Math.min(end - 1, Math.max(start, Math.ceil(from + (at + 1) * step) - 1)));
  return { first, last };
}

/** Means over boxes of (2 × across + 1) × (2 × down + 1), smaller at the edges. */
export function boxed(grid: Grid, across: number, down: number): Grid {
  return boxedDown(boxedAcross(grid, across), down);
}

function boxedAcross({ columns, rows, data }: Grid, half: number): Grid {
  const out = newGrid(columns, rows);
  for (let start = 0; start < data.length; start += columns) {
    let sum = 0;
    let inside = Math.min(half, columns);
    for (let at = 0; at < inside; at++) sum += data[start + at];
    for (let at = 0; at < columns; at++) {
      if (at + half < columns) {
        sum += data[start + at + half];
        inside++;
      }
      if (at > half) {
        sum -= data[start + at - half - 1];
        inside--;
      }
      out.data[start + at] = sum / inside;
    }
  }
  return out;
}

/** All columns at once, row after row: values that are adjacent in memory are read together. */
function boxedDown({ columns, rows, data }: Grid, half: number): Grid {
  const out = newGrid(columns, rows);
  const sums = new Float64Array(columns);
  const put = (row: number, sign: 1 | -1): void => {
    for (let at = 0, from = row * columns; at < columns; at++, from++) sums[at] += sign * data[from];
  };
  let inside = Math.min(half, rows);
  for (let row = 0; row < inside; row++) put(row, 1);
  for (let row = 0; row < rows; row++) {
    if (row + half < rows) {
      put(row + half, 1);
      inside++;
    }
    if (row > half) {
      put(row - half - 1, -1);
      inside--;
    }
    for (let at = 0, to = row * columns; at < columns; at++, to++) out.data[to] = sums[at] / inside;
  }
  return out;
}

/** Each value less the local mean, in units of the local deviation. `floor`: the deviation that counts as none. */
export function normalised(grid: Grid, half: number, floor: number): Grid {
  const out = newGrid(grid.columns, grid.rows);
  const mean = boxed(grid, half, half).data;
  for (let at = 0; at < out.data.length; at++) out.data[at] = grid.data[at] * grid.data[at];
  const squares = boxed(out, half, half).data;
  for (let at = 0; at < out.data.length; at++) {
    const spread = Math.sqrt(Math.max(0, squares[at] - mean[at] * mean[at]));
    out.data[at] = (grid.data[at] - mean[at]) / (spread + floor);
  }
  return out;
}

/**
 * Returns the values below which these shares of all are. For many values the result is exact to a 16,000th of their
 * range, and the least and the greatest are exact.
 */
export function percentiles(data: Float32Array, shares: readonly number[]): number[] {
  if (data.length > mostSorted) {
    const shades = shadesOf(data);
    return shares.map((share) => shadeAt(shades, share));
  }
  const sorted = data.slice().sort();
  return shares.map((share) => sorted[Math.round(share * (sorted.length - 1))] ?? 0);
}
const mostSorted = 4096;

/** A histogram of the values. */
export interface Shades {
  low: number;
  high: number;
  /** Share of the values that are one of these two; 0 where all are one. */
  atEnds: number;
  /** From `low` to `high`, of some of the values. */
  counts: Uint32Array;
  counted: number;
}

const bins = 16_384;
/** The largest number of values that are counted. If there are more, every second, third … is counted. */
const mostCounted = 1_000_000;

export function shadesOf(data: Float32Array): Shades {
  let [low, high, lows, highs] = [data[0], data[0], 0, 0];
  // The loop uses an index: walking millions of values with an iterator takes several times as long.
  for (let at = 0; at < data.length; at++) {
    const value = data[at];
    if (value <= low) {
      lows = value === low ? lows + 1 : 1;
      low = value;
    }
    if (value >= high) {
      highs = value === high ? highs + 1 : 1;
      high = value;
    }
  }
  const counts = new Uint32Array(bins + 1);
  const scale = bins / (high - low || 1);
  const stride = Math.ceil(data.length / mostCounted);
  for (let at = 0; at < data.length; at += stride) counts[Math.floor((data[at] - low) * scale)]++;
  const atEnds = high > low ? (lows + highs) / data.length : 0;
  return { low, high, atEnds, counts, counted: Math.ceil(data.length / stride) };
}

/** Returns the value below which this share of all is. */
export function shadeAt({ low, high, counts, counted }: Shades, share: number): number {
  if (share === 0 || share === 1) return share === 0 ? low : high;
  const wanted = share * (counted - 1);
  let [bin, below] = [0, 0];
  while (bin < bins && below + counts[bin] <= wanted) below += counts[bin++];
  return low + (bin * (high - low || 1)) / bins;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Brought to 0 … 1 between the darkest and the brightest hundredth. */
export function unitScaled(grid: Grid): Grid {
  const [low, high] = percentiles(grid.data, [0.01, 0.99]);
  const span = Math.max(1e-9, high - low);
  const out = newGrid(grid.columns, grid.rows);
  for (let at = 0; at < out.data.length; at++)
    out.data[at] = Math.min(1.5, Math.max(-0.5, (grid.data[at] - low) / span));
  return out;
}

/** The part in which something is seen: an even margin, such as a collimator leaves, is cut off. */
export function contentOf({ columns, rows, data }: Grid, shades: Shades): Part {
  const [low, high] = [shadeAt(shades, 0.002), shadeAt(shades, 0.998)];
  const least = (high - low) * 0.02;
  const lively = (start: number, stride: number, count: number): boolean => {
    let [sum, squares] = [0, 0];
    for (let at = 0; at < count; at++) {
      const value = data[start + at * stride];
      [sum, squares] = [sum + value, squares + value * value];
    }
    return squares / count - (sum / count) ** 2 > least * least;
  };
  const firstOf = (count: number, isLively: (at: number) => boolean): number => {
    let at = 0;
    while (at < count && !isLively(at)) at++;
    return at;
  };
  const isRow = (row: number): boolean => lively(row * columns, 1, columns);
  const top = firstOf(rows, isRow);
  if (top === rows) return { left: 0, top: 0, right: columns, bottom: rows };
  const isColumn = (column: number): boolean => lively(column, columns, rows);
  return {
    top,
    bottom: rows - firstOf(rows, (at) => isRow(rows - 1 - at)),
    left: firstOf(columns, isColumn),
    right: columns - firstOf(columns, (at) => isColumn(columns - 1 - at)),
  };
}

/** Samples of a plane seen along the insertion, `[row][column]`: x with the column, y with the row, in mm. */
export interface PlaneGrid {
  columns: number;
  rows: number;
  step: number;
  x: number;
  y: number;
}

/**
 * The highest z of the triangles (nine numbers each) over every sample; −Infinity where there is none. Triangles that
 * stand upright cover no sample: those beside them do.
 */
export function createHeightMap(triangles: Float32Array, grid: PlaneGrid): Float32Array {
  const heights = new Float32Array(grid.columns * grid.rows).fill(-Infinity);
  for (let at = 0; at < triangles.length; at += 9) rasterizeTriangle(triangles, at, grid, heights);
  return heights;
}

function rasterizeTriangle(p: Float32Array, at: number, grid: PlaneGrid, heights: Float32Array): void {
  const { columns, rows, step } = grid;
  const [ax, ay] = [(p[at] - grid.x) / step, (p[at + 1] - grid.y) / step];
  const [bx, by] = [(p[at + 3] - grid.x) / step, (p[at + 4] - grid.y) / step];
  const [cx, cy] = [(p[at + 6] - grid.x) / step, (p[at + 7] - grid.y) / step];
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  if (Math.abs(area) < 1e-9) return;
  const lastRow = Math.min(rows - 1, Math.floor(Math.max(ay, by, cy)));
  const lastColumn = Math.min(columns - 1, Math.floor(Math.max(ax, bx, cx)));
  for (let y = Math.max(0, Math.ceil(Math.min(ay, by, cy))); y <= lastRow; y++)
    for (let x = Math.max(0, Math.ceil(Math.min(ax, bx, cx))); x <= lastColumn; x++) {
      const b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area;
      const c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area;
      if (b < -1e-6 || c < -1e-6 || b + c > 1 + 1e-6) continue;
      const z = p[at + 2] + b * (p[at + 5] - p[at + 2]) + c * (p[at + 8] - p[at + 2]);
      const place = y * columns + x;
      if (z > heights[place]) heights[place] = z;
    }
}

/** The highest (or, with `sign` −1, the lowest) value within a square of `reach` samples to each side. */
export function filterExtreme(
  values: Float32Array,
  { columns, rows }: PlaneGrid,
  reach: number,
  sign: 1 | -1,
): Float32Array {
  const pass = (from: Float32Array, lines: number, count: number, lineStride: number, stride: number): Float32Array => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line++)
      for (let i = 0; i < count; i++) {
        let best = -Infinity;
        for (let j = Math.max(0, i - reach); j <= Math.min(count - 1, i + reach); j++)
          best = Math.max(best, sign * from[line * lineStride + j * stride]);
        to[line * lineStride + i * stride] = sign * best;
      }
    return to;
  };
  return pass(pass(values, rows, columns, columns, 1), columns, rows, 1, columns);
}

/** The nearest sample of a mask for each sample: its index and its distance in mm; −1 and Infinity without any. */
export interface NearestInMask {
  index: Int32Array;
  distance: Float32Array;
}

/** Four sweeps that hand on the nearest sample (P.-E. Danielsson, Euclidean distance mapping, 1980). */
export function findNearestInMask(mask: Uint8Array, { columns, rows, step }: PlaneGrid): NearestInMask {
  const index = Int32Array.from(mask, (value, at) => (value ? at : -1));
  const square = Float32Array.from(mask, (value) => (value ? 0 : Infinity));
  const offer = (x: number, y: number, dx: number, dy: number): void => {
    const [nx, ny] = [x + dx, y + dy];
    if (nx < 0 || ny < 0 || nx >= columns || ny >= rows) return;
    const found = index[ny * columns + nx];
    if (found < 0) return;
    const far = ((found % columns) - x) ** 2 + (Math.floor(found / columns) - y) ** 2;
    const at = y * columns + x;
    if (far >= square[at]) return;
    square[at] = far;
    index[at] = found;
  };
  for (const way of [1, -1])
    for (let i = 0; i < rows; i++) {
      const y = way > 0 ? i : rows - 1 - i;
      for (let x = 0; x < columns; x++) {
        for (let dx = -1; dx <= 1; dx++) offer(x, y, dx, -way);
        offer(x, y, -1, 0);
      }
      for (let x = columns - 1; x >= 0; x--) offer(x, y, 1, 0);
    }
  return { index, distance: square.map((value) => Math.sqrt(value) * step) };
}

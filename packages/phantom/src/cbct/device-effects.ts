import type { SliceGrid } from "./jaw-curve-coordinates.ts";
import type { Metal } from "./teeth.ts";
import { greyValues } from "./grey-values.ts";
import { getNormalTable } from "../math/random.ts";
import { clamp } from "../math/shape-functions.ts";

/**
 * Adds the effects of the device: streaks from metal, blur, shading, noise, the round field of view. Changes `values`.
 */
export function applyDeviceEffects(
  values: Float32Array,
  grid: SliceGrid,
  slice: number,
  metals: readonly Metal[],
): Int16Array {
  for (const metal of metals) addStreaks(values, grid, metal);
  addShadows(values, grid, metals);
  blur(values, grid);
  return quantizeSlice(values, grid, slice);
}

/** Rays of light and dark around metal; the dark ones go mostly sideways, where most bone is behind. */
function addStreaks(values: Float32Array, grid: SliceGrid, { x, y, amount }: Metal): void {
  const strength = 330 * Math.min(1, amount / 25);
  const turn = x * 0.7 + y * 0.3;
  forEachPixel(grid, (at, px, py) => {
    const [dx, dy] = [px - x, py - y];
    const distance = Math.hypot(dx, dy);
    if (distance > 55 || distance < 1 || values[at] > 4000) return;
    const angle = Math.atan2(dy, dx);
    const rays =
      Math.cos(7 * angle + turn) * 0.6 +
      Math.cos(16 * angle + 2.3 * turn) * 0.55 +
      Math.cos(29 * angle - turn) * 0.4 -
      0.35;
    values[at] += strength * rays * Math.exp(-distance / 15) * Math.min(1, distance / 4);
  });
}

/** Draws a dark band between two metal objects. */
function addShadows(values: Float32Array, grid: SliceGrid, metals: readonly Metal[]): void {
  for (const [i, a] of metals.entries()) {
    for (const b of metals.slice(i + 1)) {
      const [lx, ly] = [b.x - a.x, b.y - a.y];
      const length = Math.hypot(lx, ly);
      const strength = 420 * Math.min(1, Math.min(a.amount, b.amount) / 15);
      forEachPixel(grid, (at, px, py) => {
        const t = ((px - a.x) * lx + (py - a.y) * ly) / (length * length);
        if (t < 0 || t > 1 || values[at] > 4000) return;
        const off = ((px - a.x) * ly - (py - a.y) * lx) / length;
        values[at] -= strength * Math.exp(-((off / 4) ** 2));
      });
    }
  }
}

function forEachPixel(grid: SliceGrid, visit: (at: number, x: number, y: number) => void): void {
  for (let row = 0; row < grid.rows; row++) {
    const y = grid.y + row * grid.voxel;
    for (let column = 0; column < grid.columns; column++)
      visit(row * grid.columns + column, grid.x + column * grid.voxel, y);
  }
}

/** 1 4 1 along the rows and the columns, in place. */
function blur(values: Float32Array, { columns, rows }: SliceGrid): void {
  for (let row = 0; row < rows; row++) blurLine(values, row * columns, 1, columns);
  for (let column = 0; column < columns; column++) blurLine(values, column, columns, rows);
}

function blurLine(values: Float32Array, start: number, stride: number, count: number): void {
  let before = values[start];
  for (let i = 0, at = start; i < count; i++, at += stride) {
    const here = values[at];
    const after = i + 1 < count ? values[at + stride] : here;
    values[at] = (before + 4 * here + after) / 6;
    before = here;
  }
}

const noiseDeviation = 52;

function quantizeSlice(values: Float32Array, { columns, rows, voxel, x, y }: SliceGrid, slice: number): Int16Array {
  const table = getNormalTable();
  const out = new Int16Array(columns * rows).fill(greyValues.air);
  const middle = [x + ((columns - 1) / 2) * voxel, y + ((rows - 1) / 2) * voxel];
  const radius = (Math.min(columns, rows) / 2 - 1) * voxel;
  let place = Math.imul(slice + 1, 40_503) & 0xffff;
  for (let row = 0; row < rows; row++) {
    const dy = y + row * voxel - middle[1];
    const half = Math.sqrt(Math.max(0, radius * radius - dy * dy));
    // A prime step through the table each row, so that rows do not repeat each other.
    place = (place + 7919) & 0xffff;
    let last = 0;
    for (let column = 0; column < columns; column++) {
      const dx = x + column * voxel - middle[0];
      if (Math.abs(dx) > half) continue;
      const fresh = table[(place + column * 31) & 0xffff];
      last = 0.45 * last + fresh;
      const shade = 35 * (1 - (dx * dx + dy * dy) / (radius * radius));
      out[row * columns + column] = clamp(
        Math.round(values[row * columns + column] + noiseDeviation * last - shade),
        greyValues.air,
        greyValues.highest,
      );
    }
  }
  return out;
}

import { boxBlur, newGrid, type Grid } from "../measure/pixel-grid.ts";

/**
 * First and second derivatives of an image, each divided by their usual size nearby: a faint edge of skin counts as
 * much as one of metal.
 */
export interface EdgeMap {
  columns: number;
  rows: number;
  gx: Float32Array;
  gy: Float32Array;
  hxx: Float32Array;
  hxy: Float32Array;
  hyy: Float32Array;
}

/** `radius`: pixels over which "nearby" reaches. */
export function createEdgeMap(image: Grid, radius: number): EdgeMap {
  const { columns, rows } = image;
  const { data } = boxBlur(boxBlur(image, 1, 1), 1, 1);
  const [gx, gy, hxx, hxy, hyy] = Array.from({ length: 5 }, () => new Float32Array(data.length)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let row = 1; row + 1 < rows; row++)
    for (let column = 1; column + 1 < columns; column++) {
      const at = row * columns + column;
      const [left, right, up, down] = [data[at - 1]!, data[at + 1]!, data[at - columns]!, data[at + columns]!];
      gx[at] = (right - left) / 2;
      gy[at] = (down - up) / 2;
      hxx[at] = right - 2 * data[at]! + left;
      hyy[at] = down - 2 * data[at]! + up;
      hxy[at] =
        (data[at + columns + 1]! - data[at + columns - 1]! - data[at - columns + 1]! + data[at - columns - 1]!) / 4;
    }
  normalise(image, [gx, gy], radius);
  normalise(image, [hxx, hxy, hyy], radius);
  return { columns, rows, gx, gy, hxx, hxy, hyy };
}

/** Divides by the root of the mean square nearby; less than a third of the image's own counts as noise. */
function normalise({ columns, rows }: Grid, parts: readonly Float32Array[], radius: number): void {
  const energy = newGrid(columns, rows);
  let total = 0;
  for (let at = 0; at < energy.data.length; at++) {
    let square = 0;
    for (const part of parts) square += part[at]! ** 2;
    energy.data[at] = square;
    total += square;
  }
  const floor = 0.1 * (total / energy.data.length);
  const local = boxBlur(energy, radius, radius).data;
  for (let at = 0; at < local.length; at++) {
    const size = Math.sqrt(local[at]! + floor) * 2 || 1;
    for (const part of parts) part[at]! /= size;
  }
}

/** Returns how strongly an edge across (nx, ny), brighter against that direction, shows at a pixel; about -1 to 1. */
export function edgeAt({ columns, rows, gx, gy }: EdgeMap, x: number, y: number, nx: number, ny: number): number {
  const [column, row] = [Math.round(x), Math.round(y)];
  if (column < 1 || row < 1 || column > columns - 2 || row > rows - 2) return 0;
  const at = row * columns + column;
  return limit(-(gx[at]! * nx + gy[at]! * ny));
}

/** Returns how strongly a bright line across (nx, ny) shows. */
export function lineAt(map: EdgeMap, x: number, y: number, nx: number, ny: number): number {
  const { columns, rows, hxx, hxy, hyy } = map;
  const [column, row] = [Math.round(x), Math.round(y)];
  if (column < 1 || row < 1 || column > columns - 2 || row > rows - 2) return 0;
  const at = row * columns + column;
  return limit(-(hxx[at]! * nx * nx + 2 * hxy[at]! * nx * ny + hyy[at]! * ny * ny));
}

const limit = (value: number): number => Math.min(1, Math.max(-1, value));

import type { Vector } from "../../geometry/vector.ts";

/** The grid of one slice: centre of its first voxel, unit vectors of rising column and row, mm between them. */
export interface SliceGrid {
  rows: number;
  columns: number;
  position: Vector;
  columnDirection: Vector;
  rowDirection: Vector;
  columnSpacing: number;
  rowSpacing: number;
}

/**
 * The voxels of a slice whose centre lies in a tube around a line.
 * @param line points in DICOM patient LPS, mm
 * @param radius of the tube, mm; or the one at each point of the line, between which it changes evenly
 * @returns `[row][column]`, 0 or 1; null if the tube does not meet the slice
 */
export function rasteriseTube(
  grid: SliceGrid,
  line: readonly Vector[],
  radius: number | readonly number[],
): Uint8Array | null {
  const mask = new Uint8Array(grid.rows * grid.columns);
  const local = line.map((point) => toGrid(grid, point));
  let isMet = false;
  for (let at = 0; at + 1 < local.length; at++) {
    const [from, to] = [local[at]!, local[at + 1]!];
    const [first, last] = typeof radius === "number" ? [radius, radius] : [radius[at]!, radius[at + 1]!];
    const widest = Math.max(first, last);
    if (Math.min(Math.abs(from[2]), Math.abs(to[2])) > widest && from[2] * to[2] > 0) continue;
    const [left, right] = range(from[0], to[0], widest, grid.columnSpacing, grid.columns);
    const [top, bottom] = range(from[1], to[1], widest, grid.rowSpacing, grid.rows);
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) {
        const point: Vector = [column * grid.columnSpacing, row * grid.rowSpacing, 0];
        const near = nearestOnSegment(point, from, to);
        if (near.distance > first + near.share * (last - first)) continue;
        mask[row * grid.columns + column] = 1;
        isMet = true;
      }
  }
  return isMet ? mask : null;
}

/** A patient point in mm along columns, rows and the normal of the slice. */
function toGrid({ position, columnDirection: c, rowDirection: r }: SliceGrid, point: Vector): Vector {
  const d: Vector = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
  const n: Vector = [c[1] * r[2] - c[2] * r[1], c[2] * r[0] - c[0] * r[2], c[0] * r[1] - c[1] * r[0]];
  const along = (axis: Vector): number => d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
  return [along(c), along(r), along(n)];
}

function range(from: number, to: number, radius: number, spacing: number, count: number): [number, number] {
  const first = Math.ceil((Math.min(from, to) - radius) / spacing);
  const last = Math.floor((Math.max(from, to) + radius) / spacing);
  return [Math.max(0, first), Math.min(count - 1, last)];
}

/** The distance of a point to a segment, and how far along it the nearest place is, 0 to 1. */
function nearestOnSegment(point: Vector, from: Vector, to: Vector): { distance: number; share: number } {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const [a, b, c] = [point[0] - from[0], point[1] - from[1], point[2] - from[2]];
  const length = x * x + y * y + z * z;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (a * x + b * y + c * z) / length));
  return { distance: Math.hypot(a - share * x, b - share * y, c - share * z), share };
}

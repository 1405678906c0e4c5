import { dot, type Slice, type Vector } from "./slice-geometry.ts";

/** The planes of a stack that lean: how far each is displaced sideways against the first, in pixels. */
export interface PlaneDrift {
  /** Along the rows of the images (rising column index), one for each plane. */
  columns: number[];
  /** Along their columns (rising row index). */
  rows: number[];
}

/** Sideways displacement of ordered planes, or null if the last is above the first within a pixel. */
export function measureDrift(slices: readonly Slice[], [row, column]: readonly [number, number]): PlaneDrift | null {
  const first = slices[0];
  const orientation = first?.header.imageOrientation;
  if (first === undefined || !orientation) return null;
  const along = (from: number, spacing: number): number[] =>
    slices.map(({ position }) => {
      const offset: Vector = [
        position[0] - first.position[0],
        position[1] - first.position[1],
        position[2] - first.position[2],
      ];
      return dot(offset, [orientation[from], orientation[from + 1], orientation[from + 2]]) / spacing;
    });
  const drift = { columns: along(0, column), rows: along(3, row) };
  return Math.hypot((drift.columns.at(-1) ?? 0) * column, (drift.rows.at(-1) ?? 0) * row) > Math.min(row, column)
    ? drift
    : null;
}

interface Plane {
  columns: number;
  rows: number;
  /** `[row][column]`. */
  data: Int16Array;
}

/** Computes the right-angled grid that contains all planes of a leaning stack. */
export interface RectifiedGrid {
  columns: number;
  rows: number;
  /** The place of its first voxel in pixels of the first plane. */
  left: number;
  top: number;
  /** Writes a plane of the stack, by its place in it, into a plane of the grid. */
  straighten(data: Int16Array, index: number, target: Int16Array, fill: number): void;
}

/**
 * Aligns the planes of a leaning stack (gantry tilt) above each other: a shear, so that voxels lie on a grid at right
 * angles. Planes stay where they are and are only shifted within themselves, linearly between pixels; the images grow
 * by the overhang of the outermost planes, filled with `fill`.
 */
export function rectifyStack({ columns, rows }: Pick<Plane, "columns" | "rows">, drift: PlaneDrift): RectifiedGrid {
  const [left, right] = [Math.floor(minimum(drift.columns)), Math.ceil(maximum(drift.columns))];
  const [top, bottom] = [Math.floor(minimum(drift.rows)), Math.ceil(maximum(drift.rows))];
  const gridColumns = columns + right - left;
  return {
    columns: gridColumns,
    rows: rows + bottom - top,
    left,
    top,
    straighten: (data, index, target, fill) => {
      target.fill(fill);
      shiftPlane({ columns, rows, data }, target, gridColumns, drift.columns[index] - left, drift.rows[index] - top);
    },
  };
}

const minimum = (values: readonly number[]): number => values.reduce((one, other) => Math.min(one, other), 0);
const maximum = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other), 0);

/** Shifts that are whole to a thousandth of a pixel copy: decimal strings in files are no more exact. */
const wholeTolerance = 1e-3;

/** Puts a plane `right` and `down` pixels further; only pixels between known ones are written. */
function shiftPlane(
  { columns, rows, data }: Plane,
  target: Int16Array,
  gridColumns: number,
  right: number,
  down: number,
): void {
  const [x, partX] = splitShift(right);
  const [y, partY] = splitShift(down);
  const [stepX, stepY] = [partX > 0 ? 1 : 0, partY > 0 ? columns : 0];
  for (let row = partY > 0 ? 1 : 0; row < rows; row++) {
    const to = (row + y) * gridColumns + x;
    for (let column = stepX; column < columns; column++) {
      const at = row * columns + column;
      const here = data[at] * (1 - partX) + data[at - stepX] * partX;
      const above = data[at - stepY] * (1 - partX) + data[at - stepY - stepX] * partX;
      target[to + column] = Math.round(here * (1 - partY) + above * partY);
    }
  }
}

/** A target pixel at index i + n is interpolated from i and, by the fraction, from i − 1. */
function splitShift(shift: number): [number, number] {
  const near = Math.round(shift);
  if (Math.abs(shift - near) < wholeTolerance) return [near, 0];
  return [Math.floor(shift), shift - Math.floor(shift)];
}

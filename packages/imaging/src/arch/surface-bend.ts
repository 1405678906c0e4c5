/**
 * The offset of a panorama's layer from its upright curved surface, in mm towards lips and cheeks: `out[row][column]`,
 * columns along the surface from 0 on, rows from `low` mm of height upwards, both every `step` mm. Between these
 * samples it is interpolated linearly.
 */
export interface SurfaceBend {
  columns: number;
  rows: number;
  low: number;
  step: number;
  out: readonly number[];
}

/** Returns the bend at a point of the curved surface; beyond its border, that of the border. */
export function interpolateBend({ columns, rows, low, step, out }: SurfaceBend, along: number, height: number): number {
  const [x, y] = [clampIndex(along / step, columns), clampIndex((height - low) / step, rows)];
  const [i, j] = [Math.min(columns - 2, Math.floor(x)), Math.min(rows - 2, Math.floor(y))];
  const [s, t] = [x - i, y - j];
  const at = j * columns + i;
  return (
    (out[at] * (1 - s) + out[at + 1] * s) * (1 - t) + (out[at + columns] * (1 - s) + out[at + columns + 1] * s) * t
  );
}

const clampIndex = (place: number, count: number): number => Math.min(count - 1, Math.max(0, place));

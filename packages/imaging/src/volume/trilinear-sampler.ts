import type { VolumeGeometry } from "./volume-geometry.ts";

/** The value outside of the volume: darker than anything in it. */
export const outsideValue = -32768;

/**
 * Returns the value between the eight voxels around a position in voxels; at the rim that of the outermost, beyond it
 * `outside`.
 */
export function createTrilinearSampler(
  values: Int16Array,
  { columns, rows, slices }: VolumeGeometry,
): (i: number, j: number, k: number) => number {
  const area = rows * columns;
  // Called hundreds of thousands of times before the first image: no lists or closures are allocated.
  return (i, j, k) => {
    if (i < -0.501 || j < -0.501 || k < -0.501) return outsideValue;
    if (i > columns - 0.499 || j > rows - 0.499 || k > slices - 0.499) return outsideValue;
    const i0 = Math.floor(i);
    const j0 = Math.floor(j);
    const k0 = Math.floor(k);
    const left = i0 < 0 ? 0 : i0;
    const right = i0 + 1 < columns ? i0 + 1 : columns - 1;
    const near = (j0 < 0 ? 0 : j0) * columns;
    const far = (j0 + 1 < rows ? j0 + 1 : rows - 1) * columns;
    const low = (k0 < 0 ? 0 : k0) * area;
    const high = (k0 + 1 < slices ? k0 + 1 : slices - 1) * area;
    const u = i - i0;
    const v = j - j0;
    const w = k - k0;
    const below =
      ((values[low + near + left] ?? 0) * (1 - u) + (values[low + near + right] ?? 0) * u) * (1 - v) +
      ((values[low + far + left] ?? 0) * (1 - u) + (values[low + far + right] ?? 0) * u) * v;
    const above =
      ((values[high + near + left] ?? 0) * (1 - u) + (values[high + near + right] ?? 0) * u) * (1 - v) +
      ((values[high + far + left] ?? 0) * (1 - u) + (values[high + far + right] ?? 0) * u) * v;
    return Math.round(below * (1 - w) + above * w);
  };
}

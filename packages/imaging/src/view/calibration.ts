import { pictureLength, type PixelSpacing, type Spot } from "./measure.ts";

/**
 * The spacing at which the line between two image points is `mm` long. The proportions of the pixels stay as in the
 * file; without a spacing they are taken as square. Null where the line has no length.
 */
export function calibrated(spacing: PixelSpacing | null, from: Spot, to: Spot, mm: number): PixelSpacing | null {
  const { value } = pictureLength(from, to, spacing);
  if (!(value > 0) || !(mm > 0)) return null;
  const { row, column } = spacing ?? { row: 1, column: 1 };
  return { row: (row * mm) / value, column: (column * mm) / value };
}

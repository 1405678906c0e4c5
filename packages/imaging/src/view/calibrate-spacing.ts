import { measureLength, type PixelSpacing, type Point2D } from "./measure-lengths-angles.ts";

/**
 * The spacing at which the line between two image points is `mm` long. The proportions of the pixels stay as in the
 * file; without a spacing they are taken as square. Null where the line has no length.
 */
export function calibrateSpacing(
  spacing: PixelSpacing | null,
  from: Point2D,
  to: Point2D,
  mm: number,
): PixelSpacing | null {
  const { value } = measureLength(from, to, spacing);
  if (!(value > 0) || !(mm > 0)) return null;
  const { row, column } = spacing ?? { row: 1, column: 1 };
  return { row: (row * mm) / value, column: (column * mm) / value };
}

import { dot, lengthOf, minus, type Vector } from "../geometry/vector.ts";

/** An image point: x in columns, y in rows; pixel (0, 0) covers 0…1 in both. */
export type Point2D = readonly [x: number, y: number];

/** mm between rows and between columns. */
export interface PixelSpacing {
  row: number;
  column: number;
}

export interface Measurement {
  value: number;
  /** `mmAlong`: along a curved surface. */
  unit: "mm" | "mmAlong" | "px" | "deg" | "mm2" | "px2";
}

/** The length between two image points: in mm by the spacing, in pixels if the image is not calibrated. */
export function measureLength(from: Point2D, to: Point2D, spacing: PixelSpacing | null): Measurement {
  const { row, column } = spacing ?? squarePixels;
  return { value: Math.hypot((to[0] - from[0]) * column, (to[1] - from[1]) * row), unit: spacing ? "mm" : "px" };
}

/** The angle at `corner`, 0 to 180 degrees, in true proportions where pixels are not square. */
export function measureAngle(from: Point2D, corner: Point2D, to: Point2D, spacing: PixelSpacing | null): Measurement {
  const { row, column } = spacing ?? squarePixels;
  const arm = (end: Point2D): Vector => [(end[0] - corner[0]) * column, (end[1] - corner[1]) * row, 0];
  return { value: angleBetween(arm(from), arm(to)), unit: "deg" };
}

/** The angle between the lines a–b and c–d wherever they would meet, 0 to 90 degrees, in true proportions. */
export function measureLineAngle(
  a: Point2D,
  b: Point2D,
  c: Point2D,
  d: Point2D,
  spacing: PixelSpacing | null,
): Measurement {
  const { row, column } = spacing ?? squarePixels;
  const flat = ([x, y]: Point2D): Vector => [x * column, y * row, 0];
  return measureSpatialLineAngle(flat(a), flat(b), flat(c), flat(d));
}

/** The angle between the directions of the lines a–b and c–d of patient space, 0 to 90 degrees. */
export function measureSpatialLineAngle(a: Vector, b: Vector, c: Vector, d: Vector): Measurement {
  const value = angleBetween(minus(b, a), minus(d, c));
  return { value: Math.min(value, 180 - value), unit: "deg" };
}

/** The angle at `corner` between points of patient space, 0 to 180 degrees. */
export const measureSpatialAngle = (from: Vector, corner: Vector, to: Vector): Measurement => ({
  value: angleBetween(minus(from, corner), minus(to, corner)),
  unit: "deg",
});

const squarePixels: PixelSpacing = { row: 1, column: 1 };

function angleBetween(a: Vector, b: Vector): number {
  const lengths = lengthOf(a) * lengthOf(b);
  if (lengths === 0) return 0;
  return (Math.acos(Math.min(1, Math.max(-1, dot(a, b) / lengths))) * 180) / Math.PI;
}

import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";

/** Two lines of two points each, as far as they are set. */
export const splitIntoTwoLines = (points: readonly Point2D[]): Point2D[][] => [points.slice(0, 2), points.slice(2)];

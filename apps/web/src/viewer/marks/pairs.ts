import type { Spot } from "@arcada/imaging/view/measure";

/** Two lines of two points each, as far as they are set. */
export const pairs = (points: readonly Spot[]): Spot[][] => [points.slice(0, 2), points.slice(2)];

import type { Vector } from "../geometry/vector.ts";

/** A place of a traced canal. */
export interface TracedPlace {
  /** Patient mm. */
  place: Vector;
  /** The lumen's, mm. */
  radius: number;
  /** False where nothing like a canal is there: the line follows the given points. */
  isSeen: boolean;
}

import type { Vector } from "../geometry/vector.ts";

/** A place of a traced canal. */
export interface TracedPlace {
  /** Patient mm. */
  place: Vector;
  /** The lumen's, mm. */
  radius: number;
  /** False where nothing like a canal is there: the line follows the given points. */
  isSeen: boolean;
  /** True where the line may be off by more than 1 mm: one more point is needed. */
  isDoubtful: boolean;
}

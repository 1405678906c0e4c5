import type { Vector } from "../../geometry/vector.ts";
import type { PanoramaEdge } from "./panorama-truncation.ts";

export const jaws = ["upper", "lower"] as const;
export type Jaw = (typeof jaws)[number];

/** Control points of each jaw's line, patient LPS in mm, from the patient's right to the left: along the teeth and on along both rami. */
export type ArchGuess = Record<Jaw, Vector[]> & {
  /** Square to the plane in which the rows of teeth meet, upwards. */
  up: Vector;
  /**
   * The parts of the lower jaw at the field's edge or beyond; absent in the results of older versions, whose lines end
   * with the teeth.
   */
  edges?: PanoramaEdge[];
};

/** The arches that were found, along their teeth alone, and null for a jaw in which none was. */
export type DetectedArches = Record<Jaw, Vector[] | null> & {
  up: Vector;
  /**
   * The continuation of a jaw's line behind its teeth, away from them, inside the field. It serves for display only: no
   * measurement uses it.
   */
  behind: Record<Jaw, Record<"right" | "left", Vector[]>>;
  edges: PanoramaEdge[];
};

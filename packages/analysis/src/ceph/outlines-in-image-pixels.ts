import type { CephContent, CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import { normaliseTracing, patientMmPerPixel } from "./normalised-tracing.ts";
import { computeOutlines, type Outline } from "./anatomical-outlines.ts";

/** A tracing's outlines in the cephalogram's own pixels. */
export function imageOutlines(content: CephContent): (Omit<Outline, "points"> & { points: CephImagePoint[] })[] {
  const { points, faces } = normaliseTracing(content);
  const mmPerPixel = content.calibration ? patientMmPerPixel(content.calibration) : 1;
  const side = faces === "left" ? -1 : 1;
  return computeOutlines(points).map(({ points, ...outline }) => ({
    ...outline,
    points: points.map(([x, y]) => [(side * x) / mmPerPixel, y / mmPerPixel / content.aspect]),
  }));
}

import type { CephContent, CephSpot } from "@arcada/contract/ceph/ceph.shape";
import { cephFrame, mmOfPixel } from "./frame.ts";
import { outlines, type Outline } from "./outline.ts";

/** A tracing's outlines in the cephalogram's own pixels. */
export function filmOutlines(content: CephContent): (Omit<Outline, "points"> & { points: CephSpot[] })[] {
  const { places, faces } = cephFrame(content);
  const unit = content.calibration ? mmOfPixel(content.calibration) : 1;
  const side = faces === "left" ? -1 : 1;
  return outlines(places).map(({ points, ...outline }) => ({
    ...outline,
    points: points.map(([x, y]) => [(side * x) / unit, y / unit / content.aspect]),
  }));
}

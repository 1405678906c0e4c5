import type { Annotation } from "@arcada/contract/study/annotation";
import { calibrateSpacing } from "@arcada/imaging/view/calibrate-spacing";
import type { PixelSpacing } from "@arcada/imaging/view/measure-lengths-angles";

/** The spacing that a user has set by a line of known length. */
export interface UserCalibration {
  spacing: PixelSpacing;
  by: string | null;
  at: string | null;
}

/** The last calibration of an image; null without one. `spacing` is the file's. */
export function findUserCalibration(
  annotations: readonly Annotation[],
  instanceId: string,
  spacing: PixelSpacing | null,
): UserCalibration | null {
  const annotation = annotations.findLast(({ tool, instanceId: of }) => tool === "calibration" && of === instanceId);
  if (!annotation) return null;
  const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = annotation.points;
  const { mm, by, at } = annotation.settings ?? {};
  const found = typeof mm === "number" ? calibrateSpacing(spacing, [x1, y1], [x2, y2], mm) : null;
  return found && { spacing: found, by: typeof by === "string" ? by : null, at: typeof at === "string" ? at : null };
}

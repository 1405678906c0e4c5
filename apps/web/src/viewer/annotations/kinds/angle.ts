import { IconAngle } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";

export const angle: AnnotationKind = {
  icon: IconAngle,
  keys: "A",
  steps: ["corner", "otherEnd"],
  label: (t, { points: [a = [], corner = a, b = corner] }, ruler) => formatMeasurement(t, ruler.angle(a, corner, b)),
  labelPointIndex: 1,
};

import { IconAngle } from "@tabler/icons-react";
import type { AnnotationKind } from "../kind.ts";
import { formatMeasurement } from "../measured-text.ts";

export const angle: AnnotationKind = {
  icon: IconAngle,
  keys: "A",
  label: (t, { points: [a = [], corner = a, b = corner] }, ruler) => formatMeasurement(t, ruler.angle(a, corner, b)),
  labelPointIndex: 1,
};

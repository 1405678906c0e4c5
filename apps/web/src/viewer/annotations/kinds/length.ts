import { IconRuler2 } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";

export const length: AnnotationKind = {
  icon: IconRuler2,
  keys: "L",
  steps: ["end"],
  label: (t, { points: [a = [], b = a] }, ruler) => formatMeasurement(t, ruler.length(a, b)),
};

import { IconRuler2 } from "@tabler/icons-react";
import type { AnnotationKind } from "../kind.ts";
import { formatMeasurement } from "../measured-text.ts";

export const length: AnnotationKind = {
  icon: IconRuler2,
  keys: "L",
  label: (t, { points: [a = [], b = a] }, ruler) => formatMeasurement(t, ruler.length(a, b)),
};

import { IconRectangle } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatRegionValues } from "../labels/format-region-values.ts";

/** Grey values within the rectangle between two corners. */
export const rectangle: AnnotationKind = {
  icon: IconRectangle,
  keys: "Shift+E",
  steps: ["opposite"],
  label: (t, { points: [a = [], b = a] }, ruler) => formatRegionValues(t, ruler, "rectangle", a, b),
  initialPoints: [
    [-1, -1],
    [1, 1],
  ],
  lines: ([a, b]) => (a && b ? [[a, [b[0], a[1]], b, [a[0], b[1]], a]] : []),
};

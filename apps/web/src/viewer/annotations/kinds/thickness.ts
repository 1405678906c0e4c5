import { IconArrowsHorizontal } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";

export const thickness: AnnotationKind = {
  icon: IconArrowsHorizontal,
  keys: "K",
  steps: [],
  label: (t, { points: [a = [], b = a] }, ruler) =>
    t("viewer.model.thickness", { length: formatMeasurement(t, ruler.length(a, b)) }),
};

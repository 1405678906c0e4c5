import { IconWaveSine } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";

/** The path along a surface, drawn by the viewer of the surface. */
export const surface: AnnotationKind = {
  icon: IconWaveSine,
  keys: "S",
  steps: ["end"],
  label: (t, { points: [a = [], b = a] }, ruler) => {
    const pathLength = ruler.surfaceLength?.(a, b);
    return pathLength
      ? t("viewer.model.along", { length: formatMeasurement(t, pathLength) })
      : t("viewer.model.noWay", { length: formatMeasurement(t, ruler.length(a, b)) });
  },
};

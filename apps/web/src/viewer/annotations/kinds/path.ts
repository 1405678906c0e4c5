import { IconTimeline } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";

export const path: AnnotationKind = {
  icon: IconTimeline,
  keys: "Shift+L",
  steps: ["next"],
  label: (t, { points }, ruler) => {
    const parts = points.slice(1).map((point, at) => ruler.length(points[at] ?? point, point));
    return formatMeasurement(t, {
      value: parts.reduce((sum, { value }) => sum + value, 0),
      unit: parts[0]?.unit ?? "px",
    });
  },
};

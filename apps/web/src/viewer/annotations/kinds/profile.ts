import { IconChartLine } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";

/** Grey values along a line, which the list of measurements draws as a curve. */
export const profile: AnnotationKind = {
  icon: IconChartLine,
  keys: "G",
  steps: ["end"],
  label: (t, { points: [a = [], b = a] }, ruler) =>
    [
      t("viewer.profile.label", { length: formatMeasurement(t, ruler.length(a, b)) }),
      ...(ruler.isHalfResolution ? [t("viewer.region.half")] : []),
    ].join("\n"),
};

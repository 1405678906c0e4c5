import { IconRulerMeasure } from "@tabler/icons-react";
import { formatNumber } from "../../../i18n/format.ts";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";

/** A line of known length, which calibrates its image. */
export const calibration: AnnotationKind = {
  icon: IconRulerMeasure,
  keys: "K",
  steps: ["end"],
  label: (t, { points: [a = [], b = a], settings }, ruler) => {
    const mm = settings?.["mm"];
    if (typeof mm !== "number") return formatMeasurement(t, ruler.length(a, b));
    return t("viewer.calibrated", { mm: formatNumber(mm, 2) });
  },
  input: { for: "mm", isRequired: true },
};

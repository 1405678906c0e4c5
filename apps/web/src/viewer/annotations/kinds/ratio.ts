import { IconDivide } from "@tabler/icons-react";
import { formatNumber } from "../../../i18n/format.ts";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatMeasurement } from "../labels/format-measurement.ts";
import { splitIntoTwoLines } from "./split-into-two-lines.ts";

/** The length of the first line over that of the second. */
export const ratio: AnnotationKind = {
  icon: IconDivide,
  keys: "Q",
  steps: ["end", "second", "end"],
  label: (t, { points: [a = [], b = a, c, d] }, ruler) => {
    const first = ruler.length(a, b);
    if (!c || !d) return formatMeasurement(t, first);
    const second = ruler.length(c, d);
    const value = second.value > 0 ? formatNumber(first.value / second.value, 3) : "–";
    return t("viewer.ratio", { value, first: formatMeasurement(t, first), second: formatMeasurement(t, second) });
  },
  lines: splitIntoTwoLines,
};

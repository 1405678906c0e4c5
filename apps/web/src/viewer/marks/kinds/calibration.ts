import { IconRulerMeasure } from "@tabler/icons-react";
import { showNumber } from "../../../kernel/format.ts";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";

/** A line of known length, which calibrates its image. */
export const calibration: MarkKind = {
  icon: IconRulerMeasure,
  keys: "K",
  label: (t, { points: [a = [], b = a], settings }, ruler) => {
    const mm = settings?.["mm"];
    if (typeof mm !== "number") return measuredText(t, ruler.length(a, b));
    return t("viewer.calibrated", { mm: showNumber(mm, 2) });
  },
  asks: { for: "mm", needs: true },
};

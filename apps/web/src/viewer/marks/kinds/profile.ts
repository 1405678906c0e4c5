import { IconChartLine } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";

/** Grey values along a line, which the list of measurements draws as a curve. */
export const profile: MarkKind = {
  icon: IconChartLine,
  keys: "G",
  label: (t, { points: [a = [], b = a] }, ruler) =>
    [
      t("viewer.profile.label", { length: measuredText(t, ruler.length(a, b)) }),
      ...(ruler.isHalf ? [t("viewer.region.half")] : []),
    ].join("\n"),
};

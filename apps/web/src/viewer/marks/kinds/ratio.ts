import { IconDivide } from "@tabler/icons-react";
import { showNumber } from "../../../kernel/format.ts";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";
import { pairs } from "../pairs.ts";

/** The length of the first line over that of the second. */
export const ratio: MarkKind = {
  icon: IconDivide,
  keys: "Q",
  label: (t, { points: [a = [], b = a, c, d] }, ruler) => {
    const first = ruler.length(a, b);
    if (!c || !d) return measuredText(t, first);
    const second = ruler.length(c, d);
    const value = second.value > 0 ? showNumber(first.value / second.value, 3) : "–";
    return t("viewer.ratio", { value, first: measuredText(t, first), second: measuredText(t, second) });
  },
  lines: pairs,
};

import { IconRectangle } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";
import { regionText } from "../region-text.ts";

/** Grey values within the rectangle between two corners. */
export const rectangle: MarkKind = {
  icon: IconRectangle,
  keys: "Shift+E",
  label: (t, { points: [a = [], b = a] }, ruler) => regionText(t, ruler, "rectangle", a, b),
  start: [
    [-1, -1],
    [1, 1],
  ],
  lines: ([a, b]) => (a && b ? [[a, [b[0], a[1]], b, [a[0], b[1]], a]] : []),
};

import { IconRuler2 } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";

export const length: MarkKind = {
  icon: IconRuler2,
  keys: "L",
  label: (t, { points: [a = [], b = a] }, ruler) => measuredText(t, ruler.length(a, b)),
};

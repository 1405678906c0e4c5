import { IconAngle } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";

export const angle: MarkKind = {
  icon: IconAngle,
  keys: "A",
  label: (t, { points: [a = [], corner = a, b = corner] }, ruler) => measuredText(t, ruler.angle(a, corner, b)),
  labelAt: 1,
};

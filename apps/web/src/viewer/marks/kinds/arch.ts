import { IconRainbow } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

export const arch: MarkKind = {
  icon: IconRainbow,
  keys: "Shift+C",
  label: (t) => t("viewer.tool.arch"),
  isPlanned: true,
  start: [
    [-2, 2],
    [-1.6, 0.2],
    [-0.8, -1.2],
    [0, -1.6],
    [0.8, -1.2],
    [1.6, 0.2],
    [2, 2],
  ],
};

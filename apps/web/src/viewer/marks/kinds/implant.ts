import { IconNeedle } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

export const implant: MarkKind = {
  icon: IconNeedle,
  keys: "Shift+I",
  label: (t) => t("viewer.tool.implant"),
  isPlanned: true,
  start: [
    [0, -1],
    [0, 1],
  ],
};

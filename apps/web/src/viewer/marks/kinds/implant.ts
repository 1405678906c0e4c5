import { IconNeedle } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

export const implant: MarkKind = {
  icon: IconNeedle,
  keys: "Shift+I",
  label: (t) => t("viewer.tool.implant"),
  isPlanned: true,
  hints: (t) => [t("viewer.arch.hint.shoulder"), t("viewer.arch.hint.tip")],
  start: [
    [0, -1],
    [0, 1],
  ],
};

import { IconRouteAltLeft } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

export const canal: MarkKind = {
  icon: IconRouteAltLeft,
  keys: "Shift+N",
  label: (t) => t("viewer.tool.canal"),
  isPlanned: true,
  hints: (t) => [t("viewer.arch.hint.canalBegin"), t("viewer.arch.hint.canalOn")],
};

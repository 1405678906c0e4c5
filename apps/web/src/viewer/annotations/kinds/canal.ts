import { IconRouteAltLeft } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";

export const canal: AnnotationKind = {
  icon: IconRouteAltLeft,
  keys: "Shift+N",
  label: (t) => t("viewer.tool.canal"),
  isSpatial: true,
  hints: (t) => [t("viewer.arch.hint.canalBegin"), t("viewer.arch.hint.canalOn")],
};

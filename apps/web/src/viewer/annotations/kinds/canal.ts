import { IconNerveCanal } from "../../ui/modes/dental-icons.ts";
import type { AnnotationKind } from "../annotation-kind-types.ts";

export const canal: AnnotationKind = {
  icon: IconNerveCanal,
  keys: "Shift+N",
  label: (t) => t("viewer.tool.canal"),
  isSpatial: true,
  hints: (t) => [t("viewer.arch.hint.canalBegin"), t("viewer.arch.hint.canalOn")],
};

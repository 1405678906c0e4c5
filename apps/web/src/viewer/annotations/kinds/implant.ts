import { IconImplant } from "../../ui/modes/dental-icons.ts";
import type { AnnotationKind } from "../annotation-kind-types.ts";

export const implant: AnnotationKind = {
  icon: IconImplant,
  keys: "Shift+I",
  label: (t) => t("viewer.tool.implant"),
  isSpatial: true,
  hints: (t) => [t("viewer.arch.hint.shoulder"), t("viewer.arch.hint.tip")],
  initialPoints: [
    [0, -1],
    [0, 1],
  ],
};

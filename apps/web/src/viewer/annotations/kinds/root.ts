import { IconToothRoot } from "../../ui/modes/dental-icons.ts";
import type { AnnotationKind } from "../annotation-kind-types.ts";

/** The root of a tooth, which implants are kept away from. */
export const root: AnnotationKind = {
  icon: IconToothRoot,
  keys: "Shift+D",
  label: (t) => t("viewer.tool.root"),
  isSpatial: true,
  hints: (t) => [t("viewer.arch.hint.rootNeck"), t("viewer.arch.hint.rootTip")],
  initialPoints: [
    [0, -1],
    [0, 1],
  ],
};

import { IconDentalArch } from "../../ui/modes/dental-icons.ts";
import type { AnnotationKind } from "../annotation-kind-types.ts";

export const arch: AnnotationKind = {
  icon: IconDentalArch,
  keys: "Shift+C",
  steps: ["next"],
  label: (t) => t("viewer.tool.arch"),
  isSpatial: true,
  initialPoints: [
    [-2, 2],
    [-1.6, 0.2],
    [-0.8, -1.2],
    [0, -1.6],
    [0.8, -1.2],
    [1.6, 0.2],
    [2, 2],
  ],
};

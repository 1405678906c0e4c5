import { IconRainbow } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";

export const arch: AnnotationKind = {
  icon: IconRainbow,
  keys: "Shift+C",
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

import { IconWaveSine } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";

export const sinus: AnnotationKind = {
  icon: IconWaveSine,
  keys: "Shift+M",
  label: (t) => t("viewer.tool.sinus"),
  isSpatial: true,
  hints: (t) => [t("viewer.arch.hint.sinusBegin"), t("viewer.arch.hint.sinusOn")],
};

import { IconArrowDownLeftCircle } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";

/** An arrow that points at its first point; its text is at the other end. */
export const arrow: AnnotationKind = {
  icon: IconArrowDownLeftCircle,
  keys: "N",
  steps: ["words"],
  label: (_t, { text }) => text ?? "",
  arrowheadIndex: 0,
  input: { for: "words", isRequired: false },
};

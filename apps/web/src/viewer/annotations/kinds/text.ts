import { IconTypography } from "@tabler/icons-react";
import type { AnnotationKind } from "../annotation-kind-types.ts";

export const text: AnnotationKind = {
  icon: IconTypography,
  keys: "T",
  steps: [],
  label: (_t, { text: words }) => words ?? "",
  input: { for: "words", isRequired: true },
};

import { IconTypography } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

export const text: MarkKind = {
  icon: IconTypography,
  keys: "T",
  label: (_t, { text: words }) => words ?? "",
  asks: { for: "words", needs: true },
};

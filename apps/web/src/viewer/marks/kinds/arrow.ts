import { IconArrowDownLeftCircle } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

/** An arrow that points at its first point; its text is at the other end. */
export const arrow: MarkKind = {
  icon: IconArrowDownLeftCircle,
  keys: "N",
  label: (_t, { text }) => text ?? "",
  tip: 0,
  asks: { for: "words", needs: false },
};

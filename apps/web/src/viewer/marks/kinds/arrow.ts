import { IconArrowDownLeftCircle } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

/** Points at what it is begun on; its words stand at the other end. */
export const arrow: MarkKind = {
  icon: IconArrowDownLeftCircle,
  keys: "N",
  label: (_t, { text }) => text ?? "",
  tip: 0,
  asks: { for: "words", needs: false },
};

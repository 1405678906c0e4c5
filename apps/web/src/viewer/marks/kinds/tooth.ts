import { IconDental } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

/** A tooth by its FDI number. */
export const tooth: MarkKind = {
  icon: IconDental,
  keys: "D",
  label: (_t, { text }) => text ?? "",
  asks: { for: "tooth", needs: true },
};

import { IconDental } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";

/** The root of a tooth, which implants are kept away from. */
export const root: MarkKind = {
  icon: IconDental,
  keys: "Shift+D",
  label: (t) => t("viewer.tool.root"),
  isPlanned: true,
  hints: (t) => [t("viewer.arch.hint.rootNeck"), t("viewer.arch.hint.rootTip")],
  start: [
    [0, -1],
    [0, 1],
  ],
};

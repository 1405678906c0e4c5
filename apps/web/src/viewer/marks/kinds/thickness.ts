import { IconArrowsHorizontal } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";

export const thickness: MarkKind = {
  icon: IconArrowsHorizontal,
  keys: "K",
  label: (t, { points: [a = [], b = a] }, ruler) =>
    t("viewer.model.thickness", { length: measuredText(t, ruler.length(a, b)) }),
};

import { IconWaveSine } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";

/** The path along a surface, drawn by the viewer of the surface. */
export const surface: MarkKind = {
  icon: IconWaveSine,
  keys: "S",
  label: (t, { points: [a = [], b = a] }, ruler) => {
    const way = ruler.along?.(a, b);
    return way
      ? t("viewer.model.along", { length: measuredText(t, way) })
      : t("viewer.model.noWay", { length: measuredText(t, ruler.length(a, b)) });
  },
};

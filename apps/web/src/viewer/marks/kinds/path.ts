import { IconTimeline } from "@tabler/icons-react";
import type { MarkKind } from "../kind.ts";
import { measuredText } from "../measured-text.ts";

export const path: MarkKind = {
  icon: IconTimeline,
  keys: "Shift+L",
  label: (t, { points }, ruler) => {
    const parts = points.slice(1).map((point, at) => ruler.length(points[at] ?? point, point));
    return measuredText(t, {
      value: parts.reduce((sum, { value }) => sum + value, 0),
      unit: parts[0]?.unit ?? "px",
    });
  },
};

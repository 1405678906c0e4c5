import { IconCircle } from "@tabler/icons-react";
import type { Spot } from "@arcada/imaging/view/measure";
import type { MarkKind } from "../kind.ts";
import { regionText } from "../region-text.ts";

/** Grey values within the ellipse between two corners. */
export const ellipse: MarkKind = {
  icon: IconCircle,
  keys: "E",
  label: (t, { points: [a = [], b = a] }, ruler) => regionText(t, ruler, "ellipse", a, b),
  start: [
    [-1, -1],
    [1, 1],
  ],
  lines: ([a, b]) => (a && b ? [around(a, b)] : []),
};

const around = (a: Spot, b: Spot): Spot[] =>
  Array.from({ length: steps + 1 }, (_, step) => {
    const turn = (step / steps) * 2 * Math.PI;
    return [
      (a[0] + b[0]) / 2 + ((b[0] - a[0]) / 2) * Math.cos(turn),
      (a[1] + b[1]) / 2 + ((b[1] - a[1]) / 2) * Math.sin(turn),
    ];
  });

const steps = 64;

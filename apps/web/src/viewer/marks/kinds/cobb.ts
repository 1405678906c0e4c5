import { IconChartArcs3 } from "@tabler/icons-react";
import type { Spot } from "@arcada/imaging/view/measure";
import { showNumber } from "../../../kernel/format.ts";
import type { MarkKind } from "../kind.ts";
import { pairs } from "../pairs.ts";

/** The angle between two lines that need not meet, and its supplement to 180°. */
export const cobb: MarkKind = {
  icon: IconChartArcs3,
  keys: "Shift+A",
  label: (t, { points: [a, b, c, d] }, ruler) => {
    if (!a || !b || !c || !d) return "";
    const { value } = ruler.between(a, b, c, d);
    return t("viewer.cobb", { angle: showNumber(value, 1), other: showNumber(180 - value, 1) });
  },
  lines: pairs,
  guides: (points) => {
    const [a, b, c, d] = points;
    const meeting = a && b && c && d && meetingOf(a, b, c, d);
    return meeting ? [extension(a, b, meeting), extension(c, d, meeting)] : [];
  },
};

/** Returns the point in which two lines would meet; null if that is too far away to be drawn. */
function meetingOf(a: Spot, b: Spot, c: Spot, d: Spot): Spot | null {
  const [one, other]: [Spot, Spot] = [
    [b[0] - a[0], b[1] - a[1]],
    [d[0] - c[0], d[1] - c[1]],
  ];
  const across = one[0] * other[1] - one[1] * other[0];
  const part = ((c[0] - a[0]) * other[1] - (c[1] - a[1]) * other[0]) / across;
  const [x, y] = [a[0] + one[0] * part, a[1] + one[1] * part];
  return Math.hypot(x - a[0], y - a[1]) < farthest ? [x, y] : null;
}

const farthest = 20_000;

/** From the nearer end of the line to the point. */
const extension = (a: Spot, b: Spot, to: Spot): Spot[] => [far(a, to) < far(b, to) ? a : b, to];

const far = (a: Spot, b: Spot): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

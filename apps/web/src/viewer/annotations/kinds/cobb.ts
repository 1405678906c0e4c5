import { IconChartArcs3 } from "@tabler/icons-react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { formatNumber } from "../../../i18n/format.ts";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { splitIntoTwoLines } from "./split-into-two-lines.ts";

/** The angle between two lines that need not meet, and its supplement to 180°. */
export const cobb: AnnotationKind = {
  icon: IconChartArcs3,
  keys: "Shift+A",
  steps: ["end", "second", "end"],
  label: (t, { points: [a, b, c, d] }, ruler) => {
    if (!a || !b || !c || !d) return "";
    const { value } = ruler.lineAngle(a, b, c, d);
    return t("viewer.cobb", { angle: formatNumber(value, 1), other: formatNumber(180 - value, 1) });
  },
  lines: splitIntoTwoLines,
  guides: (points) => {
    const [a, b, c, d] = points;
    const intersection = a && b && c && d && findIntersection(a, b, c, d);
    return intersection ? [extendTo(a, b, intersection), extendTo(c, d, intersection)] : [];
  },
};

/** Returns the point in which two lines would meet; null if that is too far away to be drawn. */
function findIntersection(a: Point2D, b: Point2D, c: Point2D, d: Point2D): Point2D | null {
  const [one, other]: [Point2D, Point2D] = [
    [b[0] - a[0], b[1] - a[1]],
    [d[0] - c[0], d[1] - c[1]],
  ];
  const determinant = one[0] * other[1] - one[1] * other[0];
  const part = ((c[0] - a[0]) * other[1] - (c[1] - a[1]) * other[0]) / determinant;
  const [x, y] = [a[0] + one[0] * part, a[1] + one[1] * part];
  return Math.hypot(x - a[0], y - a[1]) < maxDistance ? [x, y] : null;
}

const maxDistance = 20_000;

/** From the nearer end of the line to the point. */
const extendTo = (a: Point2D, b: Point2D, to: Point2D): Point2D[] => [
  measureDistance(a, to) < measureDistance(b, to) ? a : b,
  to,
];

const measureDistance = (a: Point2D, b: Point2D): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

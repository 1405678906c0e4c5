import { IconCircle } from "@tabler/icons-react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { AnnotationKind } from "../annotation-kind-types.ts";
import { formatRegionValues } from "../labels/format-region-values.ts";

/** Grey values within the ellipse between two corners. */
export const ellipse: AnnotationKind = {
  icon: IconCircle,
  keys: "E",
  steps: ["opposite"],
  label: (t, { points: [a = [], b = a] }, ruler) => formatRegionValues(t, ruler, "ellipse", a, b),
  initialPoints: [
    [-1, -1],
    [1, 1],
  ],
  lines: ([a, b]) => (a && b ? [toEllipsePoints(a, b)] : []),
};

const toEllipsePoints = (a: Point2D, b: Point2D): Point2D[] =>
  Array.from({ length: segments + 1 }, (_, step) => {
    const radians = (step / segments) * 2 * Math.PI;
    return [
      (a[0] + b[0]) / 2 + ((b[0] - a[0]) / 2) * Math.cos(radians),
      (a[1] + b[1]) / 2 + ((b[1] - a[1]) / 2) * Math.sin(radians),
    ];
  });

const segments = 64;

/**
 * The occlusal view of a tooth: its outline and furrows in a square from -1 to 1, x towards the midline, y outwards.
 */
export interface ToothOutline {
  points: readonly Point[];
  furrows: readonly (readonly Point[])[];
}
type Point = readonly [x: number, y: number];

const incisor: ToothOutline = {
  points: [
    [-1, 0.36],
    [-0.74, 0.82],
    [0, 1],
    [0.74, 0.82],
    [1, 0.36],
    [0.66, -0.46],
    [0, -1],
    [-0.66, -0.46],
  ],
  furrows: [
    [
      [-0.62, 0.4],
      [0, 0.52],
      [0.62, 0.4],
    ],
  ],
};
const canine: ToothOutline = {
  points: [
    [-1, 0.12],
    [-0.62, 0.7],
    [0, 1],
    [0.62, 0.7],
    [1, 0.12],
    [0.64, -0.6],
    [0, -1],
    [-0.64, -0.6],
  ],
  furrows: [
    [
      [-0.56, 0.16],
      [0, 0.4],
      [0.56, 0.16],
    ],
  ],
};
const premolar: ToothOutline = {
  points: [
    [-1, 0.1],
    [-0.8, 0.74],
    [0, 1],
    [0.8, 0.74],
    [1, 0.1],
    [0.76, -0.72],
    [0, -1],
    [-0.76, -0.72],
  ],
  furrows: [
    [
      [-0.62, 0.16],
      [-0.4, -0.02],
      [0, -0.08],
      [0.4, -0.02],
      [0.62, 0.16],
    ],
  ],
};
const upperMolar: ToothOutline = {
  points: [
    [-0.96, 0.5],
    [-0.56, 0.97],
    [0, 0.86],
    [0.56, 1],
    [1, 0.5],
    [0.92, -0.1],
    [0.86, -0.68],
    [0.42, -0.98],
    [0, -0.86],
    [-0.5, -0.96],
    [-0.98, -0.5],
    [-0.9, 0],
  ],
  furrows: [
    [
      [-0.66, -0.02],
      [-0.3, 0.14],
      [0.1, 0.02],
      [0.62, 0.14],
    ],
    [
      [-0.06, 0.08],
      [0.02, 0.4],
      [0, 0.7],
    ],
    [
      [-0.36, 0.1],
      [-0.2, -0.3],
      [-0.3, -0.74],
    ],
  ],
};
const lowerMolar: ToothOutline = {
  points: [
    [-0.98, 0.4],
    [-0.64, 0.94],
    [-0.24, 0.88],
    [0.2, 0.97],
    [0.66, 0.92],
    [1, 0.44],
    [0.94, -0.3],
    [0.72, -0.92],
    [0.08, -0.86],
    [-0.52, -0.95],
    [-0.94, -0.52],
  ],
  furrows: [
    [
      [-0.7, 0],
      [-0.3, 0.1],
      [0.1, -0.04],
      [0.68, 0.06],
    ],
    [
      [-0.3, 0.1],
      [-0.34, 0.7],
    ],
    [
      [0.26, 0],
      [0.36, 0.72],
    ],
    [
      [0.02, -0.02],
      [0.04, -0.7],
    ],
  ],
};

/** Returns the outline by the last digit of the FDI number. */
export function findOutline(position: number, isUpper: boolean, isDeciduous: boolean): ToothOutline {
  if (position <= 2) return incisor;
  if (position === 3) return canine;
  if (position <= 5 && !isDeciduous) return premolar;
  return isUpper ? upperMolar : lowerMolar;
}

const round = (value: number): number => Math.round(value * 10) / 10;
interface Size {
  x: number;
  y: number;
}

/** Returns a smooth closed path through all points. */
export function toClosedPath(points: readonly Point[], size: Size): string {
  const at = (index: number) => points[(index + points.length) % points.length]!;
  const curves = points.map((_, index) => curve(at(index - 1), at(index), at(index + 1), at(index + 2), size));
  return `M${formatPoint(points[0]!, size)}${curves.join("")}Z`;
}

/** Returns a smooth path from the first to the last point. */
export function toOpenPath(points: readonly Point[], size: Size): string {
  const at = (index: number) => points[Math.min(Math.max(index, 0), points.length - 1)]!;
  const curves = points.slice(1).map((_, index) => curve(at(index - 1), at(index), at(index + 1), at(index + 2), size));
  return `M${formatPoint(points[0]!, size)}${curves.join("")}`;
}

const formatPoint = ([x, y]: Point, size: Size): string => `${round(x * size.x)} ${round(y * size.y)}`;
/** Returns the Catmull-Rom curve from `a` to `b` as a Bézier curve. */
function curve(before: Point, a: Point, b: Point, after: Point, size: Size): string {
  const first: Point = [a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6];
  const second: Point = [b[0] - (after[0] - a[0]) / 6, b[1] - (after[1] - a[1]) / 6];
  return `C${formatPoint(first, size)} ${formatPoint(second, size)} ${formatPoint(b, size)}`;
}

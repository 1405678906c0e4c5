import { cross, dot, minus, plus, times, normalize, type Vector } from "../geometry/vector.ts";
import type { SurfaceSample } from "./surface-sample.ts";

/**
 * The thinnest direction of a surface: its middle, the direction across, and the spread in each direction, the thinnest
 * first.
 */
export interface FlatShape {
  middle: Vector;
  normal: Vector;
  spread: [number, number, number];
}

/** Finds the direction across a flat surface in any rotation: the least axis of its moments. */
export function measureFlatShape({ points }: Pick<SurfaceSample, "points">): FlatShape {
  const count = points.length / 3;
  const middle = meanPoint(points);
  const m = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i] - middle[0], points[i + 1] - middle[1], points[i + 2] - middle[2]];
    m[0] += x * x;
    m[1] += x * y;
    m[2] += x * z;
    m[3] += y * y;
    m[4] += y * z;
    m[5] += z * z;
  }
  const axes = principalAxes(m.map((sum) => sum / (count || 1)));
  return { middle, normal: axes[0].axis, spread: [axes[0].spread, axes[1].spread, axes[2].spread] };
}

function meanPoint(points: Float32Array): Vector {
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    x += points[i];
    y += points[i + 1];
    z += points[i + 2];
  }
  return times([x, y, z], 3 / (points.length || 1));
}

/** Jacobi's method for a symmetric matrix [xx, xy, xz, yy, yz, zz]; the least value first. */
function principalAxes([xx, xy, xz, yy, yz, zz]: number[]): { axis: Vector; spread: number }[] {
  const a = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 12; sweep++)
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      if (Math.abs(a[p][q]) < 1e-12) continue;
      const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  return [0, 1, 2]
    .map((k) => ({ axis: normalize([v[0][k], v[1][k], v[2][k]]), spread: Math.sqrt(Math.max(0, a[k][k])) }))
    .sort((one, other) => one.spread - other.spread);
}

/** Two directions square to a normal and to each other; `across` × `along` = normal. */
export function planeBasis(normal: Vector): { across: Vector; along: Vector } {
  const least: Vector = Math.abs(normal[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const across = normalize(cross(least, normal));
  return { across, along: cross(normal, across) };
}

const blockSize = 5;
/** mm below the tips at which a top is no crown's. */
const maxDepth = 3;

/** The plane through the tips of the crowns: `normal` towards the opposing jaw, and its height along it. */
export function fitTipPlane(
  { points }: Pick<SurfaceSample, "points">,
  { middle, normal }: Pick<FlatShape, "middle" | "normal">,
): { normal: Vector; height: number } {
  const { across, along } = planeBasis(normal);
  const tops = new Map<number, Vector>();
  for (let i = 0; i < points.length; i += 3) {
    const from = minus([points[i], points[i + 1], points[i + 2]], middle);
    const point: Vector = [dot(from, across), dot(from, along), dot(from, normal)];
    const key = Math.floor(point[0] / blockSize) * 1000 + Math.floor(point[1] / blockSize);
    if (point[2] > (tops.get(key)?.[2] ?? -Infinity)) tops.set(key, point);
  }
  let tips = [...tops.values()];
  let plane = medianPlane(tips);
  for (let round = 0; round < 8; round++) {
    const above = tips.filter((point) => point[2] - planeHeightAt(plane, point) > -maxDepth / (1 + round / 4));
    if (above.length < 6) break;
    tips = [...tops.values()].filter((point) => point[2] - planeHeightAt(plane, point) > -maxDepth);
    plane = fitPlane(above) ?? plane;
  }
  const tilted = normalize(plus(normal, plus(times(across, -plane[0]), times(along, -plane[1]))));
  return { normal: tilted, height: dot(plus(middle, times(normal, plane[2])), tilted) };
}

type Plane = readonly [slopeAcross: number, slopeAlong: number, height: number];

const planeHeightAt = ([a, b, c]: Plane, [x, y]: Vector): number => a * x + b * y + c;

const medianPlane = (points: readonly Vector[]): Plane => {
  const heights = points.map(([, , z]) => z).sort((one, other) => one - other);
  return [0, 0, heights[Math.floor(heights.length / 2)] ?? 0];
};

/** Fits the least-squares plane; null if the points are collinear. */
function fitPlane(points: readonly Vector[]): Plane | null {
  const n = points.length;
  const mean = times(
    points.reduce((sum, point) => plus(sum, point), [0, 0, 0]),
    1 / n,
  );
  let [xx, xy, yy, xz, yz] = [0, 0, 0, 0, 0];
  for (const point of points) {
    const [x, y, z] = minus(point, mean);
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xz += x * z;
    yz += y * z;
  }
  const det = xx * yy - xy * xy;
  if (!(det > 1e-6 * (xx + yy) ** 2)) return null;
  const [a, b] = [(xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det];
  return [a, b, mean[2] - a * mean[0] - b * mean[1]];
}

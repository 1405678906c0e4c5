import { dot, plus, times, type Vector } from "../geometry/vector.ts";
import { planeBasis } from "./crown-tip-plane.ts";
import type { SurfaceSample } from "./surface-sample.ts";

/** A row of crowns seen from above, as measured along its best axis of symmetry. */
export interface ArchShape {
  /** From the incisors to the throat. */
  back: Vector;
  /** mm. */
  width: number;
  depth: number;
  /** 1: both halves are mirror images. */
  symmetry: number;
  /** The share of the points at the midline that are in the front half. */
  frontShare: number;
  /** The shorter limb's length as a share of the longer one's. */
  limbs: number;
}

const cellSize = 2;
const angleSteps = 60;

/** Measures a row of crowns: the points within `deep` mm below the plane of the tips. */
export function measureArch(
  { points }: SurfaceSample,
  { normal, height }: { normal: Vector; height: number },
  maxDepth: number,
): ArchShape | null {
  const { across, along } = planeBasis(normal);
  const seen: [number, number][] = [];
  const occupiedCells = new Set<number>();
  for (let i = 0; i < points.length; i += 3) {
    const point: Vector = [points[i], points[i + 1], points[i + 2]];
    if (dot(point, normal) < height - maxDepth) continue;
    const [x, y] = [dot(point, across), dot(point, along)];
    const key = Math.round(x / (cellSize / 2)) * 4000 + Math.round(y / (cellSize / 2));
    if (occupiedCells.has(key)) continue;
    occupiedCells.add(key);
    seen.push([x, y]);
  }
  if (seen.length < 60) return null;
  const axes = Array.from({ length: angleSteps }, (_, at) => measureSymmetry(seen, (at * Math.PI) / angleSteps));
  const best = axes.reduce((one, other) => (other.symmetry > one.symmetry ? other : one));
  const [c, s] = [Math.cos(best.angle), Math.sin(best.angle)];
  const shape = measureLimbs(seen.map(([x, y]): [number, number] => [c * x + s * y - best.middle, c * y - s * x]));
  const back = plus(times(across, -s), times(along, c));
  return { ...shape, symmetry: best.symmetry, back: times(back, shape.isTurned ? -1 : 1) };
}

type PlanarPoints = readonly (readonly [number, number])[];

/** Rotates the points so that the axis is vertical, and measures the overlap of their halves. */
function measureSymmetry(points: PlanarPoints, angle: number) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  let [least, most] = [Infinity, -Infinity];
  for (const [x, y] of points) {
    const across = c * x + s * y;
    if (across < least) least = across;
    if (across > most) most = across;
  }
  let symmetry = -1;
  let middle = 0;
  for (const shift of [-2, -1, 0, 1, 2]) {
    const at = (least + most) / 2 + shift;
    const value = measureOverlap(points, c, s, at);
    if (value > symmetry) [symmetry, middle] = [value, at];
  }
  return { angle, symmetry, middle };
}

const side = 128;
const occupied = new Uint8Array(side * side);

/** Returns the share of the points with another point at their mirror image. */
function measureOverlap(points: PlanarPoints, c: number, s: number, middle: number): number {
  occupied.fill(0);
  const row = (value: number) => (Math.floor(value / cellSize + 0.5) + side / 2) & (side - 1);
  for (const [x, y] of points) occupied[row(c * x + s * y - middle) * side + row(c * y - s * x)] = 1;
  let matches = 0;
  for (const [x, y] of points) matches += occupied[row(middle - c * x - s * y) * side + row(c * y - s * x)] ?? 0;
  return matches / points.length;
}

function measureLimbs(points: PlanarPoints) {
  const [left, right] = [-1, 1].map((side) => Math.max(...points.map(([x]) => side * x)));
  const width = left + right;
  const ys = points.map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const depth = high - low;
  const near = points.filter(([x]) => Math.abs(x) < 0.12 * width);
  const atLow = near.filter(([, y]) => y < low + depth / 2).length / (near.length || 1);
  const isReversed = atLow < 0.5;
  const lengths = [-1, 1].map((side) => {
    const limb = points.filter(([x]) => side * x > 0.25 * width).map(([, y]) => (isReversed ? high - y : y - low));
    return limb.length === 0 ? 0 : Math.max(...limb);
  });
  const limbs = Math.min(...lengths) / (Math.max(...lengths) || 1);
  return { width, depth, limbs, isTurned: isReversed, frontShare: near.length === 0 ? 0 : Math.max(atLow, 1 - atLow) };
}

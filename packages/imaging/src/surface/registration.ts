import { dot, minus, plus, times, type Vector } from "../geometry/vector.ts";
import {
  identityTransform,
  compose,
  transformPoint,
  rotate,
  type RigidTransform,
} from "../geometry/rigid-transform.ts";
import { PointGrid } from "./nearest-point-grid.ts";
import { solveLinearSystem, findDominantEigenvector } from "../geometry/linear-algebra.ts";

/**
 * The rigid transform that brings each `from` as near as possible to its `to` (least squares; three pairs or more, not
 * on one line). Source: B. Horn, Closed-form solution of absolute orientation using unit quaternions, 1987.
 * @returns the transform and the remaining distance of the pairs, mm (root mean square)
 */
export function registerPointPairs(
  from: readonly Vector[],
  to: readonly Vector[],
): { rigidTransform: RigidTransform; rms: number } {
  const [a, b] = [computeMean(from), computeMean(to)];
  const s = Array.from({ length: 9 }, () => 0);
  for (const [at, point] of from.entries()) {
    const [p, q] = [minus(point, a), minus(to[at], b)];
    for (let i = 0; i < 9; i++) s[i] += p[Math.floor(i / 3)] * q[i % 3];
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s;
  const [w, x, y, z] = findDominantEigenvector([
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ]);
  const rotation = createRotation(w, x, y, z);
  const shift = minus(b, rotate(rotation, a));
  const rigidTransform = translate(rotation, shift);
  const remaining = from.map((point, at) => minus(transformPoint(rigidTransform, point), to[at]));
  return { rigidTransform, rms: Math.sqrt(remaining.reduce((sum, off) => sum + dot(off, off), 0) / from.length) };
}

/** A surface as points with their outward unit normals, x y z one after another, mm. */
export interface SurfacePoints {
  positions: Float32Array;
  normals: Float32Array;
}

export interface FitOptions {
  /** The initial transform of the fit. */
  start: RigidTransform;
  /** Share of the pairs that are believed, the nearest first: the rest has no counterpart on the other surface. */
  keep: number;
  /** mm: points without a counterpart nearer than this do not count. */
  reach: number;
  /** Called after every round; returning false ends the fit at that point. */
  onRound?: (round: number, rms: number) => boolean;
}

export interface FitResult {
  rigidTransform: RigidTransform;
  /** mm between the believed pairs along the target's normals, root mean square. */
  rms: number;
  /** The number of trusted pairs in the last round. */
  pairs: number;
  rounds: number;
}

const maxRounds = 60;
const maxPoints = 12_000;

/**
 * Fits a surface onto another by the iterated closest point, from point to plane, trimmed: in each round the pairs that
 * are furthest apart are left out. Thousands of `from`'s points, evenly taken, represent all; `reach` shrinks as the
 * surfaces approach. Source: Y. Chen and G. Medioni 1992; D. Chetverikov et al., The trimmed iterative closest point
 * algorithm, 2002.
 */
export function fitSurfaces(from: SurfacePoints, onto: SurfacePoints, options: FitOptions): FitResult {
  const grid = new PointGrid(onto.positions, Math.max(0.4, options.reach / 8));
  const count = from.positions.length / 3;
  // The way there is found with few points, the end with many.
  const few = sampleEvenly(count, 3000);
  let chosen = few;
  let rigidTransform = options.start;
  let reach = options.reach;
  let before = Infinity;
  let last: FitResult = { rigidTransform, rms: Infinity, pairs: 0, rounds: 0 };
  for (let round = 1; round <= maxRounds; round++) {
    const pairs = trimPairs(findPairs(from, onto, chosen, grid, rigidTransform, reach), options.keep);
    if (pairs.length < 6) return { ...last, rounds: round };
    const step = solveStep(pairs);
    rigidTransform = compose(step, rigidTransform);
    last = { rigidTransform, rms: computeRemainingRms(pairs, step), pairs: pairs.length, rounds: round };
    if (options.onRound?.(round, last.rms) === false) return last;
    const size = getLargestShift(step, pairs);
    // Noise lets pairs change forever: a fit that no longer improves has ended.
    if (chosen !== few && (size < 1e-4 || before - last.rms < 1e-4 * last.rms)) return last;
    if (chosen !== few) before = last.rms;
    if (size < 0.02) chosen = sampleEvenly(count, maxPoints);
    reach = Math.max(options.reach / 5, Math.min(reach, 4 * (pairs.at(-1)?.planeDistance ?? reach)));
  }
  return last;
}

/**
 * Returns the distance of each point of a surface from another surface, along the normal of the other, in mm, positive
 * outside; NaN if nothing is within reach.
 */
export function computeResiduals(
  from: SurfacePoints,
  onto: SurfacePoints,
  rigidTransform: RigidTransform,
  reach: number,
): Float32Array {
  const grid = new PointGrid(onto.positions, Math.max(0.4, reach / 8));
  const off = new Float32Array(from.positions.length / 3).fill(Number.NaN);
  const all = Array.from(off.keys());
  for (const { index, point, at, normal } of findPairs(from, onto, all, grid, rigidTransform, reach))
    off[index] = dot(minus(point, at), normal);
  return off;
}

interface Pair {
  index: number;
  point: Vector;
  at: Vector;
  normal: Vector;
  planeDistance: number;
}

/** Each point with the nearest of the other surface that faces the same way. */
function findPairs(
  from: SurfacePoints,
  onto: SurfacePoints,
  chosen: readonly number[],
  grid: PointGrid,
  rigidTransform: RigidTransform,
  reach: number,
): Pair[] {
  const pairs: Pair[] = [];
  for (const index of chosen) {
    const point = transformPoint(rigidTransform, getVector(from.positions, index));
    const nearest = grid.findNearest(point, reach);
    if (nearest < 0) continue;
    const normal = getVector(onto.normals, nearest);
    if (dot(normal, rotate(rigidTransform, getVector(from.normals, index))) < 0.5) continue;
    const at = getVector(onto.positions, nearest);
    pairs.push({ index, point, at, normal, planeDistance: Math.abs(dot(minus(point, at), normal)) });
  }
  return pairs;
}

const trimPairs = (pairs: Pair[], keep: number): Pair[] =>
  pairs.sort((one, other) => one.planeDistance - other.planeDistance).slice(0, Math.ceil(pairs.length * keep));

/** The small movement that lessens the distances to the planes most: six unknowns around the pairs' middle. */
function solveStep(pairs: readonly Pair[]): RigidTransform {
  const middle = computeMean(pairs.map(({ point }) => point));
  const rows = Array.from({ length: 6 }, () => new Float64Array(6));
  const right = new Float64Array(6);
  for (const { point, at, normal } of pairs) {
    const [x, y, z] = minus(point, middle);
    const [a, b, c] = normal;
    const unknowns = [y * c - z * b, z * a - x * c, x * b - y * a, a, b, c];
    const off = dot(minus(at, point), normal);
    for (let i = 0; i < 6; i++) {
      right[i] += unknowns[i] * off;
      for (let j = 0; j < 6; j++) rows[i][j] += unknowns[i] * unknowns[j];
    }
  }
  // Directions that the surface does not constrain (a plane slides along itself) must not run away.
  for (let i = 0; i < 6; i++) rows[i][i] += 1e-9 * pairs.length;
  const [rx, ry, rz, x, y, z] = solveLinearSystem(rows, right);
  const angle = Math.hypot(rx, ry, rz);
  const half = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  const rotation = createRotation(Math.cos(angle / 2), rx * half, ry * half, rz * half);
  return translate(rotation, plus(minus(middle, rotate(rotation, middle)), [x, y, z]));
}

const computeRemainingRms = (pairs: readonly Pair[], step: RigidTransform): number =>
  Math.sqrt(
    pairs.reduce((sum, { point, at, normal }) => sum + dot(minus(transformPoint(step, point), at), normal) ** 2, 0) /
      pairs.length,
  );

/** The largest movement of the fitted points by the step, in mm. */
const getLargestShift = (step: RigidTransform, pairs: readonly Pair[]): number =>
  pairs.reduce((most, { point }) => Math.max(most, Math.hypot(...minus(transformPoint(step, point), point))), 0);

const sampleEvenly = (count: number, most: number): number[] => {
  const step = Math.max(1, count / most);
  return Array.from({ length: Math.floor(count / step) }, (_, at) => Math.floor(at * step));
};

const getVector = (values: Float32Array, index: number): Vector => [
  values[3 * index],
  values[3 * index + 1],
  values[3 * index + 2],
];

const computeMean = (points: readonly Vector[]): Vector =>
  times(
    points.reduce((sum, point) => plus(sum, point), [0, 0, 0] as Vector),
    1 / points.length,
  );

/** The rotation of a quaternion. */
function createRotation(w: number, x: number, y: number, z: number): RigidTransform {
  const size = w * w + x * x + y * y + z * z;
  if (size === 0) return identityTransform;
  const s = 2 / size;
  return [
    1 - s * (y * y + z * z),
    s * (x * y - z * w),
    s * (x * z + y * w),
    0,
    s * (x * y + z * w),
    1 - s * (x * x + z * z),
    s * (y * z - x * w),
    0,
    s * (x * z - y * w),
    s * (y * z + x * w),
    1 - s * (x * x + y * y),
    0,
  ];
}

const translate = (m: RigidTransform, [x, y, z]: Vector): RigidTransform => [
  m[0],
  m[1],
  m[2],
  m[3] + x,
  m[4],
  m[5],
  m[6],
  m[7] + y,
  m[8],
  m[9],
  m[10],
  m[11] + z,
];

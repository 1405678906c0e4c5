import { patientToVoxel, voxelToPatient } from "../volume/voxel-to-patient.ts";
import { cross, distance, minus, plus, times, normalize, type Vector } from "../geometry/vector.ts";
import { computeGeodesicDistances } from "./voxel-geodesic-distances.ts";
import { sampleAtVoxel, type VoxelGrid } from "./voxel-grid.ts";

/** The area of an airway across its own direction. */
export interface AirwayCrossSection {
  /** Patient mm, in the middle of the airway. */
  at: Vector;
  /** Along the airway, from its upper end. */
  along: Vector;
  /** mm from the upper end. */
  distance: number;
  /** mm². */
  area: number;
  /** The section is cut off by the box: its area is no measure of the airway. */
  isCut: boolean;
}

export interface Airway {
  /** 1 for each voxel of the airway, `[slice][row][column]`. */
  mask: Uint8Array;
  /** mm³. */
  volume: number;
  /** Every millimetre. */
  sections: AirwayCrossSection[];
  /** The narrowest of the sections that are whole; null where none is. */
  narrowest: AirwayCrossSection | null;
}

/**
 * Measures the airway in a box of grey values: the voxels below the threshold that are connected with the seed, or the
 * largest such body. Its path leads from the uppermost end downwards through the middles of the points that are equally
 * far from there within the airway; areas are measured in planes across the smoothed path.
 * @param threshold grey value as stored: air is below
 * @param seed patient mm within the airway; null takes the largest body of air
 * @returns null if there is no air
 */
export function segmentAirway(grid: VoxelGrid, threshold: number, seed: Vector | null): Airway | null {
  const mask = findConnectedAir(grid, threshold, seed);
  if (!mask) return null;
  const { spacing } = grid.info;
  const count = mask.reduce((sum, part) => sum + part, 0);
  const path = traceCentreline(grid, mask);
  const sections = path.map((place, at) => measureCrossSection(grid, threshold, place, path, at));
  const whole = sections.filter(({ isCut, area }) => !isCut && area > 0);
  return {
    mask,
    volume: count * spacing[0] * spacing[1] * spacing[2],
    sections,
    narrowest: whole.reduce<AirwayCrossSection | null>(
      (best, one) => (best && best.area <= one.area ? best : one),
      null,
    ),
  };
}

function findConnectedAir({ info, data }: VoxelGrid, threshold: number, seed: Vector | null): Uint8Array | null {
  const { columns, rows, slices } = info;
  const body = new Uint8Array(data.length);
  const stack: number[] = [];
  /** Marks all air connected with a voxel; returns its amount. */
  const flood = (from: number, number: number): number => {
    let count = 0;
    const reach = (at: number) => {
      if (body[at] !== 0 || data[at] >= threshold) return;
      body[at] = number;
      stack.push(at);
    };
    reach(from);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      count++;
      const column = at % columns;
      const row = Math.floor(at / columns) % rows;
      const slice = Math.floor(at / (columns * rows));
      if (column > 0) reach(at - 1);
      if (column + 1 < columns) reach(at + 1);
      if (row > 0) reach(at - columns);
      if (row + 1 < rows) reach(at + columns);
      if (slice > 0) reach(at - columns * rows);
      if (slice + 1 < slices) reach(at + columns * rows);
    }
    return count;
  };
  const start = seed && findSeedVoxel(info, seed);
  if (start !== null && data[start] < threshold) {
    flood(start, 1);
    return body;
  }
  if (seed) return null;
  return findLargestAir(data, threshold, flood, body);
}

function findLargestAir(
  data: Int16Array,
  threshold: number,
  flood: (from: number, number: number) => number,
  body: Uint8Array,
): Uint8Array | null {
  let best = { at: -1, count: 0 };
  for (let at = 0; at < data.length; at++) {
    if (body[at] !== 0 || data[at] >= threshold) continue;
    const count = flood(at, 2);
    if (count > best.count) best = { at, count };
  }
  if (best.at < 0) return null;
  body.fill(0);
  flood(best.at, 1);
  return body;
}

function findSeedVoxel(info: VoxelGrid["info"], seed: Vector): number | null {
  const [column, row, slice] = patientToVoxel(info, [...seed]).map(Math.round) as [number, number, number];
  const isIn = [column, row, slice].every((at, axis) => at >= 0 && at < [info.columns, info.rows, info.slices][axis]);
  return isIn ? column + info.columns * (row + info.rows * slice) : null;
}

/** mm of the path over which its direction is taken. */
const directionSpan = 4;

/** Points every millimetre through the middle of the airway, from above downwards. */
function traceCentreline({ info }: VoxelGrid, mask: Uint8Array): Vector[] {
  const geodesicDistances = computeGeodesicDistances(info, mask, findTopVoxels(info, mask));
  const levels: { sum: [number, number, number]; count: number }[] = [];
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === 0 || !Number.isFinite(geodesicDistances[at])) continue;
    const level = (levels[Math.floor(geodesicDistances[at])] ??= { sum: [0, 0, 0], count: 0 });
    level.sum[0] += at % info.columns;
    level.sum[1] += Math.floor(at / info.columns) % info.rows;
    level.sum[2] += Math.floor(at / (info.columns * info.rows));
    level.count++;
  }
  const middles = levels.flatMap((level): Vector[] =>
    level
      ? [voxelToPatient(info, [level.sum[0] / level.count, level.sum[1] / level.count, level.sum[2] / level.count])]
      : [],
  );
  return middles.map((_, at) => averageAround(middles, at, directionSpan / 2));
}

function averageAround(points: readonly Vector[], at: number, reach: number): Vector {
  // The same number on both sides: the ends are not drawn inwards.
  const half = Math.min(Math.floor(reach), at, points.length - 1 - at);
  const near = points.slice(at - half, at + half + 1);
  return times(
    near.reduce((sum, point) => plus(sum, point), [0, 0, 0] as Vector),
    1 / near.length,
  );
}

/** The voxels of the uppermost millimetre. */
function findTopVoxels(info: VoxelGrid["info"], mask: Uint8Array): number[] {
  const [, , dx, , , dy, , , dz] = info.direction;
  const height = (at: number): number =>
    (at % info.columns) * info.spacing[0] * dx +
    (Math.floor(at / info.columns) % info.rows) * info.spacing[1] * dy +
    Math.floor(at / (info.columns * info.rows)) * info.spacing[2] * dz;
  let top = -Infinity;
  for (let at = 0; at < mask.length; at++) if (mask[at] === 1) top = Math.max(top, height(at));
  const ends: number[] = [];
  for (let at = 0; at < mask.length; at++) if (mask[at] === 1 && height(at) > top - 1) ends.push(at);
  return ends;
}

function measureCrossSection(
  grid: VoxelGrid,
  threshold: number,
  place: Vector,
  path: readonly Vector[],
  at: number,
): AirwayCrossSection {
  const [before, after] = [path[Math.max(0, at - directionSpan)], path[Math.min(path.length - 1, at + directionSpan)]];
  const along = normalize(minus(after, before));
  const { area, isCut } = measureAreaAcross(grid, threshold, place, along);
  const pathLength = path.slice(1, at + 1).reduce((sum, point, index) => sum + distance(point, path[index]), 0);
  return { at: place, along, distance: pathLength, area, isCut };
}

/** The largest sideways distance from the path that is examined, in mm. */
const maxReach = 30;

/**
 * Measures the connected air in the plane through a point. Nothing is known outside of the box, so air that reaches it
 * counts as cut.
 */
function measureAreaAcross(
  { info, data }: VoxelGrid,
  threshold: number,
  middle: Vector,
  along: Vector,
): { area: number; isCut: boolean } {
  const step = Math.max(0.25, 0.6 * Math.min(...info.spacing));
  const u = normalize(cross(Math.abs(along[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], along));
  const v = cross(along, u);
  const inVoxels = (direction: Vector): Vector => {
    const zero = patientToVoxel(info, [0, 0, 0]);
    return minus(patientToVoxel(info, [...direction]), zero);
  };
  const [start, du, dv] = [patientToVoxel(info, [...middle]), inVoxels(u), inVoxels(v)];
  const half = Math.ceil(maxReach / step);
  const side = 2 * half + 1;
  const seen = new Uint8Array(side * side);
  const air = (i: number, j: number): number => {
    const [a, b] = [(i - half) * step, (j - half) * step];
    const value = sampleAtVoxel(
      { info, data },
      start[0] + a * du[0] + b * dv[0],
      start[1] + a * du[1] + b * dv[1],
      start[2] + a * du[2] + b * dv[2],
    );
    return Number.isNaN(value) ? -1 : value < threshold ? 1 : 0;
  };
  const stack = findNearestAir(air, half, Math.ceil(5 / step));
  let count = 0;
  let isCut = false;
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [i, j] = next;
    if (i < 0 || j < 0 || i >= side || j >= side) isCut = true;
    else if (seen[i * side + j] === 0) {
      seen[i * side + j] = 1;
      const kind = air(i, j);
      if (kind < 0) isCut = true;
      if (kind <= 0) continue;
      count++;
      stack.push([i - 1, j], [i + 1, j], [i, j - 1], [i, j + 1]);
    }
  }
  return { area: count * step * step, isCut };
}

/** The middle of a bent airway may be outside the air. */
function findNearestAir(air: (i: number, j: number) => number, half: number, reach: number): [number, number][] {
  for (let ring = 0; ring <= reach; ring++)
    for (let turn = 0; turn < Math.max(1, 8 * ring); turn++) {
      const angle = (2 * Math.PI * turn) / Math.max(1, 8 * ring);
      const spot: [number, number] = [
        half + Math.round(ring * Math.cos(angle)),
        half + Math.round(ring * Math.sin(angle)),
      ];
      if (air(...spot) === 1) return [spot];
    }
  return [];
}

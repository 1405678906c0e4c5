import { patientToVoxel, voxelToPatient } from "../volume/voxel-to-patient.ts";
import { dot, minus, plus, times, type Vector } from "../geometry/vector.ts";
import type { VolumeClip } from "../view/volume-clip.ts";
import { sizeOf, type VolumeGeometry } from "../volume/volume-geometry.ts";
import { sampleAtVoxel, type VoxelGrid } from "./voxel-grid.ts";

interface Ray {
  /** Patient mm. */
  origin: Vector;
  /** A unit vector. */
  direction: Vector;
}

/**
 * Returns the first point along a ray whose value reaches the threshold, patient mm; null if there is none in the
 * visible part.
 */
export function findFirstAbove(grid: VoxelGrid, ray: Ray, clip: VolumeClip, threshold: number): Vector | null {
  const range = findVisibleRange(grid.info, ray, clip);
  if (!range) return null;
  const value = createRaySampler(grid, ray);
  const step = 0.5 * Math.min(...grid.info.spacing);
  for (let at = range.from, before = range.from; at <= range.to; before = at, at += step) {
    if (!(value(at) >= threshold)) continue;
    let [out, inside] = [before, at];
    for (let half = 0; half < 12 && inside > out; half++) {
      const middle = (out + inside) / 2;
      if (value(middle) >= threshold) inside = middle;
      else out = middle;
    }
    return getRayPoint(ray, inside);
  }
  return null;
}

/** The place of the largest value along a ray, patient mm. */
export function findHighestAlong(grid: VoxelGrid, ray: Ray, clip: VolumeClip): Vector | null {
  const range = findVisibleRange(grid.info, ray, clip);
  if (!range) return null;
  const value = createRaySampler(grid, ray);
  const step = 0.5 * Math.min(...grid.info.spacing);
  let [best, place] = [-Infinity, range.from];
  for (let at = range.from; at <= range.to; at += step) {
    const here = value(at);
    if (here > best) [best, place] = [here, at];
  }
  return getRayPoint(ray, place);
}

const getRayPoint = ({ origin, direction }: Ray, at: number): Vector => plus(origin, times(direction, at));

/** The ray is a straight line in voxel coordinates, too. */
function createRaySampler(grid: VoxelGrid, ray: Ray): (at: number) => number {
  const from = patientToVoxel(grid.info, [...ray.origin]);
  const to = patientToVoxel(grid.info, [...getRayPoint(ray, 1)]);
  const [dx, dy, dz] = minus(to, from);
  return (at) => sampleAtVoxel(grid, from[0] + at * dx, from[1] + at * dy, from[2] + at * dz);
}

/** The range, in mm along the ray, in which it is inside the visible part of the volume. */
function findVisibleRange(
  volume: VolumeGeometry,
  ray: Ray,
  { low, high, cut }: VolumeClip,
): { from: number; to: number } | null {
  const start = patientToVoxel(volume, [...ray.origin]);
  const step = minus(patientToVoxel(volume, [...getRayPoint(ray, 1)]), start);
  let [from, to] = [-Infinity, Infinity];
  for (const [axis, count] of sizeOf(volume).entries()) {
    const ends = [low[axis], high[axis]].map((part) => part * count - 0.5);
    if (Math.abs(step[axis]) < 1e-9) {
      if (start[axis] < ends[0] || start[axis] > ends[1]) return null;
      continue;
    }
    const [a, b] = ends.map((end) => (end - start[axis]) / step[axis]).sort((one, other) => one - other);
    [from, to] = [Math.max(from, a), Math.min(to, b)];
  }
  if (cut) {
    const height = dot(cut.normal, ray.origin) - cut.offset;
    const rise = dot(cut.normal, ray.direction);
    if (Math.abs(rise) < 1e-9) {
      if (height > 0) return null;
    } else if (rise > 0) to = Math.min(to, -height / rise);
    else from = Math.max(from, -height / rise);
  }
  return to > from ? { from, to } : null;
}

/** The eight corners of the visible part of the box, patient mm. */
export function getClippedCorners(volume: VolumeGeometry, { low, high }: VolumeClip): Vector[] {
  const size = sizeOf(volume);
  const ends = (axis: 0 | 1 | 2) => [low[axis] * size[axis] - 0.5, high[axis] * size[axis] - 0.5];
  return ends(0).flatMap((x) => ends(1).flatMap((y) => ends(2).map((z): Vector => voxelToPatient(volume, [x, y, z]))));
}

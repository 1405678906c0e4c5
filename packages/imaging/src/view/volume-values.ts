import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import type { LineProfile, ValueGrid } from "./grey-value-statistics.ts";
import { isAlignedWithVoxels, type Plane } from "./plane-view.ts";
import { distance, dot, minus, plus, times, type Vector } from "../geometry/vector.ts";
import { axesOf, cornersOf, sizeOf, findVoxel, type VolumeGeometry } from "../volume/volume-geometry.ts";

/** A volume's grey values as they were stored and rescaled, never of a texture. */
export interface VolumeValues {
  geometry: VolumeGeometry;
  /** Null if the voxel has not arrived. Called only for voxels of the grid. */
  value: (column: number, row: number, slice: number) => number | null;
}

/** The grey value at a patient point, linear between the eight voxel centres around it; null outside. Within the outer half voxel the nearest centres count. */
export function interpolateValue({ geometry, value }: VolumeValues, point: Vector): number | null {
  if (!findVoxel(geometry, point)) return null;
  const at = patientToVoxel(geometry, point);
  const size = sizeOf(geometry);
  const axis = (which: 0 | 1 | 2): [low: number, high: number, part: number] => {
    const held = Math.min(size[which] - 1, Math.max(0, at[which]));
    const low = Math.floor(held);
    return [low, Math.min(size[which] - 1, low + 1), held - low];
  };
  const [[x0, x1, px], [y0, y1, py], [z0, z1, pz]] = [axis(0), axis(1), axis(2)];
  let sum = 0;
  for (const [x, wx] of [
    [x0, 1 - px],
    [x1, px],
  ] as const)
    for (const [y, wy] of [
      [y0, 1 - py],
      [y1, py],
    ] as const)
      for (const [z, wz] of [
        [z0, 1 - pz],
        [z1, pz],
      ] as const) {
        const weight = wx * wy * wz;
        if (weight === 0) continue;
        const found = value(x, y, z);
        if (found === null) return null;
        sum += found * weight;
      }
  return sum;
}

/** A plane through a volume as rows and columns of grey values, and the positions of patient points in them. */
export interface PlaneGrid {
  grid: ValueGrid;
  toGrid: (point: Vector) => readonly [x: number, y: number];
}

/**
 * The plane through `point` along `right` and `down`. If it is aligned with the voxels these are its pixels, value for
 * value; an oblique plane is sampled at the finest spacing of the volume, linear between voxels.
 */
export function createPlaneGrid(values: VolumeValues, plane: Plane, point: Vector): PlaneGrid {
  const { geometry, value } = values;
  const across = getGridAxis(geometry, plane.right);
  const down = getGridAxis(geometry, plane.down);
  const depth = dot(point, plane.away);
  const getPixelPoint = (column: number, row: number): Vector =>
    plus(
      plus(times(plane.right, across.from + column * across.step), times(plane.down, down.from + row * down.step)),
      times(plane.away, depth),
    );
  const isVoxelAligned = isAlignedWithVoxels(geometry, plane) && across.isVoxelAligned && down.isVoxelAligned;
  const getStoredValue = (at: Vector): number | null => {
    const voxel = findVoxel(geometry, at);
    return voxel && value(...voxel);
  };
  return {
    grid: {
      columns: across.count,
      rows: down.count,
      spacing: { row: down.step, column: across.step },
      value: (column, row) => {
        const at = getPixelPoint(column, row);
        return isVoxelAligned ? getStoredValue(at) : interpolateValue(values, at);
      },
    },
    toGrid: (at) => [
      (dot(at, plane.right) - across.from) / across.step + 0.5,
      (dot(at, plane.down) - down.from) / down.step + 0.5,
    ],
  };
}

/** Grey values along a line in patient space, at steps of the finest spacing, linear between voxels. */
export function sampleVolumeProfile(values: VolumeValues, from: Vector, to: Vector): LineProfile {
  const length = distance(from, to);
  const steps = Math.min(4096, Math.max(1, Math.ceil(length / Math.min(...values.geometry.spacing))));
  const along = minus(to, from);
  return {
    values: Array.from({ length: steps + 1 }, (_, step) =>
      interpolateValue(values, plus(from, times(along, step / steps))),
    ),
    length: { value: length, unit: "mm" },
  };
}

/** The first pixel's middle along a direction, the distance between two and how many there are. */
function getGridAxis(
  geometry: VolumeGeometry,
  direction: Vector,
): { from: number; step: number; count: number; isVoxelAligned: boolean } {
  const axis = axesOf(geometry).findIndex((own) => Math.abs(dot(own, direction)) > 1 - 1e-6);
  const step = geometry.spacing[axis] ?? Math.min(...geometry.spacing);
  const ends = cornersOf(geometry).map((corner) => dot(corner, direction));
  const from = Math.min(...ends);
  return { from, step, count: Math.floor((Math.max(...ends) - from) / step + 1e-4) + 1, isVoxelAligned: axis >= 0 };
}

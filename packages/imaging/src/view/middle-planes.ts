import { patientToVoxel, voxelToPatient } from "../volume/space.ts";
import type { Volume } from "../volume/volume.ts";
import { valuesBetween } from "./values-between.ts";
import { planeNames, planes, type Plane, type PlaneName } from "./plane.ts";
import { dot, plus, times, type Vector } from "./vector.ts";
import { axesOf, cornersOf, middleVoxelOf, type VolumeGeometry } from "./volume-geometry.ts";

/**
 * The planes that a viewer begins with, each as a grid of one slice: its columns go right on the screen, its rows down.
 * As fine as the preview; along the volume's axes its points are the preview's.
 */
export function middleGrids(whole: VolumeGeometry, preview: VolumeGeometry): Record<PlaneName, VolumeGeometry> {
  const middle = middleVoxelOf(whole);
  return { axial: gridOf("axial"), coronal: gridOf("coronal"), sagittal: gridOf("sagittal") };

  function gridOf(name: PlaneName): VolumeGeometry {
    const { right, down, away } = planes[name];
    const [across, along] = [stretchOf(preview, right), stretchOf(preview, down)];
    return {
      columns: across.count,
      rows: along.count,
      slices: 1,
      spacing: [across.step, along.step, 1],
      origin: [...plus(plus(times(right, across.from), times(down, along.from)), times(away, dot(middle, away)))],
      direction: [...right, ...down, ...away],
    };
  }
}

/** The values of `middleGrids`, one plane after another, `[row][column]`: the preview's, between its voxels by straight lines. */
export function middlePlanes(whole: VolumeGeometry, { info, data }: Volume): Int16Array<ArrayBuffer> {
  const grids = middleGrids(whole, info);
  const values = new Int16Array(countOf(grids));
  const valueAt = valuesBetween(data, info);
  let at = 0;
  for (const name of planeNames) {
    const grid = grids[name];
    const start = patientToVoxel(info, grid.origin);
    const [across, down] = stepsOf(info, grid, planes[name]);
    for (let row = 0; row < grid.rows; row++)
      for (let column = 0; column < grid.columns; column++)
        values[at++] = valueAt(
          start[0] + column * across[0] + row * down[0],
          start[1] + column * across[1] + row * down[1],
          start[2] + column * across[2] + row * down[2],
        );
  }
  return values;
}

/** Returns the total number of values of the planes. */
export const countOf = (grids: Record<PlaneName, VolumeGeometry>): number =>
  planeNames.reduce((sum, name) => sum + grids[name].columns * grids[name].rows, 0);

function stretchOf(volume: VolumeGeometry, axis: Vector): { from: number; step: number; count: number } {
  const ends = cornersOf(volume).map((corner) => dot(corner, axis));
  const lie = axesOf(volume).map((own) => Math.abs(dot(own, axis)));
  const step = volume.spacing[lie.indexOf(Math.max(...lie))] ?? 1;
  const from = Math.min(...ends);
  return { from, step, count: Math.ceil((Math.max(...ends) - from) / step - 1e-4) + 1 };
}

/** Voxels of the volume for a step to the right and a step down. */
function stepsOf(volume: VolumeGeometry, grid: VolumeGeometry, { right, down }: Plane): [Vector, Vector] {
  const step = (axis: Vector, mm: number): Vector =>
    patientToVoxel(volume, plus(voxelToPatient(volume, [0, 0, 0]), times(axis, mm)));
  return [step(right, grid.spacing[0]), step(down, grid.spacing[1])];
}

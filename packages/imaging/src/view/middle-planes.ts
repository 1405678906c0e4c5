import { patientToVoxel, voxelToPatient } from "../volume/voxel-to-patient.ts";
import type { Volume } from "../volume/volume.ts";
import { createTrilinearSampler } from "../volume/trilinear-sampler.ts";
import { planeNames, anatomicalPlanes, type Plane, type PlaneName } from "./plane-view.ts";
import { dot, plus, times, type Vector } from "../geometry/vector.ts";
import { axesOf, cornersOf, getMiddleVoxelPoint, type VolumeGeometry } from "../volume/volume-geometry.ts";

/**
 * The planes that a viewer begins with, each as a grid of one slice: its columns go right on the screen, its rows down.
 * As fine as the preview; along the volume's axes its points are the preview's.
 */
export function createMiddlePlaneGrids(
  whole: VolumeGeometry,
  preview: VolumeGeometry,
): Record<PlaneName, VolumeGeometry> {
  const middle = getMiddleVoxelPoint(whole);
  return { axial: createGrid("axial"), coronal: createGrid("coronal"), sagittal: createGrid("sagittal") };

  function createGrid(name: PlaneName): VolumeGeometry {
    const { right, down, away } = anatomicalPlanes[name];
    const [across, along] = [getAxisSampling(preview, right), getAxisSampling(preview, down)];
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

/** The values of `createMiddlePlaneGrids`, one plane after another, `[row][column]`: the preview's, between its voxels by straight lines. */
export function sampleMiddlePlanes(whole: VolumeGeometry, { info, data }: Volume): Int16Array<ArrayBuffer> {
  const grids = createMiddlePlaneGrids(whole, info);
  const values = new Int16Array(countPlaneValues(grids));
  const valueAt = createTrilinearSampler(data, info);
  let at = 0;
  for (const name of planeNames) {
    const grid = grids[name];
    const start = patientToVoxel(info, grid.origin);
    const [across, down] = getVoxelSteps(info, grid, anatomicalPlanes[name]);
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
export const countPlaneValues = (grids: Record<PlaneName, VolumeGeometry>): number =>
  planeNames.reduce((sum, name) => sum + grids[name].columns * grids[name].rows, 0);

function getAxisSampling(volume: VolumeGeometry, axis: Vector): { from: number; step: number; count: number } {
  const ends = cornersOf(volume).map((corner) => dot(corner, axis));
  const lie = axesOf(volume).map((own) => Math.abs(dot(own, axis)));
  const step = volume.spacing[lie.indexOf(Math.max(...lie))] ?? 1;
  const from = Math.min(...ends);
  return { from, step, count: Math.ceil((Math.max(...ends) - from) / step - 1e-4) + 1 };
}

/** Voxels of the volume for a step to the right and a step down. */
function getVoxelSteps(volume: VolumeGeometry, grid: VolumeGeometry, { right, down }: Plane): [Vector, Vector] {
  const step = (axis: Vector, mm: number): Vector =>
    patientToVoxel(volume, plus(voxelToPatient(volume, [0, 0, 0]), times(axis, mm)));
  return [step(right, grid.spacing[0]), step(down, grid.spacing[1])];
}

import {
  getSliceDepth,
  planeNames,
  getSliceIndex,
  snapToSlices,
  getSliceStack,
  moveToDepth as movePointToDepth,
  type PlaneName,
} from "@arcada/imaging/view/plane-view";
import { defaultPlanes, type PlaneSet } from "@arcada/imaging/view/oblique-planes";
import { dot, type Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { voxelToPatient } from "@arcada/imaging/volume/voxel-to-patient";
import type { JointSide } from "../../ct-core/viewport-layouts.ts";

/** The point in which three linked planes meet, and their rotation. */
export interface CameraPose {
  crosshair: Vector;
  planes: PlaneSet;
}

export const createCameraPose = (crosshair: Vector): CameraPose => ({ crosshair, planes: defaultPlanes });

/** The approximate place of a side's joint in a field of view that contains it. */
export function guessJointPosition({ columns, rows, slices, ...volume }: VolumeGeometry, side: JointSide): Vector {
  const at = (across: number): Vector =>
    voxelToPatient(volume, [(columns - 1) * across, (rows - 1) * 0.68, (slices - 1) * 0.8]);
  // Only the direction of the volume shows which end of the columns is the patient's left.
  const [one, other] = [at(0.235), at(0.765)];
  return one[0] > other[0] === (side === "left") ? one : other;
}

export const moveToPoint = (volume: VolumeGeometry, cameraPose: CameraPose, point: Vector): CameraPose => ({
  ...cameraPose,
  crosshair: snapToSlices(
    volume,
    planeNames.map((name) => cameraPose.planes[name]),
    point,
  ),
});

export const moveToDepth = (cameraPose: CameraPose, name: PlaneName, depth: number): CameraPose => ({
  ...cameraPose,
  crosshair: movePointToDepth(cameraPose.planes[name], cameraPose.crosshair, depth),
});

/** Moves by so many slices along a plane, within the volume. */
export function stepSlices(volume: VolumeGeometry, cameraPose: CameraPose, name: PlaneName, steps: number): CameraPose {
  const plane = cameraPose.planes[name];
  const stack = getSliceStack(volume, plane);
  const slice = getSliceIndex(stack, dot(cameraPose.crosshair, plane.away)) + steps;
  return moveToDepth(cameraPose, name, getSliceDepth(stack, Math.min(stack.count - 1, Math.max(0, slice))));
}

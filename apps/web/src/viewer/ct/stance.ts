import { depthOf, planeNames, sliceAt, snapped, stackOf, withDepth, type PlaneName } from "@arcada/imaging/view/plane";
import { straightPlanes, type Planes } from "@arcada/imaging/view/turned-planes";
import { dot, type Vector } from "@arcada/imaging/view/vector";
import type { VolumeGeometry } from "@arcada/imaging/view/volume-geometry";
import { voxelToPatient } from "@arcada/imaging/volume/space";
import type { Side } from "./layout/layouts.ts";

/** The point in which three linked planes meet, and their rotation. */
export interface Stance {
  cross: Vector;
  planes: Planes;
}

export const firstStance = (cross: Vector): Stance => ({ cross, planes: straightPlanes });

/** The approximate place of a side's joint in a field of view that contains it. */
export function jointGuess({ columns, rows, slices, ...volume }: VolumeGeometry, side: Side): Vector {
  const at = (across: number): Vector =>
    voxelToPatient(volume, [(columns - 1) * across, (rows - 1) * 0.68, (slices - 1) * 0.8]);
  // Only the direction of the volume tells which end of the columns is the patient's left.
  const [one, other] = [at(0.235), at(0.765)];
  return one[0] > other[0] === (side === "left") ? one : other;
}

export const movedTo = (volume: VolumeGeometry, stance: Stance, point: Vector): Stance => ({
  ...stance,
  cross: snapped(
    volume,
    planeNames.map((name) => stance.planes[name]),
    point,
  ),
});

export const atDepth = (stance: Stance, name: PlaneName, depth: number): Stance => ({
  ...stance,
  cross: withDepth(stance.planes[name], stance.cross, depth),
});

/** Moves by so many slices along a plane, within the volume. */
export function stepped(volume: VolumeGeometry, stance: Stance, name: PlaneName, steps: number): Stance {
  const plane = stance.planes[name];
  const stack = stackOf(volume, plane);
  const slice = sliceAt(stack, dot(stance.cross, plane.away)) + steps;
  return atDepth(stance, name, depthOf(stack, Math.min(stack.count - 1, Math.max(0, slice))));
}

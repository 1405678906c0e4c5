import { cross, dot, minus, times, unit, type Vector } from "./vector.ts";

/** The patient's own directions in a scene: unit vectors, square to each other. */
export interface PatientFrame {
  left: Vector;
  back: Vector;
  /** To the head. */
  up: Vector;
}

export type Jaw = "upper" | "lower";

/** Patient space itself (DICOM LPS). */
export const patientSpace: PatientFrame = { left: [1, 0, 0], back: [0, 1, 0], up: [0, 0, 1] };

/** A frame from the head's direction and the back's, which need not be quite square. Left, back and up are right-handed, as L, P and S are. */
export function frameFrom(up: Vector, back: Vector): PatientFrame {
  const upright = unit(up);
  const behind = unit(minus(back, times(upright, dot(back, upright))));
  return { left: cross(behind, upright), back: behind, up: upright };
}

/** Turned about the line from front to back: left and right change places, too. */
export const upsideDown = ({ left, back, up }: PatientFrame): PatientFrame => ({
  left: times(left, -1),
  back,
  up: times(up, -1),
});

/** Turned about the upright: left and right change places, too. */
export const frontToBack = ({ left, back, up }: PatientFrame): PatientFrame => ({
  left: times(left, -1),
  back: times(back, -1),
  up,
});

/** A direction of the scene in patient space (DICOM LPS). */
export const inPatient = ({ left, back, up }: PatientFrame, direction: Vector): Vector => [
  dot(direction, left),
  dot(direction, back),
  dot(direction, up),
];

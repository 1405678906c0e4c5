import { cross, dot, minus, times, normalize, type Vector } from "./vector.ts";

/** The patient's own directions in a scene: unit vectors, square to each other. */
export interface PatientFrame {
  left: Vector;
  back: Vector;
  /** To the head. */
  up: Vector;
}

export type Jaw = "upper" | "lower";

/** Patient space itself (DICOM LPS). */
export const lpsFrame: PatientFrame = { left: [1, 0, 0], back: [0, 1, 0], up: [0, 0, 1] };

/** A frame from the head's direction and the back's, which need not be quite square. Left, back and up are right-handed, as L, P and S are. */
export function createPatientFrame(up: Vector, back: Vector): PatientFrame {
  const upright = normalize(up);
  const behind = normalize(minus(back, times(upright, dot(back, upright))));
  return { left: cross(behind, upright), back: behind, up: upright };
}

/** Rotates the frame about the line from front to back: left and right are swapped, too. */
export const rotateUpsideDown = ({ left, back, up }: PatientFrame): PatientFrame => ({
  left: times(left, -1),
  back,
  up: times(up, -1),
});

/** Rotates the frame about the upright: left and right are swapped, too. */
export const rotateFrontToBack = ({ left, back, up }: PatientFrame): PatientFrame => ({
  left: times(left, -1),
  back: times(back, -1),
  up,
});

/** A direction of the scene in patient space (DICOM LPS). */
export const toPatientDirection = ({ left, back, up }: PatientFrame, direction: Vector): Vector => [
  dot(direction, left),
  dot(direction, back),
  dot(direction, up),
];

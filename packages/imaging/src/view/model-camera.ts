import type { Point2D } from "./measure-lengths-angles.ts";
import type { PatientFrame } from "../geometry/patient-frame.ts";
import type { Size } from "./image-view.ts";
import { cross, dot, minus, plus, rotateVector, times, normalize, type Vector } from "../geometry/vector.ts";

/**
 * The camera of a model. Without perspective, a millimetre has the same length in front as behind; with perspective,
 * the model is seen as from an arm's length.
 */
export interface ModelCamera {
  /** Unit vectors on the screen and towards the eye. */
  right: Vector;
  up: Vector;
  eye: Vector;
  /** The point in the middle of the viewport, mm. */
  target: Vector;
  /** CSS pixels per mm; with perspective at the target. */
  scale: number;
  hasPerspective: boolean;
}

/** mm from the eye to the target, with perspective: zooming narrows the view, so that the eye never enters a model. */
export const eyeDistance = 250;

/** The box around all models, mm. */
export interface BoundingBox {
  min: Vector;
  max: Vector;
}

export const cameraViewNames = ["front", "left", "right", "upper", "lower", "back"] as const;
export type CameraViewName = (typeof cameraViewNames)[number];

/**
 * The camera of a named view that shows the whole box. As seen when facing the patient: their left is on the right of
 * the screen.
 */
export function createViewCamera(
  name: CameraViewName,
  { left, back, up }: PatientFrame,
  box: BoundingBox,
  viewport: Size,
): ModelCamera {
  const orientation = {
    front: { right: left, up, eye: times(back, -1) },
    left: { right: back, up, eye: left },
    right: { right: times(back, -1), up, eye: times(left, -1) },
    upper: { right: left, up: times(back, -1), eye: times(up, -1) },
    lower: { right: left, up: back, eye: up },
    back: { right: times(left, -1), up, eye: back },
  }[name];
  return fitCamera({ ...orientation, target: getBoxCentre(box), scale: 1, hasPerspective: false }, box, viewport);
}

/** The whole box, as large as the viewport allows from this side. */
export function fitCamera(camera: ModelCamera, { min, max }: BoundingBox, viewport: Size): ModelCamera {
  const size = minus(max, min);
  const along = (axis: Vector) => axis.reduce((sum, part, at) => sum + Math.abs(part) * (size[at] ?? 0), 0) || 1;
  const scale = 0.88 * Math.min(viewport.width / along(camera.right), viewport.height / along(camera.up));
  return { ...camera, target: getBoxCentre({ min, max }), scale };
}

const getBoxCentre = ({ min, max }: BoundingBox): Vector => times(plus(min, max), 0.5);

export const projectToScreen = (camera: ModelCamera, viewport: Size, point: Vector): Point2D => {
  const { right, up, eye, target, scale, hasPerspective } = camera;
  const from = minus(point, target);
  const perspectiveScale = hasPerspective ? eyeDistance / Math.max(1, eyeDistance - dot(from, eye)) : 1;
  return [
    viewport.width / 2 + dot(from, right) * scale * perspectiveScale,
    viewport.height / 2 - dot(from, up) * scale * perspectiveScale,
  ];
};

/**
 * The line of sight through a point of the viewport, from `far` mm before the target or, with perspective, from the
 * eye.
 */
export function castViewRay(
  camera: ModelCamera,
  viewport: Size,
  at: Point2D,
  far: number,
): { origin: Vector; direction: Vector } {
  const { right, up, eye, target, scale, hasPerspective } = camera;
  const across = (at[0] - viewport.width / 2) / scale;
  const above = (viewport.height / 2 - at[1]) / scale;
  const point = plus(plus(target, times(right, across)), times(up, above));
  if (!hasPerspective) return { origin: plus(point, times(eye, far)), direction: times(eye, -1) };
  const origin = plus(target, times(eye, eyeDistance));
  return { origin, direction: normalize(minus(point, origin)) };
}

/** The direction from a point towards the eye. */
export const getDirectionToEye = ({ eye, target, hasPerspective }: ModelCamera, point: Vector): Vector =>
  hasPerspective ? normalize(minus(plus(target, times(eye, eyeDistance)), point)) : eye;

/** Rotates the model as the pointer moves over it, by CSS pixels; half the viewport is a quarter turn. */
export function orbitCamera(camera: ModelCamera, [x, y]: Point2D, viewport: Size): ModelCamera {
  const perPixel = Math.PI / Math.min(viewport.width, viewport.height);
  const turn = (axis: Vector, angle: number) => (vector: Vector) => rotateVector(vector, axis, angle);
  const about = turn(camera.up, -x * perPixel);
  const right = about(camera.right);
  const tilt = turn(right, -y * perPixel);
  return orthonormalize({ ...camera, right, up: tilt(camera.up), eye: tilt(about(camera.eye)) });
}

export const rollCamera = (camera: ModelCamera, angle: number): ModelCamera =>
  orthonormalize({
    ...camera,
    right: rotateVector(camera.right, camera.eye, angle),
    up: rotateVector(camera.up, camera.eye, angle),
  });

/** Turns the camera towards a point from the given direction, as upright as before. */
export const aimCamera = (camera: ModelCamera, point: Vector, direction: Vector): ModelCamera => {
  const eye = normalize(direction);
  // Straight from above or below, the right direction stays.
  const up = Math.abs(dot(camera.up, eye)) > 0.95 ? cross(eye, camera.right) : camera.up;
  return orthonormalize({ ...camera, target: point, eye, up });
};

/** A camera between two others, `part` from 0 to 1; an opposite direction is reached over the side. */
export function interpolateCameras(from: ModelCamera, to: ModelCamera, part: number): ModelCamera {
  const mix = (a: Vector, b: Vector): Vector => plus(times(a, 1 - part), times(b, part));
  const isBehind = dot(from.eye, to.eye) < -0.999;
  const eye = normalize(
    isBehind ? plus(mix(from.eye, to.eye), times(from.right, part * (1 - part))) : mix(from.eye, to.eye),
  );
  const up = mix(from.up, to.up);
  return orthonormalize({
    ...to,
    target: mix(from.target, to.target),
    scale: from.scale * (to.scale / from.scale) ** part,
    eye,
    up: Math.abs(dot(normalize(up), eye)) > 0.99 || dot(up, up) < 1e-6 ? cross(eye, from.right) : up,
  });
}

export const panCamera = (camera: ModelCamera, [x, y]: Point2D): ModelCamera => ({
  ...camera,
  target: plus(camera.target, plus(times(camera.right, -x / camera.scale), times(camera.up, y / camera.scale))),
});

/** Zooms so that the content under the viewport's point stays there. */
export function zoomCamera(camera: ModelCamera, viewport: Size, at: Point2D, factor: number): ModelCamera {
  const scale = Math.min(2000, Math.max(0.5, camera.scale * factor));
  const shift = 1 / camera.scale - 1 / scale;
  const [x, y] = [(at[0] - viewport.width / 2) * shift, (viewport.height / 2 - at[1]) * shift];
  return { ...camera, scale, target: plus(camera.target, plus(times(camera.right, x), times(camera.up, y))) };
}

/** Many small turns add up rounding: the three directions are made square again. */
function orthonormalize(camera: ModelCamera): ModelCamera {
  const eye = normalize(camera.eye);
  const right = normalize(cross(camera.up, eye));
  return { ...camera, right, eye, up: cross(eye, right) };
}

import type { Spot } from "./measure.ts";
import type { PatientFrame } from "./patient-frame.ts";
import type { Size } from "./picture-view.ts";
import { cross, dot, minus, plus, rotated, times, unit, type Vector } from "./vector.ts";

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
export interface Box {
  min: Vector;
  max: Vector;
}

export const viewNames = ["front", "left", "right", "upper", "lower", "back"] as const;
export type ViewName = (typeof viewNames)[number];

/**
 * The camera of a named view that shows the whole box. As seen when facing the patient: their left is on the right of
 * the screen.
 */
export function viewCamera(name: ViewName, { left, back, up }: PatientFrame, box: Box, pane: Size): ModelCamera {
  const turned = {
    front: { right: left, up, eye: times(back, -1) },
    left: { right: back, up, eye: left },
    right: { right: times(back, -1), up, eye: times(left, -1) },
    upper: { right: left, up: times(back, -1), eye: times(up, -1) },
    lower: { right: left, up: back, eye: up },
    back: { right: times(left, -1), up, eye: back },
  }[name];
  return fittedModel({ ...turned, target: middleOf(box), scale: 1, hasPerspective: false }, box, pane);
}

/** The whole box, as large as the viewport allows from this side. */
export function fittedModel(camera: ModelCamera, { min, max }: Box, pane: Size): ModelCamera {
  const size = minus(max, min);
  const along = (axis: Vector) => axis.reduce((sum, part, at) => sum + Math.abs(part) * (size[at] ?? 0), 0) || 1;
  const scale = 0.88 * Math.min(pane.width / along(camera.right), pane.height / along(camera.up));
  return { ...camera, target: middleOf({ min, max }), scale };
}

const middleOf = ({ min, max }: Box): Vector => times(plus(min, max), 0.5);

export const toScreen = (camera: ModelCamera, pane: Size, point: Vector): Spot => {
  const { right, up, eye, target, scale, hasPerspective } = camera;
  const from = minus(point, target);
  const nearer = hasPerspective ? eyeDistance / Math.max(1, eyeDistance - dot(from, eye)) : 1;
  return [pane.width / 2 + dot(from, right) * scale * nearer, pane.height / 2 - dot(from, up) * scale * nearer];
};

/**
 * The line of sight through a point of the viewport, from `far` mm before the target or, with perspective, from the
 * eye.
 */
export function sightOf(camera: ModelCamera, pane: Size, at: Spot, far: number): { origin: Vector; direction: Vector } {
  const { right, up, eye, target, scale, hasPerspective } = camera;
  const across = (at[0] - pane.width / 2) / scale;
  const above = (pane.height / 2 - at[1]) / scale;
  const point = plus(plus(target, times(right, across)), times(up, above));
  if (!hasPerspective) return { origin: plus(point, times(eye, far)), direction: times(eye, -1) };
  const origin = plus(target, times(eye, eyeDistance));
  return { origin, direction: unit(minus(point, origin)) };
}

/** The direction from a point towards the eye. */
export const towardsEye = ({ eye, target, hasPerspective }: ModelCamera, point: Vector): Vector =>
  hasPerspective ? unit(minus(plus(target, times(eye, eyeDistance)), point)) : eye;

/** Rotates the model as the pointer moves over it, by CSS pixels; half the viewport is a quarter turn. */
export function orbited(camera: ModelCamera, [x, y]: Spot, pane: Size): ModelCamera {
  const perPixel = Math.PI / Math.min(pane.width, pane.height);
  const turn = (axis: Vector, angle: number) => (vector: Vector) => rotated(vector, axis, angle);
  const about = turn(camera.up, -x * perPixel);
  const right = about(camera.right);
  const tilt = turn(right, -y * perPixel);
  return straightened({ ...camera, right, up: tilt(camera.up), eye: tilt(about(camera.eye)) });
}

export const rolled = (camera: ModelCamera, angle: number): ModelCamera =>
  straightened({
    ...camera,
    right: rotated(camera.right, camera.eye, angle),
    up: rotated(camera.up, camera.eye, angle),
  });

/** Looks at a place from the given direction, as upright as before. */
export const facing = (camera: ModelCamera, point: Vector, direction: Vector): ModelCamera => {
  const eye = unit(direction);
  // Straight from above or below, the right direction stays.
  const up = Math.abs(dot(camera.up, eye)) > 0.95 ? cross(eye, camera.right) : camera.up;
  return straightened({ ...camera, target: point, eye, up });
};

/** A camera between two others, `part` from 0 to 1; an opposite direction is reached over the side. */
export function between(from: ModelCamera, to: ModelCamera, part: number): ModelCamera {
  const mix = (a: Vector, b: Vector): Vector => plus(times(a, 1 - part), times(b, part));
  const isBehind = dot(from.eye, to.eye) < -0.999;
  const eye = unit(
    isBehind ? plus(mix(from.eye, to.eye), times(from.right, part * (1 - part))) : mix(from.eye, to.eye),
  );
  const up = mix(from.up, to.up);
  return straightened({
    ...to,
    target: mix(from.target, to.target),
    scale: from.scale * (to.scale / from.scale) ** part,
    eye,
    up: Math.abs(dot(unit(up), eye)) > 0.99 || dot(up, up) < 1e-6 ? cross(eye, from.right) : up,
  });
}

export const movedModel = (camera: ModelCamera, [x, y]: Spot): ModelCamera => ({
  ...camera,
  target: plus(camera.target, plus(times(camera.right, -x / camera.scale), times(camera.up, y / camera.scale))),
});

/** Zooms so that the content under the viewport's point stays there. */
export function zoomedModel(camera: ModelCamera, pane: Size, at: Spot, factor: number): ModelCamera {
  const scale = Math.min(2000, Math.max(0.5, camera.scale * factor));
  const shift = 1 / camera.scale - 1 / scale;
  const [x, y] = [(at[0] - pane.width / 2) * shift, (pane.height / 2 - at[1]) * shift];
  return { ...camera, scale, target: plus(camera.target, plus(times(camera.right, x), times(camera.up, y))) };
}

/** Many small turns add up rounding: the three directions are made square again. */
function straightened(camera: ModelCamera): ModelCamera {
  const eye = unit(camera.eye);
  const right = unit(cross(camera.up, eye));
  return { ...camera, right, eye, up: cross(eye, right) };
}

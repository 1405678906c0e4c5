import type { Frame } from "../mesh/frame.ts";
import type { Spot } from "./measure.ts";
import type { Size } from "./picture-view.ts";
import { cross, dot, lengthOf, minus, plus, times, type Vector } from "./vector.ts";

/** How a model is looked at, without perspective: a millimetre is as long in front as behind. */
export interface ModelCamera {
  /** Unit vectors on the screen and towards the eye. */
  right: Vector;
  up: Vector;
  eye: Vector;
  /** The point in the middle of the pane, mm. */
  target: Vector;
  /** CSS pixels per mm. */
  scale: number;
}

/** The box around all models, mm. */
export interface Box {
  min: Vector;
  max: Vector;
}

export const viewNames = ["front", "left", "right", "upper", "lower"] as const;
export type ViewName = (typeof viewNames)[number];
export type Jaw = "upper" | "lower";

/** The camera of a named view that shows the whole box. The patient is looked at: their left is on the right of the screen. */
export function viewCamera(name: ViewName, frame: Frame, jaw: Jaw | null, box: Box, pane: Size): ModelCamera {
  const { back } = frame;
  const isUpper = jaw ? jaw === "upper" : frame.upper;
  const up = isUpper ? times(frame.crown, -1) : frame.crown;
  // Left, back and up are a right-handed triple, as L, P and S are.
  const left = cross(back, up);
  const turned = {
    front: { right: left, up, eye: times(back, -1) },
    left: { right: back, up, eye: left },
    right: { right: times(back, -1), up, eye: times(left, -1) },
    upper: { right: left, up: times(back, -1), eye: times(up, -1) },
    lower: { right: left, up: back, eye: up },
  }[name];
  return fittedModel({ ...turned, target: middleOf(box), scale: 1 }, box, pane);
}

/** The whole box, as large as the pane allows from this side. */
export function fittedModel(camera: ModelCamera, { min, max }: Box, pane: Size): ModelCamera {
  const size = minus(max, min);
  const along = (axis: Vector) => axis.reduce((sum, part, at) => sum + Math.abs(part) * (size[at] ?? 0), 0) || 1;
  const scale = 0.88 * Math.min(pane.width / along(camera.right), pane.height / along(camera.up));
  return { ...camera, target: middleOf({ min, max }), scale };
}

const middleOf = ({ min, max }: Box): Vector => times(plus(min, max), 0.5);

export const toScreen = ({ right, up, target, scale }: ModelCamera, pane: Size, point: Vector): Spot => {
  const from = minus(point, target);
  return [pane.width / 2 + dot(from, right) * scale, pane.height / 2 - dot(from, up) * scale];
};

/** The line of sight through a point of the pane: it starts `far` mm before the target and runs against `eye`. */
export function sightOf(
  { right, up, eye, target, scale }: ModelCamera,
  pane: Size,
  at: Spot,
  far: number,
): { origin: Vector; direction: Vector } {
  const across = (at[0] - pane.width / 2) / scale;
  const above = (pane.height / 2 - at[1]) / scale;
  const point = plus(plus(target, times(right, across)), times(up, above));
  return { origin: plus(point, times(eye, far)), direction: times(eye, -1) };
}

/** Turns the model as the hand moves over it, by CSS pixels; half the pane is a quarter turn. */
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

export const movedModel = (camera: ModelCamera, [x, y]: Spot): ModelCamera => ({
  ...camera,
  target: plus(camera.target, plus(times(camera.right, -x / camera.scale), times(camera.up, y / camera.scale))),
});

/** Zooms so that what lies under the pane's point stays there. */
export function zoomedModel(camera: ModelCamera, pane: Size, at: Spot, factor: number): ModelCamera {
  const scale = Math.min(2000, Math.max(0.5, camera.scale * factor));
  const shift = 1 / camera.scale - 1 / scale;
  const [x, y] = [(at[0] - pane.width / 2) * shift, (pane.height / 2 - at[1]) * shift];
  return { ...camera, scale, target: plus(camera.target, plus(times(camera.right, x), times(camera.up, y))) };
}

// Rodrigues' formula.
function rotated(vector: Vector, axis: Vector, angle: number): Vector {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return plus(plus(times(vector, cos), times(cross(axis, vector), sin)), times(axis, dot(axis, vector) * (1 - cos)));
}

/** Many small turns add up rounding: the three directions are made square again. */
function straightened(camera: ModelCamera): ModelCamera {
  const eye = unit(camera.eye);
  const right = unit(cross(camera.up, eye));
  return { ...camera, right, eye, up: cross(eye, right) };
}

const unit = (vector: Vector): Vector => times(vector, 1 / (lengthOf(vector) || 1));

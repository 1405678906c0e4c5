import type { Point } from "../ceph/plane-geometry.ts";
import { modeCount, type ContourPoint, type ShapePoint } from "./head-shape.ts";

/** The head in an image: x, y of the middle between the ears in pixels, pixels for a mm, rotation, side and build. */
export interface HeadPlacement {
  x: number;
  y: number;
  scale: number;
  /** Radians clockwise on the image. */
  angle: number;
  /** 1: before the rotation the face looks to the right. */
  side: 1 | -1;
  /** 1: dense is bright. */
  tone: 1 | -1;
  /** Standard deviations of each mode. */
  build: readonly number[];
}

export const meanBuild: readonly number[] = Array.from({ length: modeCount }, () => 0);

/** The point of the head before rotation, in mm, mirrored if the face looks to the left. */
export function shapePoint({ side, build }: HeadPlacement, { at, modes }: ShapePoint): Point {
  let [x, y] = at;
  for (let mode = 0; mode < modes.length; mode++) {
    x += build[mode]! * modes[mode]![0];
    y += build[mode]! * modes[mode]![1];
  }
  return [side * x, y];
}

/** The point of the head in pixels of the image. */
export function placePoint(placement: HeadPlacement, point: ShapePoint): Point {
  const [x, y] = shapePoint(placement, point);
  const [cos, sin] = [Math.cos(placement.angle) * placement.scale, Math.sin(placement.angle) * placement.scale];
  return [placement.x + cos * x - sin * y, placement.y + sin * x + cos * y];
}

/** Across the contour, to its darker side, in the image. */
export function normalOf(placement: HeadPlacement, { before, after, brightSide }: ContourPoint): Point {
  const [[ax, ay], [bx, by]] = [placePoint(placement, before), placePoint(placement, after)];
  const size = Math.hypot(bx - ax, by - ay) * (brightSide === "left" ? -1 : 1) * placement.side || 1;
  return [(by - ay) / size, -(bx - ax) / size];
}

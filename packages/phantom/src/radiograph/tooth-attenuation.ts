import type { Point } from "@arcada/imaging/mesh/mesh";
import type { HeadTooth } from "../anatomy/head.ts";
import { applyPatch, computePatch, type Box, type Plate } from "./plate.ts";
import { clamp, smoothStep } from "../math/shape-functions.ts";
import { getToothMaterial, distanceToToothOrImplant, type ToothMaterial } from "../anatomy/tooth-material.ts";

/** The attenuation by 1 mm of each material; 10 mm of spongy bone attenuate by about 0.2. */
const attenuationPerMm: Record<ToothMaterial, number> = {
  nothing: 0,
  pulp: 0.018,
  dentine: 0.048,
  enamel: 0.07,
  filling: 0.28,
  metal: 0.42,
  ceramic: 0.11,
  titanium: 0.2,
  rootFilling: 0.17,
};

/**
 * The projection of a tooth: directions of the image's x, y and of the ray in the head, mm of the detector for 1 mm,
 * the place of the neck.
 */
export type ToothProjection = {
  right: Point;
  up: Point;
  ray: Point;
  enlarged: number;
  at: readonly [number, number];
  /** Thickness of the bone around the roots, 0 if the image shows none. */ bone: number;
};

/**
 * Draws a tooth: attenuation is summed along the ray; roots replace bone and are surrounded by the ligament and the
 * socket's wall.
 */
export function addToothAttenuation(
  plate: Plate,
  tooth: HeadTooth,
  projection: ToothProjection,
  spacing: number,
): void {
  if (tooth.state === "missing") return;
  const { axes, shape } = tooth;
  const across = toToothAxes(projection.right, axes);
  const upward = toToothAxes(projection.up, axes);
  const along = toToothAxes(projection.ray, axes);
  const reach = Math.hypot(shape.width, shape.depth) / 2 + 2;
  const box = getShadowBox(tooth, projection, reach);
  const covers: number[] = [];
  const shadow = computePatch(box, spacing, (x, y, at) => {
    const [dx, dy] = [(x - projection.at[0]) / projection.enlarged, (y - projection.at[1]) / projection.enlarged];
    const start = [0, 1, 2].map((axis) => dx * across[axis] + dy * upward[axis]);
    const { sum, inside, nearest } = castRay(tooth, start, along, reach);
    const rooted = projection.bone > 0 ? smoothStep(0.2, -1.6, start[2]) : 0;
    covers[at] = rooted > 0 ? rooted * 0.8 * clamp((1.1 * inside) / projection.bone, 0, 1) : 0;
    return sum + (tooth.state === "implant" ? 0 : rooted * getSocketAttenuation(nearest));
  });
  applyPatch(plate, { ...shadow, values: Float32Array.from(covers) }, (old, cover) => old * (1 - cover));
  applyPatch(plate, shadow, (old, own) => old + own);
}

/** mm between two samples along the ray */
const stride = 0.5;

/**
 * Follows one ray: returns the total attenuation, the mm inside the tooth, and the nearest distance of the ray from it
 * (negative inside).
 */
function castRay({ shape, state }: HeadTooth, start: readonly number[], along: Point, reach: number) {
  let [sum, inside, nearest] = [0, 0, 9];
  for (let q = -reach; q <= reach;) {
    const [m, b, h] = [start[0] + q * along[0], start[1] + q * along[1], start[2] + q * along[2]];
    const distance = distanceToToothOrImplant(shape, state, m, b, h);
    if (distance < nearest) nearest = distance;
    // Far outside, the ray cannot meet the tooth within less than the distance.
    if (distance > 1) {
      q += Math.max(stride, distance * 0.7);
      continue;
    }
    q += stride;
    const share = clamp(0.5 - distance / stride, 0, 1);
    if (share === 0) continue;
    sum += stride * share * attenuationPerMm[getToothMaterial(shape, state, Math.min(distance, -1e-3), m, b, h)];
    inside += stride * share;
  }
  return { sum, inside, nearest };
}

function getShadowBox(tooth: HeadTooth, projection: ToothProjection, reach: number): Box {
  const ends = [-tooth.shape.root - 2, tooth.shape.crown + 1].map((h) =>
    [projection.right, projection.up].map((axis) => h * dot(axis, tooth.axes.crown)),
  );
  const [x, y] = [0, 1].map((i) => ends.map((end) => end[i]));
  const place = (value: number, axis: 0 | 1): number => projection.at[axis] + value * projection.enlarged;
  return {
    left: place(Math.min(...x) - reach, 0),
    right: place(Math.max(...x) + reach, 0),
    bottom: place(Math.min(...y) - reach * 0.7, 1),
    top: place(Math.max(...y) + reach * 0.7, 1),
  };
}

/** Returns the attenuation of the ligament and the socket's wall, where the root is in bone. */
function getSocketAttenuation(distance: number): number {
  if (distance <= 0 || distance > 1.2) return 0;
  return (
    0.06 * clamp(1 - Math.abs(distance - 0.62) / 0.35, 0, 1) - 0.05 * clamp(1 - Math.abs(distance - 0.18) / 0.22, 0, 1)
  );
}

/** A direction of the head in the tooth's own m, b and h. */
const toToothAxes = (direction: Point, axes: HeadTooth["axes"]): Point => [
  dot(direction, axes.mesial),
  dot(direction, axes.buccal),
  dot(direction, axes.crown),
];

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

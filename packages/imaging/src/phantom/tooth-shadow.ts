import type { Point } from "../mesh/mesh.ts";
import type { HeadTooth } from "./head.ts";
import { addPatch, type Box, type Plate } from "./plate.ts";
import { clamp } from "./shaping.ts";
import { matterAt, placeDistance, type Matter } from "./tooth-matter.ts";

/** How much each matter stops in 1 mm, against bone's 0.018 (its spongy mean). */
const stops: Record<Matter, number> = {
  nothing: 0, pulp: 0.012, dentine: 0.036, enamel: 0.066, filling: 0.28, metal: 0.42, ceramic: 0.11, titanium: 0.2, rootFilling: 0.2,
};
const bone = 0.018;

/** How a tooth is seen: directions of the picture's x, y and of the ray in the head, mm of the detector for 1 mm, the neck's place. */
export type Sight = { right: Point; up: Point; ray: Point; enlarged: number; at: readonly [number, number]; /** Roots stand in bone. */ inBone: boolean };

/** Adds a tooth to the picture: what stands in the ray's way, summed, with the dark ligament and the bright socket wall. */
export function addTooth(plate: Plate, tooth: HeadTooth, sight: Sight, step: number): void {
  if (tooth.state === "missing") return;
  const { shape, axes, state } = tooth;
  const across = axesIn(sight.right, axes);
  const upward = axesIn(sight.up, axes);
  const along = axesIn(sight.ray, axes);
  const reach = Math.hypot(shape.width, shape.depth) / 2 + 2;
  const ray = 0.4;
  addPatch(plate, boxOf(tooth, sight, reach), step, (x, y) => {
    const [dx, dy] = [(x - sight.at[0]) / sight.enlarged, (y - sight.at[1]) / sight.enlarged];
    const m0 = dx * across[0] + dy * upward[0];
    const b0 = dx * across[1] + dy * upward[1];
    const h0 = dx * across[2] + dy * upward[2];
    let sum = 0;
    let nearest = 9;
    for (let q = -reach; q <= reach; ) {
      const [m, b, h] = [m0 + q * along[0], b0 + q * along[1], h0 + q * along[2]];
      const distance = placeDistance(shape, state, m, b, h);
      if (distance < nearest) nearest = distance;
      // Far outside nothing can begin sooner than the distance says.
      if (distance > 2) {
        q += distance * 0.6;
        continue;
      }
      q += ray;
      if (distance > 0) continue;
      const own = stops[matterAt(shape, state, Math.min(distance, -1e-3), m, b, h)];
      sum += ray * clamp(0.5 - distance / ray, 0.5, 1) * (own - (h < -1.5 && sight.inBone ? bone : 0));
    }
    return sum + (state !== "implant" && sight.inBone ? socket(nearest, h0) : 0);
  });
}

function boxOf(tooth: HeadTooth, sight: Sight, reach: number): Box {
  const ends = [-tooth.shape.root - 2, tooth.shape.crown + 1].map((h) => [sight.right, sight.up].map((axis) => h * dot(axis, tooth.axes.crown)));
  const [x, y] = [0, 1].map((i) => ends.map((end) => end[i]));
  const place = (value: number, axis: 0 | 1): number => sight.at[axis] + value * sight.enlarged;
  return {
    left: place(Math.min(...x) - reach, 0),
    right: place(Math.max(...x) + reach, 0),
    bottom: place(Math.min(...y) - reach * 0.7, 1),
    top: place(Math.max(...y) + reach * 0.7, 1),
  };
}

/** Ligament and wall of the socket, where the root stands in bone. */
function socket(distance: number, h: number): number {
  if (distance <= 0 || distance > 1.2 || h > -1.2) return 0;
  const fade = clamp((-1.2 - h) / 1.5, 0, 1);
  return fade * (distance < 0.35 ? -0.045 : 0.05 * clamp(1 - Math.abs(distance - 0.6) / 0.35, 0, 1));
}

/** A direction of the head in the tooth's own m, b and h. */
const axesIn = (direction: Point, axes: HeadTooth["axes"]): Point => [
  dot(direction, axes.mesial),
  dot(direction, axes.buccal),
  dot(direction, axes.crown),
];

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

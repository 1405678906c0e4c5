import type { Point } from "@arcada/imaging/mesh/mesh";
import type { ToothMaterial } from "../anatomy/tooth-material.ts";
import { clamp, smoothStep } from "../math/shape-functions.ts";
import { applyPatch, computePatch, type Box, type Plate } from "../radiograph/plate.ts";
import type { FilmGeometry } from "./film-geometry.ts";
import type { PlacedTooth } from "./place-varied-teeth.ts";
import { distanceToVariedTooth, getVariedMaterial } from "./varied-tooth-material.ts";

/** Attenuation by 1 mm of each material; heads differ. */
export type MaterialStrengths = Record<ToothMaterial, number>;

/** Bone around the roots as the film shows it. */
export interface SocketLook {
  /** mm of bone that a root replaces; less makes roots brighter. */
  bone: number;
  /** Attenuation by that bone, of which a root leaves out its share. */
  level: number;
  /** Strength of the ligament's dark and the socket's bright line. */
  lines: number;
}

/** Distances between the samples of a drawn tooth, mm. */
export interface RaySpacing {
  /** Between two rays, on the detector. */
  across: number;
  /** Between two samples along a ray. */
  along: number;
}

const panoramicSpacing: RaySpacing = { across: 0.55, along: 0.8 };

/** Draws a tooth on the plate of the unrolled jaw and returns points of its outline there, mm of the detector. */
export const drawVariedTooth = (
  plate: Plate,
  tooth: PlacedTooth,
  geometry: FilmGeometry,
  strengths: MaterialStrengths,
  socket: SocketLook,
): [number, number][] => drawToothShadow(plate, tooth, createSight(tooth, geometry), { strengths, socket });

/** The materials and the surroundings of a tooth. */
export interface ShadowLook {
  strengths: MaterialStrengths;
  socket: SocketLook;
  spacing?: RaySpacing;
}

/** Draws a tooth as parallel rays from one side show it, and returns points inside its outline, mm of the detector. */
export function drawToothShadow(
  plate: Plate,
  tooth: PlacedTooth,
  sight: ToothSight,
  { strengths, socket, spacing = panoramicSpacing }: ShadowLook,
): [number, number][] {
  const { shape } = tooth;
  const reach = Math.hypot(shape.width, shape.depth) / 2 + 1.5;
  const box = getShadowBox(tooth, sight, reach);
  const covers: number[] = [];
  const outline: [number, number][] = [];
  const shadow = computePatch(box, spacing.across, (x, y, at) => {
    const [dx, dy] = [(x - sight.at[0]) / sight.enlarged, (y - sight.at[1]) / sight.enlarged];
    const start: Point = [
      dx * sight.across[0] + dy * sight.upward[0],
      dx * sight.across[1] + dy * sight.upward[1],
      dx * sight.across[2] + dy * sight.upward[2],
    ];
    const ray: Ray = { start, along: sight.along, reach, stride: spacing.along };
    const { sum, inside, nearest } = castRay(tooth, ray, strengths);
    if (inside > 0.5) outline.push([x, y]);
    const inBone = tooth.condition === "pontic" ? 0 : smoothStep(0.2, -1.6, start[2] - (tooth.isUnerupted ? 20 : 0));
    covers[at] = inBone > 0 ? inBone * 0.85 * clamp((1.1 * inside) / socket.bone, 0, 1) : 0;
    return (
      sum +
      (tooth.condition === "implant"
        ? 0
        : inBone * socket.lines * (tooth.isUnerupted ? 0.35 : 1) * getSocketLine(nearest, tooth.isUnerupted))
    );
  });
  applyPatch(
    plate,
    { ...shadow, values: Float32Array.from(covers) },
    (old, cover) => old - cover * Math.min(old, socket.level),
  );
  applyPatch(plate, shadow, (old, own) => old + own);
  return outline;
}

/** The directions of the detector and of the ray in the tooth's own axes, and where its neck is drawn. */
export interface ToothSight {
  across: Point;
  upward: Point;
  along: Point;
  enlarged: number;
  at: readonly [number, number];
}

function createSight({ neck, axes, place }: PlacedTooth, geometry: FilmGeometry): ToothSight {
  const { enlarged, elevation, obliquity } = geometry;
  const length = Math.hypot(axes.buccal[0], axes.buccal[1]) || 1;
  const out: Point = [axes.buccal[0] / length, axes.buccal[1] / length, 0];
  // The beam misses the contacts most at the premolars.
  const off = (obliquity * Math.sign(place) * Math.exp(-(((Math.abs(place) - 24) / 14) ** 2)) * Math.PI) / 180;
  const level: Point = [
    out[0] * Math.cos(off) - out[1] * Math.sin(off),
    out[0] * Math.sin(off) + out[1] * Math.cos(off),
    0,
  ];
  const rise = (elevation * Math.PI) / 180;
  const ray: Point = [level[0] * Math.cos(rise), level[1] * Math.cos(rise), Math.sin(rise)];
  const right: Point = [-level[1], level[0], 0];
  const up: Point = [-level[0] * Math.sin(rise), -level[1] * Math.sin(rise), Math.cos(rise)];
  return {
    across: toToothAxes(right, axes),
    upward: toToothAxes(up, axes),
    along: toToothAxes(ray, axes),
    enlarged,
    at: [place * enlarged, neck[2] * enlarged],
  };
}

interface Ray {
  start: Point;
  along: Point;
  reach: number;
  stride: number;
}

function castRay(
  tooth: PlacedTooth,
  { start, along, reach, stride }: Ray,
  strengths: MaterialStrengths,
): { sum: number; inside: number; nearest: number } {
  let [sum, inside, nearest] = [0, 0, 9];
  for (let q = -reach; q <= reach;) {
    const m = start[0] + q * along[0];
    const b = start[1] + q * along[1];
    const h = start[2] + q * along[2];
    const distance = distanceToVariedTooth(tooth, m, b, h);
    if (distance < nearest) nearest = distance;
    if (distance > 1) {
      q += Math.max(stride, distance * 0.7);
      continue;
    }
    q += stride;
    const share = clamp(0.5 - distance / stride, 0, 1);
    if (share === 0) continue;
    sum += stride * share * strengths[getVariedMaterial(tooth, Math.min(distance, -1e-3), m, b, h)];
    inside += stride * share;
  }
  return { sum, inside, nearest };
}

/** The ligament's dark and the socket's bright line; around a crown in bone the follicle is wider. */
function getSocketLine(distance: number, isUnerupted: boolean): number {
  const wide = isUnerupted ? 2.2 : 1;
  const at = distance / wide;
  if (at <= 0 || at > 1.2) return 0;
  return 0.06 * clamp(1 - Math.abs(at - 0.62) / 0.35, 0, 1) - 0.05 * clamp(1 - Math.abs(at - 0.18) / 0.22, 0, 1);
}

function getShadowBox({ shape }: PlacedTooth, sight: ToothSight, reach: number): Box {
  const ends = [-shape.root - 3, shape.crown + 1].map((h) => [h * sight.across[2], h * sight.upward[2]] as const);
  const place = (value: number, axis: 0 | 1): number => sight.at[axis] + value * sight.enlarged;
  return {
    left: place(Math.min(ends[0][0], ends[1][0]) - reach, 0),
    right: place(Math.max(ends[0][0], ends[1][0]) + reach, 0),
    bottom: place(Math.min(ends[0][1], ends[1][1]) - reach * 0.7, 1),
    top: place(Math.max(ends[0][1], ends[1][1]) + reach * 0.7, 1),
  };
}

/** A direction of the head in the tooth's own axes. */
export const toToothAxes = (direction: Point, axes: PlacedTooth["axes"]): Point => [
  dot(direction, axes.mesial),
  dot(direction, axes.buccal),
  dot(direction, axes.crown),
];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

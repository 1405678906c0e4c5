import { clamp } from "../math/shape-functions.ts";
import { distanceToCrown, getRootMiddle, distanceToTooth, type ToothShape } from "./tooth-shape.ts";

/** Returns the material at a point in a tooth. */
export type ToothMaterial =
  | "nothing"
  | "pulp"
  | "dentine"
  | "enamel"
  | "filling"
  | "metal"
  | "ceramic"
  | "titanium"
  | "rootFilling";

export type ToothState = "sound" | "filled" | "crowned" | "implant" | "missing";

/** A screw in mm along the tooth's axis: its head is `below` the neck. */
export const implantSize = { diameter: 4.1, length: 11, below: 1 } as const;

/** Distance in mm to the object in the tooth's place, negative inside; infinite if it is missing. */
export function distanceToToothOrImplant(
  shape: ToothShape,
  state: ToothState,
  m: number,
  b: number,
  h: number,
): number {
  if (state === "missing") return Infinity;
  if (state !== "implant") return distanceToTooth(shape, m, b, h);
  return Math.min(distanceToScrew(m, b, h), distanceToCrown(shape, m, b, h - 0.4));
}

/** Returns the material at a point `-distance` mm under the surface. */
export function getToothMaterial(
  shape: ToothShape,
  state: ToothState,
  distance: number,
  m: number,
  b: number,
  h: number,
): ToothMaterial {
  if (distance > 0) return "nothing";
  if (state === "implant") return distanceToScrew(m, b, h) <= 0 ? "titanium" : "ceramic";
  if (state === "crowned" && h > 0.2 && -distance < 1.2) return "metal";
  if (state === "filled" && isFilling(shape, m, b, h)) return "filling";
  if (isPulp(shape, m, b, h)) return state === "crowned" ? "rootFilling" : "pulp";
  return h > 0 && -distance < getEnamelThickness(shape, h) ? "enamel" : "dentine";
}

function distanceToScrew(m: number, b: number, h: number): number {
  const depth = -h - implantSize.below;
  const post = Math.max(Math.hypot(m, b) - 1.6, -depth - 4, depth);
  const t = clamp(depth / implantSize.length, 0, 1);
  const thread = 0.22 * Math.abs(((depth / 0.9) % 1) - 0.5) * 2;
  const radius = (implantSize.diameter / 2) * (1 - 0.18 * t ** 3) - (depth > 1 ? thread : 0);
  return Math.min(post, Math.max(Math.hypot(m, b) - radius, -depth, depth - implantSize.length));
}

/** Thin at the neck, thick over the cusps. */
const getEnamelThickness = (shape: ToothShape, h: number): number =>
  0.12 + (shape.form === "molar" || shape.form === "premolar" ? 1.5 : 0.95) * Math.min(1, (1.5 * h) / shape.crown);

function isFilling(shape: ToothShape, m: number, b: number, h: number): boolean {
  if (h < shape.crown * 0.45) return false;
  const box = Math.abs(b) < shape.depth * 0.19 && m > -shape.width * 0.5 && m < shape.width * 0.2;
  return box && (h > shape.crown * 0.52 || m < -shape.width * 0.2);
}

function isPulp(shape: ToothShape, m: number, b: number, h: number): boolean {
  const single = shape.roots.length === 1;
  const top = shape.crown * (single ? 0.5 : 0.32);
  if (h > top) return false;
  if (h > (single ? -1 : -2.6)) {
    const narrow = single ? 1 - clamp(h / top, 0, 1) * 0.75 : 1;
    const [x, y] = [
      m / (shape.width * (single ? 0.13 : 0.23) * narrow),
      b / (shape.depth * (single ? 0.12 : 0.2) * narrow),
    ];
    if (single) return x * x + y * y < 1;
    // Horns under the cusps: the chamber's roof sinks in the middle. Its floor is narrow.
    const low = Math.max(0, -h / 2.7);
    return x * x + y * y < 1 - 0.8 * low ** 3 && h < top - 0.9 * (1 - x * x);
  }
  return shape.roots.some((root) => {
    const t = -h / root.length;
    if (t > 0.96) return false;
    const [x, y] = getRootMiddle(root, t);
    const taper = 1 - 0.75 * t;
    return ((m - x) / (0.2 * root.m * taper + 0.12)) ** 2 + ((b - y) / (0.26 * root.b * taper + 0.12)) ** 2 < 1;
  });
}

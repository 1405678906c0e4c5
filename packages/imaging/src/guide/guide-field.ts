import { rotate, transformPoint } from "../geometry/rigid-transform.ts";
import { dot, minus, normalize, plus, times, type Vector } from "../geometry/vector.ts";
import type { GuideSettings, GuideSleeve, GuideWindow } from "./guide-input.ts";
import type { InsertionFrame } from "./insertion-frame.ts";

/** A sleeve in the insertion's frame: the middle of its lower end, and its axis out of the jaw. */
export interface LocalSleeve {
  bottom: Vector;
  axis: Vector;
  height: number;
  /** The bore's radius. */
  bore: number;
  /** The radius of the body around the bore. */
  outer: number;
}

export interface LocalWindow {
  position: Vector;
  axis: Vector;
  radius: number;
}

export const toLocalSleeve = (sleeve: GuideSleeve, settings: GuideSettings, frame: InsertionFrame): LocalSleeve => {
  const axis = normalize(rotate(frame.toLocal, sleeve.axis));
  const bore = sleeve.diameter / 2 + settings.sleeveClearance;
  return {
    bottom: plus(transformPoint(frame.toLocal, sleeve.position), times(axis, sleeve.offset)),
    axis,
    height: sleeve.height,
    bore,
    outer: bore + settings.sleeveWall,
  };
};

export const toLocalWindow = (window: GuideWindow, frame: InsertionFrame): LocalWindow => ({
  position: transformPoint(frame.toLocal, window.position),
  axis: normalize(rotate(frame.toLocal, window.axis)),
  radius: window.diameter / 2,
});

/** A sample of the field before the guide's own shapes are added. */
export interface FieldSample {
  place: Vector;
  /** mm from the blocked scan, negative below it. */
  blocked: number;
  /** mm from the covered part of the scan, seen along the insertion. */
  aside: number;
  /** The height below which the guide does not reach. */
  lowest: number;
}

/** mm over which the shell's rims are rounded, and its joints with the bodies around the sleeves filled. */
const rimRadius = 0.8;
const filletRadius = 1;

/** mm beyond the shell from which its own distance cannot matter any more. */
export const fieldReach = ({ gap, thickness }: GuideSettings): number => gap + thickness + filletRadius + 0.2;

/**
 * Returns the guide's signed distance at a sample, in mm, negative within the guide; exact near its surface only.
 * The gap and the bores are cut last: nothing rounded may reach into them.
 */
export function computeGuideDistance(
  { place, blocked, aside, lowest }: FieldSample,
  { gap, thickness }: GuideSettings,
  sleeves: readonly LocalSleeve[],
  windows: readonly LocalWindow[],
): number {
  const shell = Math.max(gap - blocked, blocked - gap - thickness);
  const rim = Math.max(aside - gap - thickness, lowest - place[2]);
  let body = smoothMaximum(shell, rim, rimRadius);
  let sleeveBody = Infinity;
  let bore = Infinity;
  for (const sleeve of sleeves) {
    const along = dot(minus(place, sleeve.bottom), sleeve.axis);
    const off = minus(minus(place, sleeve.bottom), times(sleeve.axis, along));
    const radius = Math.hypot(off[0], off[1], off[2]);
    bore = Math.min(bore, radius - sleeve.bore);
    sleeveBody = Math.min(sleeveBody, smoothMaximum(radius - sleeve.outer, along - sleeve.height, rimRadius / 2));
  }
  // The body around a sleeve reaches down to the ridge, which joins it to the shell where no tooth is near.
  body = smoothMinimum(body, Math.max(sleeveBody, lowest - place[2], gap - blocked), filletRadius);
  for (const window of windows) body = Math.max(body, -Math.max(measureToWindow(window, place), -sleeveBody));
  return Math.max(body, gap - blocked, -bore);
}

function measureToWindow({ position, axis, radius }: LocalWindow, place: Vector): number {
  const from = minus(place, position);
  const off = minus(from, times(axis, dot(from, axis)));
  return Math.hypot(off[0], off[1], off[2]) - radius;
}

/** The least of two distances with a fillet. Source: I. Quilez, "Smooth minimum", the quadratic polynomial. */
function smoothMinimum(a: number, b: number, radius: number): number {
  const near = Math.max(radius - Math.abs(a - b), 0) / radius;
  return Math.min(a, b) - (near * near * radius) / 4;
}

const smoothMaximum = (a: number, b: number, radius: number): number => -smoothMinimum(-a, -b, radius);

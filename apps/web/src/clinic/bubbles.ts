import type { AgeBand } from "@arcada/contract/clinic/clinic.rules";
import type { Mapped } from "@arcada/contract/clinic/figures.calls";
import { bandOf } from "./clinic-words.ts";

export type MappedClinic = Mapped["clinics"][number];
/** The visible part of the map: screen pixels = place × scale + shift. */
export interface View {
  scale: number;
  x: number;
  y: number;
}
export interface Spot {
  x: number;
  y: number;
  clinic: MappedClinic;
}
export interface Bubble {
  x: number;
  y: number;
  clinics: MappedClinic[];
  openWork: number;
  /** The age band of the work that has waited longest; null if there is no open work. */
  band: AgeBand | null;
  radius: number;
}

/** Clusters clinics that would overlap into one bubble at their centre. */
export function bubblesOf(spots: readonly Spot[], view: View, cell = 34): Bubble[] {
  const cells = new Map<string, Spot[]>();
  for (const spot of spots) {
    const key = `${Math.floor((spot.x * view.scale + view.x) / cell)} ${Math.floor((spot.y * view.scale + view.y) / cell)}`;
    cells.set(key, [...(cells.get(key) ?? []), spot]);
  }
  // Draw the clinics with the most open work last, so that they are on top.
  return [...cells.values()].map((group) => bubbleOf(group, view)).toSorted((a, b) => a.openWork - b.openWork);
}

function bubbleOf(group: Spot[], { scale, x, y }: View): Bubble {
  const clinics = group.map(({ clinic }) => clinic);
  const openWork = clinics.reduce((sum, one) => sum + one.openWork, 0);
  const oldest = clinics.flatMap((one) => one.oldest ?? []).toSorted()[0];
  const middle = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  return {
    x: middle(group.map((one) => one.x)) * scale + x,
    y: middle(group.map((one) => one.y)) * scale + y,
    clinics,
    openWork,
    band: oldest === undefined ? null : bandOf(oldest),
    radius: openWork === 0 ? 5 : Math.min(22, 9 + 3 * Math.sqrt(openWork)),
  };
}

export interface Size {
  width: number;
  height: number;
}
/** The size of the whole unscaled world map. */
export const drawing: Size = { width: 960, height: 480 };
/** Returns the scale at which the world fills an area of this size. */
const leastScale = ({ width, height }: Size): number => Math.max(width / drawing.width, height / drawing.height);
const zoomMost = 60;
export const isClosest = (view: View, size: Size): boolean => view.scale >= zoomMost * leastScale(size);

/** Zooms the view around a point of the screen. */
export function zoomed(view: View, by: number, at: { x: number; y: number }, size: Size): View {
  const least = leastScale(size);
  const scale = Math.min(zoomMost * least, Math.max(least, view.scale * by));
  const grown = scale / view.scale;
  return held({ scale, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, size);
}

/** Keeps the world within the viewport. */
export function held({ scale, x, y }: View, { width, height }: Size): View {
  const within = (value: number, size: number, drawn: number) => Math.min(0, Math.max(size - drawn * scale, value));
  return { scale, x: within(x, width, drawing.width), y: within(y, height, drawing.height) };
}

/** Returns the view that fits all clinics with a margin. */
export function fitting(spots: readonly Spot[], size: Size): View {
  const xs = spots.length > 0 ? spots.map(({ x }) => x) : [0, drawing.width];
  const ys = spots.length > 0 ? spots.map(({ y }) => y) : [0, drawing.height];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = 0.7;
  const least = leastScale(size);
  const wanted = Math.min(
    (room * size.width) / Math.max(right - left, 1),
    (room * size.height) / Math.max(bottom - top, 1),
  );
  const scale = Math.min(8 * least, Math.max(least, wanted));
  const shift = { x: size.width / 2 - ((left + right) / 2) * scale, y: size.height / 2 - ((top + bottom) / 2) * scale };
  return held({ scale, ...shift }, size);
}

import type { AgeBand } from "@arcada/contract/clinic/clinic.rules";
import type { Mapped } from "@arcada/contract/clinic/figures.calls";
import { bandOf } from "./clinic-words.ts";

export type MappedClinic = Mapped["clinics"][number];
/** Where the map stands: screen = place × scale + shift. */
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
  /** Of the work that has waited longest; null where nothing is to be done. */
  band: AgeBand | null;
  radius: number;
}

export const zoomMost = 60;

/** Clinics that would cover each other share a bubble, in its middle. */
export function bubblesOf(spots: readonly Spot[], view: View, cell = 34): Bubble[] {
  const cells = new Map<string, Spot[]>();
  for (const spot of spots) {
    const key = `${Math.floor((spot.x * view.scale + view.x) / cell)} ${Math.floor((spot.y * view.scale + view.y) / cell)}`;
    cells.set(key, [...(cells.get(key) ?? []), spot]);
  }
  // Those with the most to do lie on top.
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

/** The view in which a point of the screen stays where it is. */
export function zoomed(view: View, by: number, at: { x: number; y: number }): View {
  const scale = Math.min(zoomMost, Math.max(1, view.scale * by));
  const grown = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown };
}

/** Part of the map is always to be seen. */
export function held({ scale, x, y }: View, { width, height }: { width: number; height: number }): View {
  const within = (value: number, size: number) => Math.min(size / 2, Math.max(size / 2 - size * scale, value));
  return { scale, x: within(x, width), y: within(y, height) };
}

/** All clinics with room around them. */
export function fitting(spots: readonly Spot[], { width, height }: { width: number; height: number }): View {
  if (spots.length === 0) return { scale: 1, x: 0, y: 0 };
  const xs = spots.map(({ x }) => x);
  const ys = spots.map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = 0.7;
  const scale = Math.min(
    8,
    Math.max(1, Math.min((room * width) / Math.max(right - left, 1), (room * height) / Math.max(bottom - top, 1))),
  );
  return held(
    { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale },
    { width, height },
  );
}

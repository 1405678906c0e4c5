import { defaultLayouts, getArrangement, type FieldOfView, type LayoutName } from "../ct-core/viewport-layouts.ts";
import type { PlaneName } from "@arcada/imaging/view/plane-view";

/** Left, top, width and height in CSS pixels of the window. */
export type ViewportRect = readonly [left: number, top: number, width: number, height: number];
export interface ViewportRects extends Partial<Record<PlaneName | "panorama", ViewportRect>> {
  /** Cross-sections of the arch, side by side. */
  sections?: readonly ViewportRect[];
  /** CSS pixels per mm if the planes start close up, about the volume's middle; else they show all of it. */
  closeUp?: number;
}

interface StoredRects {
  window: readonly [width: number, height: number];
  layout?: string;
  places: ViewportRects;
}
const buildKey = (field: FieldOfView): string => `arcada.ct.places.${field}`;

/**
 * Stores the positions of the viewports in a window of this size, so that the next opening of a volume with this field
 * of view begins with them there.
 */
export function storeViewportRects(field: FieldOfView, layout: string, rects: ViewportRects): void {
  const stored: StoredRects = { window: [innerWidth, innerHeight], layout, places: rects };
  try {
    localStorage.setItem(buildKey(field), JSON.stringify(stored));
  } catch {
    // If storage is full, the next opening uses the default positions.
  }
}

/** Returns the positions of the last time; else those of the default layout in a window of this size. */
export function loadViewportRects(field: FieldOfView): ViewportRects {
  const stored = readStored(field);
  if (stored?.window[0] === innerWidth && stored.window[1] === innerHeight) return stored.places;
  const layout = defaultLayouts[field];
  return (stored?.layout ?? layout) === layout ? guessRects(layout, innerWidth, innerHeight) : {};
}

function readStored(field: FieldOfView): StoredRects | null {
  try {
    return JSON.parse(localStorage.getItem(buildKey(field)) ?? "null") as StoredRects | null;
  } catch {
    return null;
  }
}

// The heights of the viewer's bars in CSS pixels: its head and toolbar above, and the line of details and the strip of
// the patient's studies below. The viewer fills the window unless the user has uncovered the shell around it.
const [bars, foot, narrowBars, narrowFoot] = [98, 95, 129, 95];
const [folded, narrow] = [768, 640];
const guessed = ["axial", "coronal", "sagittal", "panorama"] as const;

/** The cross-sections are not guessed: how many fit depends on the fonts of their names. */
function guessRects(layout: LayoutName, width: number, height: number): ViewportRects {
  const { rows, columns, heights } = getArrangement(layout, width);
  if (width < narrow) {
    const first = guessed.find((name) => name === rows[0]?.[0]);
    return first ? { [first]: [0, narrowBars, width, height - narrowBars - narrowFoot] } : {};
  }
  if (width <= folded) return {};
  const lefts = spread(columns, 0, width);
  const tops = spread(heights, bars, height - bars - foot);
  const rects: Partial<Record<(typeof guessed)[number], ViewportRect>> = {};
  for (const name of guessed) {
    const at = rows.findIndex((row) => row.includes(name));
    const row = rows[at];
    if (!row) continue;
    const last = rows.findLastIndex((one) => one.includes(name));
    const [left = 0, right = 0] = [lefts[row.indexOf(name)], lefts[row.lastIndexOf(name) + 1]];
    const [top = 0, bottom = 0] = [tops[at], tops[last + 1]];
    rects[name] = [left, top, right - left, bottom - top];
  }
  return rects;
}

/** The edges between tracks of these shares. */
function spread(shares: readonly number[], from: number, length: number): number[] {
  const sum = shares.reduce((total, share) => total + share, 0);
  let edge = from;
  return [from, ...shares.map((share) => (edge += (share / sum) * length))];
}

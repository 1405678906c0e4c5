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
const storageKey = "arcada.ct.places";

/** Stores the positions of the viewports in a window of this size, so that the next opening begins with them there. */
export function storeViewportRects(layout: string, rects: ViewportRects): void {
  const stored: StoredRects = { window: [innerWidth, innerHeight], layout, places: rects };
  try {
    localStorage.setItem(storageKey, JSON.stringify(stored));
  } catch {
    // If storage is full, the next opening uses the default positions.
  }
}

/** Returns the positions of the last time; else those of the default layout in a window of this size. */
export function loadViewportRects(): ViewportRects {
  const stored = readStored();
  if (stored?.window[0] === innerWidth && stored.window[1] === innerHeight) return stored.places;
  return (stored?.layout ?? "mpr") === "mpr" ? guessRects(innerWidth, innerHeight) : {};
}

function readStored(): StoredRects | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "null") as StoredRects | null;
  } catch {
    return null;
  }
}

// The heights of the viewer's bars in CSS pixels: its head and toolbar above, and the strip of the patient's studies
// below. The viewer fills the window unless the user has uncovered the shell around it.
const [bars, strip, narrowBars, narrowFoot] = [94, 69, 125, 101];
const [folded, narrow] = [768, 640];

function guessRects(width: number, height: number): ViewportRects {
  if (width < narrow) return { axial: [0, narrowBars, width, height - narrowBars - narrowFoot] };
  if (width <= folded) return {};
  const [across, down] = [width / 2, (height - bars - strip) / 2];
  return {
    axial: [0, bars, across, down],
    coronal: [across, bars, across, down],
    sagittal: [0, bars + down, across, down],
  };
}

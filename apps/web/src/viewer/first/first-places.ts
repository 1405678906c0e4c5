import type { PlaneName } from "@arcada/imaging/view/plane";

/** Left, top, width and height in CSS pixels of the window. */
export type FirstPlace = readonly [left: number, top: number, width: number, height: number];
export interface FirstPlaces extends Partial<Record<PlaneName | "panorama", FirstPlace>> {
  /** Cross-sections of the arch, side by side. */
  sections?: readonly FirstPlace[];
  /** CSS pixels per mm if the planes start close up, about the volume's middle; else they show all of it. */
  closeUp?: number;
}

interface Kept {
  window: readonly [width: number, height: number];
  layout?: string;
  places: FirstPlaces;
}
const key = "arcada.ct.places";

/** Stores the positions of the viewports in a window of this size, so that the next opening begins with them there. */
export function keepPlaces(layout: string, places: FirstPlaces): void {
  const kept: Kept = { window: [innerWidth, innerHeight], layout, places };
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // If storage is full, the next opening uses the default positions.
  }
}

/** Returns the positions of the last time; else those of the default layout in a window of this size. */
export function firstPlaces(): FirstPlaces {
  const kept = read();
  if (kept?.window[0] === innerWidth && kept.window[1] === innerHeight) return kept.places;
  return (kept?.layout ?? "mpr") === "mpr" ? guessedPlaces(innerWidth, innerHeight) : {};
}

function read(): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

// The parts of a window that the shell and the viewer occupy, in CSS pixels: their sidebar, and their bars above and
// below.
const [sidebar, bars, narrowBars, narrowFoot] = [210, 196, 227, 32];
const [folded, narrow] = [768, 640];

function guessedPlaces(width: number, height: number): FirstPlaces {
  if (width < narrow) return { axial: [0, narrowBars, width, height - narrowBars - narrowFoot] };
  if (width <= folded) return {};
  const [across, down] = [(width - sidebar) / 2, (height - bars) / 2];
  return {
    axial: [sidebar, bars, across, down],
    coronal: [sidebar + across, bars, across, down],
    sagittal: [sidebar, bars + down, across, down],
  };
}

import type { Jaw } from "@arcada/imaging/geometry/patient-frame";

/** Plaster and stone first, then colours that people with red–green colour blindness can tell apart. */
const modelColours = ["#e6d8c3", "#cfdbe3", "#7fb2e5", "#e5a94f", "#9d8fd6", "#5fbfa8"] as const;

export const pickModelColour = (jaw: Jaw | null, at: number): string =>
  (jaw === "upper" ? modelColours[0] : jaw === "lower" ? modelColours[1] : modelColours[at % modelColours.length]) ??
  modelColours[0];

/** Colours of a section's line: strong enough to be seen on every model, its own included. */
const lineColours = ["#ffd43b", "#4dabf7", "#ff8787", "#69db7c", "#e599f7", "#ffa94d"] as const;

export const pickLineColour = (at: number): string => lineColours[at % lineColours.length] ?? lineColours[0];

import type { Presence } from "@arcada/contract/chart/chart.schema";
import { isDeciduous, jawOf, positionInQuadrant } from "@arcada/contract/kernel/tooth-numbers";

/**
 * The outer side of a tooth in a box of 40 by 56: an upper tooth, its root upwards. Lower teeth are drawn upside down.
 */
export interface ToothOutline {
  crown: string;
  root: string;
}
const single: ToothOutline = {
  crown: "M11 35C9 44 11 53 20 53C29 53 31 44 29 35C26 32 14 32 11 35Z",
  root: "M12.500 34C13 20 16 6 20 4C24 6 27 20 27.500 34",
};
const canine: ToothOutline = {
  crown: "M11 35C9 42 13 48 20 54C27 48 31 42 29 35C26 32 14 32 11 35Z",
  root: "M12 34C12.500 18 16 4 20 2C24 4 27.500 18 28 34",
};
const premolar: ToothOutline = {
  crown:
    "M9.500 35C7.500 43 9 50 14 51C17 51.500 18.500 49.500 20 49C21.500 49.500 23 51.500 26 51C31 50 32.500 43 30.500 35C26 32 14 32 9.500 35Z",
  root: "M11.500 34C12 20 16 8 20 6C24 8 28 20 28.500 34",
};
const twoRoots: ToothOutline = {
  crown:
    "M6 35C4 43 5.500 50 10.500 51C14 51.500 17 49 20 48.500C23 49 26 51.500 29.500 51C34.500 50 36 43 34 35C28 32 12 32 6 35Z",
  root: "M8 34C7 22 9 10 12 8C16 10 17 20 18.500 27L21.500 27C23 20 24 10 28 8C31 10 33 22 32 34",
};
const threeRoots: ToothOutline = {
  crown: twoRoots.crown,
  root: "M7.500 34C6 22 7 11 10 9C13 11 14 19 15 27C16.500 19 18 7 20 6C22 7 23.500 19 25 27C26 19 27 11 30 9C33 11 34 22 32.500 34",
};
/** A screw, and its threads. */
export const screwPath = "M15 33L15.500 12C16 6 24 6 24.500 12L25 33Z";
export const threadsPath = "M15.300 14L24.700 18M15.200 19L24.800 23M15.100 24L24.900 28";

export function getOutline(tooth: number): ToothOutline {
  const place = positionInQuadrant(tooth);
  if (place <= 2) return single;
  if (place === 3) return canine;
  if (place <= 5 && !isDeciduous(tooth)) return premolar;
  return jawOf(tooth) === "maxilla" ? threeRoots : twoRoots;
}

/** The parts that are drawn of a tooth in each state. */
export const partsByPresence: Record<
  Presence,
  { crown: boolean; root: boolean; screw?: true; cross?: true; transform?: string }
> = {
  unknown: { crown: true, root: true },
  present: { crown: true, root: true },
  missing: { crown: true, root: true, cross: true },
  unerupted: { crown: true, root: true, transform: "translate(4 -4) scale(0.8)" },
  impacted: { crown: true, root: true, transform: "rotate(38 20 30) translate(4 2) scale(0.8)" },
  implant: { crown: true, root: false, screw: true },
  pontic: { crown: true, root: false },
  root: { crown: false, root: true },
};

// Teeth are kept by their FDI numbers (ISO 3950); people may read them in another scheme.
import type { ToothScheme } from "./tooth-schemes.ts";

const quadrant = (number: number, count: number) =>
  Array.from({ length: count }, (_, position) => number * 10 + position + 1);
const arch = (right: number, left: number, count: number): number[] => [
  ...quadrant(right, count).toReversed(),
  ...quadrant(left, count),
];
/** As a chart shows them, seen from the front: the patient's right is at the left. */
export const upperTeeth = arch(1, 2, 8);
export const lowerTeeth = arch(4, 3, 8);
export const upperDeciduous = arch(5, 6, 5);
export const lowerDeciduous = arch(8, 7, 5);
export const permanentTeeth = [...upperTeeth, ...lowerTeeth];
export const deciduousTeeth = [...upperDeciduous, ...lowerDeciduous];
export const allTeeth = [...permanentTeeth, ...deciduousTeeth];

export const jaws = ["maxilla", "mandible"] as const;
export const quadrants = ["upperRight", "upperLeft", "lowerLeft", "lowerRight"] as const;
export type Quadrant = (typeof quadrants)[number];

export const isDeciduous = (tooth: number): boolean => tooth > 50;
/** Returns 1 next to the midline, 8 (in deciduous teeth 5) at the back. */
export const positionInQuadrant = (tooth: number): number => tooth % 10;
export const quadrantOf = (tooth: number): Quadrant => quadrants[(Math.floor(tooth / 10) - 1) % 4]!;
export const jawOf = (tooth: number): (typeof jaws)[number] =>
  quadrantOf(tooth).startsWith("upper") ? "maxilla" : "mandible";
/** The teeth of the same arch and set, in the chart's order. */
export const archTeethOf = (tooth: number): readonly number[] =>
  [upperTeeth, lowerTeeth, upperDeciduous, lowerDeciduous].find((archTeeth) => archTeeth.includes(tooth)) ?? [];

/** A tooth's name: 36, ⎾6 or 19; of a milk tooth 75, ⎾E or K. */
export const toothName = (tooth: number, scheme: ToothScheme): string => nameByScheme[scheme](tooth);

/** The tooth of this name, or null: the way back of `toothName`. */
export const parseToothName = (name: string, scheme: ToothScheme): number | null =>
  allTeeth.find((tooth) => toothName(tooth, scheme) === name) ?? null;

/**
 * Teeth as people write them: "11, 21, 35–37". Three or more neighbours become a span. Arches are never joined, nor are
 * the sides of the midline, since "15–25" of FDI reads as eleven numbers and a corner of Palmer is drawn once.
 * Universal numbers continue across the midline, so their spans do, too.
 */
export function formatTeeth(teeth: readonly number[], scheme: ToothScheme = "fdi"): string {
  const text = groupRuns(sortTeeth(teeth, scheme), scheme)
    .map((group) =>
      group.length > 2 ? formatSpan(group[0]!, group.at(-1)!, scheme) : group.map(nameByScheme[scheme]).join(", "),
    )
    .join(", ");
  // The isolate keeps digits and corners in place within right-to-left text.
  return scheme === "palmer" && text !== "" ? `\u2066${text}\u2069` : text;
}

const letters = "ABCDEFGHIJKLMNOPQRST";
/** As seen when facing the patient: the corner is on the side of the midline. */
const corners: Record<Quadrant, (position: string) => string> = {
  upperRight: (position) => `${position}⏌`,
  upperLeft: (position) => `⎿${position}`,
  lowerRight: (position) => `${position}⏋`,
  lowerLeft: (position) => `⎾${position}`,
};
const palmerSymbol = (tooth: number): string =>
  isDeciduous(tooth) ? letters[positionInQuadrant(tooth) - 1]! : String(positionInQuadrant(tooth));

// Universal counts from the upper right round to the lower right.
const universalOrder = [...upperTeeth, ...lowerTeeth.toReversed()];
const universalDeciduous = [...upperDeciduous, ...lowerDeciduous.toReversed()];

const nameByScheme: Record<ToothScheme, (tooth: number) => string> = {
  fdi: String,
  palmer: (tooth) => corners[quadrantOf(tooth)](palmerSymbol(tooth)),
  universal: (tooth) =>
    isDeciduous(tooth) ? letters[universalDeciduous.indexOf(tooth)]! : String(universalOrder.indexOf(tooth) + 1),
};

const orderByScheme: Record<ToothScheme, readonly number[]> = {
  fdi: allTeeth,
  palmer: allTeeth,
  universal: [...universalOrder, ...universalDeciduous],
};
const sortTeeth = (teeth: readonly number[], scheme: ToothScheme): number[] =>
  [...new Set(teeth)].toSorted((a, b) => orderByScheme[scheme].indexOf(a) - orderByScheme[scheme].indexOf(b));

function groupRuns(teeth: readonly number[], scheme: ToothScheme): number[][] {
  const groups: number[][] = [];
  for (const tooth of teeth) {
    const group = groups.at(-1);
    if (group && isNextTooth(group.at(-1)!, tooth, scheme)) group.push(tooth);
    else groups.push([tooth]);
  }
  return groups;
}

function isNextTooth(previous: number, tooth: number, scheme: ToothScheme): boolean {
  const archTeeth = archTeethOf(previous);
  if (Math.abs(archTeeth.indexOf(previous) - archTeeth.indexOf(tooth)) !== 1 || !archTeeth.includes(tooth))
    return false;
  return scheme === "universal" || quadrantOf(previous) === quadrantOf(tooth);
}

const formatSpan = (first: number, last: number, scheme: ToothScheme): string =>
  scheme === "palmer"
    ? corners[quadrantOf(first)](`${palmerSymbol(first)}–${palmerSymbol(last)}`)
    : `${toothName(first, scheme)}–${toothName(last, scheme)}`;

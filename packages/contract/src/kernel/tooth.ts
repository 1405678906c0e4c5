/** Teeth are kept by their FDI numbers (ISO 3950); people may read them in another scheme. */
export const toothSchemes = ["fdi", "palmer", "universal"] as const;
export type ToothScheme = (typeof toothSchemes)[number];

const quadrant = (number: number, places: number) =>
  Array.from({ length: places }, (_, place) => number * 10 + place + 1);
const arch = (right: number, left: number, places: number): number[] => [
  ...quadrant(right, places).toReversed(),
  ...quadrant(left, places),
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
export const placeOf = (tooth: number): number => tooth % 10;
export const quadrantOf = (tooth: number): Quadrant => quadrants[(Math.floor(tooth / 10) - 1) % 4]!;
export const jawOf = (tooth: number): (typeof jaws)[number] =>
  quadrantOf(tooth).startsWith("upper") ? "maxilla" : "mandible";
/** The teeth of the same arch and set, in the chart's order. */
export const rowOf = (tooth: number): readonly number[] =>
  [upperTeeth, lowerTeeth, upperDeciduous, lowerDeciduous].find((row) => row.includes(tooth)) ?? [];

/** A tooth's name: 36, ⎾6 or 19; of a milk tooth 75, ⎾E or K. */
export const toothName = (tooth: number, scheme: ToothScheme): string => namers[scheme](tooth);

/** The tooth of this name, or null: the way back of `toothName`. */
export const toothNamed = (name: string, scheme: ToothScheme): number | null =>
  allTeeth.find((tooth) => toothName(tooth, scheme) === name) ?? null;

/**
 * Teeth as people write them: "11, 21, 35–37". Three or more neighbours become a span. Arches are never joined, nor are
 * the sides of the midline, since "15–25" of FDI reads as eleven numbers and a corner of Palmer is drawn once.
 * Universal numbers continue across the midline, so their spans do, too.
 */
export function teethText(teeth: readonly number[], scheme: ToothScheme = "fdi"): string {
  const text = runsOf(inOrder(teeth, scheme), scheme)
    .map((run) => (run.length > 2 ? spanText(run[0]!, run.at(-1)!, scheme) : run.map(namers[scheme]).join(", ")))
    .join(", ");
  // The isolate keeps digits and corners in place within right-to-left text.
  return scheme === "palmer" && text !== "" ? `\u2066${text}\u2069` : text;
}

const letters = "ABCDEFGHIJKLMNOPQRST";
/** As seen when facing the patient: the corner is on the side of the midline. */
const corners: Record<Quadrant, (place: string) => string> = {
  upperRight: (place) => `${place}⏌`,
  upperLeft: (place) => `⎿${place}`,
  lowerRight: (place) => `${place}⏋`,
  lowerLeft: (place) => `⎾${place}`,
};
const palmerPlace = (tooth: number): string =>
  isDeciduous(tooth) ? letters[placeOf(tooth) - 1]! : String(placeOf(tooth));

// Universal counts from the upper right round to the lower right.
const universalOrder = [...upperTeeth, ...lowerTeeth.toReversed()];
const universalDeciduous = [...upperDeciduous, ...lowerDeciduous.toReversed()];

const namers: Record<ToothScheme, (tooth: number) => string> = {
  fdi: String,
  palmer: (tooth) => corners[quadrantOf(tooth)](palmerPlace(tooth)),
  universal: (tooth) =>
    isDeciduous(tooth) ? letters[universalDeciduous.indexOf(tooth)]! : String(universalOrder.indexOf(tooth) + 1),
};

const orders: Record<ToothScheme, readonly number[]> = {
  fdi: allTeeth,
  palmer: allTeeth,
  universal: [...universalOrder, ...universalDeciduous],
};
const inOrder = (teeth: readonly number[], scheme: ToothScheme): number[] =>
  [...new Set(teeth)].toSorted((a, b) => orders[scheme].indexOf(a) - orders[scheme].indexOf(b));

function runsOf(teeth: readonly number[], scheme: ToothScheme): number[][] {
  const runs: number[][] = [];
  for (const tooth of teeth) {
    const run = runs.at(-1);
    if (run && follows(run.at(-1)!, tooth, scheme)) run.push(tooth);
    else runs.push([tooth]);
  }
  return runs;
}

function follows(before: number, tooth: number, scheme: ToothScheme): boolean {
  const row = rowOf(before);
  if (Math.abs(row.indexOf(before) - row.indexOf(tooth)) !== 1 || !row.includes(tooth)) return false;
  return scheme === "universal" || quadrantOf(before) === quadrantOf(tooth);
}

const spanText = (first: number, last: number, scheme: ToothScheme): string =>
  scheme === "palmer"
    ? corners[quadrantOf(first)](`${palmerPlace(first)}–${palmerPlace(last)}`)
    : `${toothName(first, scheme)}–${toothName(last, scheme)}`;

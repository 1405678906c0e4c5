import { allTeeth, isDeciduous } from "../kernel/tooth-numbers.ts";

export const toothSets = ["permanent", "deciduous", "mixed"] as const;
export type ToothSet = (typeof toothSets)[number];

type AgeRange = readonly [from: number, to: number];
// Eruption and shedding as the American Dental Association publishes them for patients (JADA 136:1619, 2005: primary
// teeth; JADA 137:127, 2006: permanent teeth). From the middle to the back.
const deciduousEruptionMonths: Record<"upper" | "lower", readonly AgeRange[]> = {
  upper: [
    [8, 12],
    [9, 13],
    [16, 22],
    [13, 19],
    [25, 33],
  ],
  lower: [
    [6, 10],
    [10, 16],
    [17, 23],
    [14, 18],
    [23, 31],
  ],
};
const sheddingYears: Record<"upper" | "lower", readonly AgeRange[]> = {
  upper: [
    [6, 7],
    [7, 8],
    [10, 12],
    [9, 11],
    [10, 12],
  ],
  lower: [
    [6, 7],
    [7, 8],
    [9, 12],
    [9, 11],
    [10, 12],
  ],
};
const permanentEruptionYears: Record<"upper" | "lower", readonly AgeRange[]> = {
  upper: [
    [7, 8],
    [8, 9],
    [11, 12],
    [10, 11],
    [10, 12],
    [6, 7],
    [12, 13],
    [17, 21],
  ],
  lower: [
    [6, 7],
    [7, 8],
    [9, 10],
    [10, 12],
    [11, 12],
    [6, 7],
    [11, 13],
    [17, 21],
  ],
};

const archOf = (tooth: number): "upper" | "lower" =>
  [1, 2, 5, 6].includes(Math.floor(tooth / 10)) ? "upper" : "lower";
const positionIndex = (tooth: number): number => (tooth % 10) - 1;
const wisdomToothIndex = 7;

/** A tooth that may come or go a year earlier or later than usual is still shown. */
const toleranceYears = 1;
const earliestPermanentEruption = Math.min(
  ...Object.values(permanentEruptionYears).flatMap((row) => row.map(([from]) => from)),
);
const latestShedding = Math.max(...Object.values(sheddingYears).flatMap((row) => row.map(([, to]) => to)));

/** Returns the set of teeth that a chart shows at this age (in whole years; null: unknown, shown as an adult's). */
export function toothSetAtAge(years: number | null): ToothSet {
  if (years === null || years > latestShedding + toleranceYears) return "permanent";
  return years < earliestPermanentEruption - toleranceYears ? "deciduous" : "mixed";
}

/** Returns true if a tooth is expected to be present at this age: usually erupted already, and usually not shed yet. */
export function isExpected(tooth: number, years: number | null): boolean {
  const row = archOf(tooth);
  if (!isDeciduous(tooth))
    return (
      positionIndex(tooth) < wisdomToothIndex &&
      (years === null || years >= permanentEruptionYears[row][positionIndex(tooth)]![1])
    );
  if (years === null) return false;
  return (
    years * 12 >= deciduousEruptionMonths[row][positionIndex(tooth)]![1] &&
    years < sheddingYears[row][positionIndex(tooth)]![0]
  );
}

/** The teeth that can be expected at this age, one for each place; wisdom teeth, and those that change just then, are left out. */
export const expectedTeethAtAge = (years: number | null): number[] =>
  allTeeth.filter((tooth) => isExpected(tooth, years));

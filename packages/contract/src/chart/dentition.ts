import { allTeeth, isDeciduous } from "../kernel/tooth.ts";

export const toothSets = ["permanent", "deciduous", "mixed"] as const;
export type ToothSet = (typeof toothSets)[number];

type Span = readonly [from: number, to: number];
// Eruption and shedding as the American Dental Association publishes them for patients (JADA 136:1619, 2005: primary
// teeth; JADA 137:127, 2006: permanent teeth). From the middle to the back.
const milkMonths: Record<"upper" | "lower", readonly Span[]> = {
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
const shedYears: Record<"upper" | "lower", readonly Span[]> = {
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
const permanentYears: Record<"upper" | "lower", readonly Span[]> = {
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

const rowIn = (tooth: number): "upper" | "lower" => ([1, 2, 5, 6].includes(Math.floor(tooth / 10)) ? "upper" : "lower");
const place = (tooth: number): number => (tooth % 10) - 1;
const wisdom = 7;

/** A tooth that may come or go a year earlier or later than usual is still shown. */
const slackYears = 1;
const firstPermanent = Math.min(...Object.values(permanentYears).flatMap((row) => row.map(([from]) => from)));
const lastShed = Math.max(...Object.values(shedYears).flatMap((row) => row.map(([, to]) => to)));

/** Returns the set of teeth that a chart shows at this age (in whole years; null: unknown, shown as an adult's). */
export function setAt(years: number | null): ToothSet {
  if (years === null || years > lastShed + slackYears) return "permanent";
  return years < firstPermanent - slackYears ? "deciduous" : "mixed";
}

/** Returns true if a tooth is expected to be present at this age: usually erupted already, and usually not shed yet. */
export function isExpected(tooth: number, years: number | null): boolean {
  const row = rowIn(tooth);
  if (!isDeciduous(tooth))
    return place(tooth) < wisdom && (years === null || years >= permanentYears[row][place(tooth)]![1]);
  if (years === null) return false;
  return years * 12 >= milkMonths[row][place(tooth)]![1] && years < shedYears[row][place(tooth)]![0];
}

/** The teeth that can be expected at this age, one for each place; wisdom teeth, and those that change just then, are left out. */
export const expectedAt = (years: number | null): number[] => allTeeth.filter((tooth) => isExpected(tooth, years));

import { z } from "zod";
import { day } from "../kernel/fields.ts";
import { addDays, daysBetween } from "../kernel/time-zone.ts";

export const dashboardRules = {
  /** The default number of days, and the choices for one click. */
  defaultDays: 90,
  days: [30, 90, 365],
  maxDays: 366,
  /** A longer period is divided into months, a shorter one into weeks. */
  maxWeeklyDays: 120,
  maxPartners: 20,
  maxPeople: 30,
  maxLatestEntries: 10,
  exportMinutes: 15,
} as const;

/** Calendar days; both are included. */
export interface DayRange {
  from: string;
  to: string;
}
export const bucketUnits = ["week", "month"] as const;
export type BucketUnit = (typeof bucketUnits)[number];
/** A week or month of a period, cut off at the period's ends. */
export interface Bucket extends DayRange {
  /** The first day of the whole week or month. */
  key: string;
}

export const countDaysInclusive = ({ from, to }: DayRange): number => daysBetween(from, to) + 1;

/** No organisation has figures of other years, and days with five-digit years do not compare as texts. */
const knownDay = day.refine((value) => value >= "1900-01-01" && value <= "2200-12-31");

/** The period of a call: calendar days in the reader's time zone. */
export const dashboardPeriod = z
  .object({ from: knownDay, to: knownDay })
  .refine((days) => days.from <= days.to && countDaysInclusive(days) <= dashboardRules.maxDays, {
    path: ["to"],
    message: "invalid",
  });

export const findBucketUnit = (period: DayRange): BucketUnit =>
  countDaysInclusive(period) <= dashboardRules.maxWeeklyDays ? "week" : "month";

/** Returns the period of the same length that ends on the day before this one begins. */
export const previousPeriod = ({ from, to }: DayRange): DayRange => ({
  from: addDays(from, -countDaysInclusive({ from, to })),
  to: addDays(from, -1),
});

/** Divides a period into calendar weeks, which begin on Monday, or into months. */
export function listBuckets({ from, to }: DayRange, unit: BucketUnit): Bucket[] {
  const buckets: Bucket[] = [];
  for (let key = firstDayOf(from, unit); key <= to;) {
    const next = firstDayOf(addDays(key, unit === "week" ? 7 : 31), unit);
    const last = addDays(next, -1);
    buckets.push({ key, from: key < from ? from : key, to: last > to ? to : last });
    key = next;
  }
  return buckets;
}

function firstDayOf(date: string, unit: BucketUnit): string {
  if (unit === "month") return `${date.slice(0, 7)}-01`;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((weekday + 6) % 7));
}

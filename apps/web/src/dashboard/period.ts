import { dashboardRules } from "@arcada/contract/dashboard/trend-buckets";
import { day } from "@arcada/contract/kernel/fields";
import { addDays, daysBetween } from "@arcada/contract/kernel/time-zone";
import type { SearchParams } from "../browser/navigation.tsx";
import { getToday } from "../i18n/time-zone.ts";

export interface Period {
  from: string;
  to: string;
}

/**
 * Returns the period from the address, or the default number of days up to today. A period that is too long is
 * shortened.
 */
export function parsePeriod({ from, to }: SearchParams, now: Date = new Date()): Period {
  const last = isDay(to) ? to : getToday(now);
  const first = isDay(from) && from <= last ? from : getFirstDay(last, dashboardRules.defaultDays);
  const earliest = getFirstDay(last, dashboardRules.maxDays);
  return { from: first < earliest ? earliest : first, to: last };
}

/** Returns the first day of a period of so many days that ends with this day. */
export const getFirstDay = (last: string, days: number): string => addDays(last, 1 - days);

export const countDays = ({ from, to }: Period): number => daysBetween(from, to) + 1;

const isDay = (text: string | undefined): text is string => text !== undefined && day.safeParse(text).success;

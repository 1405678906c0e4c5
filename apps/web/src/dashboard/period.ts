import { dashboardRules } from "@arcada/contract/dashboard/dashboard.calls";
import { day } from "@arcada/contract/kernel/fields";
import { daysAfter, daysBetween } from "@arcada/contract/kernel/time-zone";
import type { Search } from "../kernel/link.tsx";
import { today } from "../kernel/zone.ts";

export interface Period {
  from: string;
  to: string;
}

/**
 * Returns the period from the address, or the default number of days up to today. A period that is too long is
 * shortened.
 */
export function periodOf({ from, to }: Search, now: Date = new Date()): Period {
  const last = isDay(to) ? to : today(now);
  const first = isDay(from) && from <= last ? from : firstDay(last, dashboardRules.usualDays);
  const least = firstDay(last, dashboardRules.daysMost);
  return { from: first < least ? least : first, to: last };
}

/** Returns the first day of a period of so many days that ends with this day. */
export const firstDay = (last: string, days: number): string => daysAfter(last, 1 - days);

export const daysOf = ({ from, to }: Period): number => daysBetween(from, to) + 1;

const isDay = (text: string | undefined): text is string => text !== undefined && day.safeParse(text).success;

import { dashboardRules } from "@arcada/contract/dashboard/dashboard.calls";
import { day } from "@arcada/contract/kernel/fields";
import { daysAfter, daysBetween } from "@arcada/contract/kernel/time-zone";
import type { Search } from "../kernel/link.tsx";
import { today } from "../kernel/zone.ts";

export interface Period {
  from: string;
  to: string;
}

/** The time that the address names, or as many days as are usual up to today; what is too long ends sooner. */
export function periodOf({ from, to }: Search, now: Date = new Date()): Period {
  const last = isDay(to) ? to : today(now);
  const first = isDay(from) && from <= last ? from : firstDay(last, dashboardRules.usualDays);
  const least = firstDay(last, dashboardRules.daysMost);
  return { from: first < least ? least : first, to: last };
}

/** Of so many days that end with this one. */
export const firstDay = (last: string, days: number): string => daysAfter(last, 1 - days);

export const daysOf = ({ from, to }: Period): number => daysBetween(from, to) + 1;

const isDay = (text: string | undefined): text is string => text !== undefined && day.safeParse(text).success;

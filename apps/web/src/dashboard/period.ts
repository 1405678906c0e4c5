import dayjs from "dayjs";
import { dashboardRules } from "@arcada/contract/dashboard/dashboard.calls";
import type { Search } from "../kernel/link.tsx";

export interface Period {
  from: string;
  to: string;
  zone: number;
}

/** The time that the address names, or as many days as are usual up to today; what is too long ends sooner. */
export function periodOf({ from, to }: Search, now: Date = new Date()): Period {
  const last = isDay(to) ? to : dayjs(now).format("YYYY-MM-DD");
  const first = isDay(from) && from <= last ? from : firstDay(last, dashboardRules.usualDays);
  const least = firstDay(last, dashboardRules.daysMost);
  return { from: first < least ? least : first, to: last, zone: -now.getTimezoneOffset() };
}

/** Of so many days that end with this one. */
export const firstDay = (last: string, days: number): string =>
  dayjs(last)
    .subtract(days - 1, "day")
    .format("YYYY-MM-DD");

export const daysOf = ({ from, to }: Period): number => dayjs(to).diff(from, "day") + 1;

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && dayjs(text).format("YYYY-MM-DD") === text;

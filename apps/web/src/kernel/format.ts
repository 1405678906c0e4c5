import { languageTags } from "@arcada/contract/kernel/languages";
import { wallIn } from "@arcada/contract/kernel/time-zone";
import type { DayPattern } from "./day-entry.ts";
import { currentLanguage, directionOf, say } from "./texts.ts";
import type { Language } from "./texts.ts";
import { currentZone } from "./zone.ts";

/**
 * A calendar day (YYYY-MM-DD) stays the day that it is, and a device's wall clock, which names no zone, the time that it
 * is; an instant is shown by the clock of the reader's organisation.
 */
export const showDay = (value: string | null | undefined): string => shown(value, 0);
/** To the second, which is the default of the specification: what the product has recorded. */
export const showTime = (value: string | null | undefined): string => shown(value, 8);
/** What a person has entered to the minute. */
export const showMinute = (value: string | null | undefined): string => shown(value, 5);

function shown(value: string | null | undefined, timeLength: number): string {
  if (!value) return "–";
  const wall = withoutZone.test(value) ? value.replace(" ", "T") : wallIn(currentZone(), value);
  const [year = "", month = "", day = ""] = wall.slice(0, 10).split("-");
  const time = timeLength === 0 ? "" : ` ${wall.slice(11, 11 + timeLength).padEnd(timeLength, "00:00:00")}`;
  return days[currentLanguage()].replace("YYYY", year).replace("MM", month).replace("DD", day) + time;
}
const withoutZone = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?$/;
// English readers write days in two orders: the international form cannot be misread.
const days: Record<Language, DayPattern> = {
  zh: "YYYY-MM-DD",
  en: "YYYY-MM-DD",
  tr: "DD.MM.YYYY",
  es: "DD/MM/YYYY",
  ar: "DD/MM/YYYY",
  ru: "DD.MM.YYYY",
};

export const dayPatternOf = (language: Language): DayPattern => days[language];

/** Minutes under an hour, hours under a day, else days. */
export function showAgo(value: string, now: Date = new Date()): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(value)) / 60_000));
  if (minutes < 1) return say("common.ago.now");
  if (minutes < 60) return say("common.ago.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? say("common.ago.hours", { count: hours })
    : say("common.ago.days", { count: Math.floor(hours / 24) });
}

/** A measured number with the reader's decimal sign; figures are Latin in every language. */
export const showNumber = (value: number, digits = 0): string =>
  new Intl.NumberFormat(languageTags[currentLanguage()], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    numberingSystem: "latn",
    useGrouping: false,
    // What rounds to nothing has no minus before it.
    signDisplay: "negative",
  }).format(value);

/** One after another, with the comma of the language. */
export const showList = (parts: readonly string[]): string => parts.join(commas[currentLanguage()] ?? ", ");
const commas: Partial<Record<Language, string>> = { zh: "、", ar: "، " };

const units = ["B", "kB", "MB", "GB", "TB"] as const;
export function showBytes(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return together(`${step === 0 || value >= 100 ? Math.round(value) : showNumber(value, 1)}\u00a0${units[step]}`);
}

/** A number keeps its unit behind it where the words around them run from right to left. */
const together = (text: string): string => (directionOf(currentLanguage()) === "rtl" ? `\u2066${text}\u2069` : text);

import { languageTags } from "@arcada/contract/kernel/languages";
import { offsetText, wallIn } from "@arcada/contract/kernel/time-zone";
import type { DayPattern } from "./day-entry.ts";
import { currentLanguage, directionOf, say } from "./texts.ts";
import type { Language } from "./texts.ts";
import { currentZone } from "./zone.ts";

/**
 * Formats a calendar day. A day (YYYY-MM-DD) and a device's local time, which names no zone, are shown unchanged; an
 * instant is shown in the time zone of the reader's institution.
 */
export const showDay = (value: string | null | undefined): string => shown(value, 0);
/** Formats a time that the product has recorded, to the second, which is the default of the specification. */
export const showTime = (value: string | null | undefined): string => shown(value, 8);
/** The same for a reader who may not know the zone: a guest, whose browser may be elsewhere. */
export const showTimeWithZone = (value: string): string =>
  `${showTime(value)} ${together(`(${offsetText(currentZone(), value)})`)}`;
/** Formats a time that a person has entered, to the minute. */
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
    // A value that rounds to zero has no minus sign.
    signDisplay: "negative",
  }).format(value);

/** Joins a list with the comma of the language. */
export const showList = (parts: readonly string[]): string => parts.join(commas[currentLanguage()] ?? ", ");
const commas: Partial<Record<Language, string>> = { zh: "、", ar: "، " };

const units = ["B", "kB", "MB", "GB", "TB"] as const;
export function showBytes(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return together(`${step === 0 || value >= 100 ? Math.round(value) : showNumber(value, 1)}\u00a0${units[step]}`);
}

/** Keeps a number and the unit behind it in order in a right-to-left text. */
const together = (text: string): string => (directionOf(currentLanguage()) === "rtl" ? `\u2066${text}\u2069` : text);

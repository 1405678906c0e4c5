import { languageTags } from "@arcada/contract/kernel/languages";
import { formatOffset, localTimeIn } from "@arcada/contract/kernel/time-zone";
import type { DayPattern } from "./day-input.ts";
import { currentLanguage, getDirection, getText } from "./texts.ts";
import type { Language } from "./texts.ts";
import { getCurrentZone } from "./time-zone.ts";

/**
 * Formats a calendar day. A day (YYYY-MM-DD) and a device's local time, which names no zone, are shown unchanged; an
 * instant is shown in the time zone of the reader's institution.
 */
export const formatDay = (value: string | null | undefined): string => formatWallTime(value, 0);
/** Formats a time that the product has recorded, to the second, which is the default of the specification. */
export const formatTimestamp = (value: string | null | undefined): string => formatWallTime(value, 8);
/** As `formatTimestamp`, with the zone, for a reader who may not know it: a guest, whose browser may be elsewhere. */
export const showTimeWithZone = (value: string): string =>
  `${formatTimestamp(value)} ${isolateNumber(`(${formatOffset(getCurrentZone(), value)})`)}`;
/** Formats a time that a person has entered, to the minute. */
export const formatDateTime = (value: string | null | undefined): string => formatWallTime(value, 5);

function formatWallTime(value: string | null | undefined, timeLength: number): string {
  if (!value) return "–";
  const wallTime = withoutZone.test(value) ? value.replace(" ", "T") : localTimeIn(getCurrentZone(), value);
  const [year = "", month = "", day = ""] = wallTime.slice(0, 10).split("-");
  const time = timeLength === 0 ? "" : ` ${wallTime.slice(11, 11 + timeLength).padEnd(timeLength, "00:00:00")}`;
  return dayPatterns[currentLanguage()].replace("YYYY", year).replace("MM", month).replace("DD", day) + time;
}
const withoutZone = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?$/;
// English readers write days in two orders: the international form cannot be misread.
const dayPatterns: Record<Language, DayPattern> = {
  zh: "YYYY-MM-DD",
  en: "YYYY-MM-DD",
  tr: "DD.MM.YYYY",
  es: "DD/MM/YYYY",
  ar: "DD/MM/YYYY",
  ru: "DD.MM.YYYY",
};

export const getDayPattern = (language: Language): DayPattern => dayPatterns[language];

/** Minutes under an hour, hours under a day, else days. */
export function formatTimeAgo(value: string, now: Date = new Date()): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(value)) / 60_000));
  if (minutes < 1) return getText("common.ago.now");
  if (minutes < 60) return getText("common.ago.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? getText("common.ago.hours", { count: hours })
    : getText("common.ago.days", { count: Math.floor(hours / 24) });
}

/** A measured number with the reader's decimal sign; figures are Latin in every language. */
export const formatNumber = (value: number, digits = 0): string =>
  new Intl.NumberFormat(languageTags[currentLanguage()], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    numberingSystem: "latn",
    useGrouping: false,
    // A value that rounds to zero has no minus sign.
    signDisplay: "negative",
  }).format(value);

/** Joins a list with the comma of the language. */
export const formatList = (parts: readonly string[]): string => parts.join(commas[currentLanguage()] ?? ", ");
const commas: Partial<Record<Language, string>> = { zh: "、", ar: "، " };

const units = ["B", "kB", "MB", "GB", "TB"] as const;
export function formatBytes(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return isolateNumber(
    `${step === 0 || value >= 100 ? Math.round(value) : formatNumber(value, 1)}\u00a0${units[step]}`,
  );
}

/** Keeps a number and the unit behind it in order in a right-to-left text. */
const isolateNumber = (text: string): string =>
  getDirection(currentLanguage()) === "rtl" ? `\u2066${text}\u2069` : text;

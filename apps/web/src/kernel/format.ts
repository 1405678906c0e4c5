import dayjs from "dayjs";
import { languageTags } from "@arcada/contract/kernel/languages";
import { currentLanguage, directionOf, say } from "./texts.ts";
import type { Language } from "./texts.ts";

/** A calendar day (YYYY-MM-DD) stays the day that it is; an instant becomes the day in the reader's time zone. */
export const showDay = (value: string | null | undefined): string => shown(value, "");
export const showTime = (value: string | null | undefined): string => shown(value, " HH:mm");
export const showFullTime = (value: string | null | undefined): string => shown(value, " HH:mm:ss");

const shown = (value: string | null | undefined, time: string): string =>
  value ? dayjs(value).format(days[currentLanguage()] + time) : "–";
// English readers write days in two orders: the international form cannot be misread.
const days: Record<Language, string> = {
  zh: "YYYY-MM-DD",
  en: "YYYY-MM-DD",
  tr: "DD.MM.YYYY",
  es: "DD/MM/YYYY",
  ar: "DD/MM/YYYY",
  ru: "DD.MM.YYYY",
};

/** Minutes under an hour, hours under a day, else days. */
export function showAgo(value: string, now: Date = new Date()): string {
  const minutes = Math.max(0, dayjs(now).diff(value, "minute"));
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

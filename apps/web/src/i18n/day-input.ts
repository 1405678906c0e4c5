import { addDays } from "@arcada/contract/kernel/time-zone";

/** The date format of a language: the parts YYYY, MM and DD with one separator between them. */
export type DayPattern = "YYYY-MM-DD" | "DD.MM.YYYY" | "DD/MM/YYYY";

/** A day (YYYY-MM-DD) or a wall time (YYYY-MM-DDTHH:mm) as a field shows it. */
export function formatDayInput(value: string, pattern: DayPattern): string {
  const [, year, month, day, time] = completePattern.exec(value) ?? [];
  if (!year) return value;
  const formatted = pattern.replace("YYYY", year).replace("MM", month!).replace("DD", day!);
  return time ? `${formatted} ${time}` : formatted;
}
const completePattern = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?$/;

/**
 * Inserts the separators while digits are typed at the end; text with separators of another kind remains unchanged.
 * `longest`: 8 digits for a day, 12 for a day with a time.
 */
export function insertSeparators(text: string, pattern: DayPattern, longest: 8 | 12): string {
  const separator = pattern.includes("-") ? "-" : pattern[2]!;
  const digits = text.replace(/\D/g, "").slice(0, longest);
  const sizes = [...(separator === "-" ? [4, 2, 2] : [2, 2, 4]), 2, 2];
  const separators = [separator, separator, " ", ":"];
  const parts: string[] = [];
  for (let at = 0, part = 0; at < digits.length; at += sizes[part]!, part++)
    parts.push(digits.slice(at, at + sizes[part]!) + (digits.length > at + sizes[part]! ? separators[part]! : ""));
  const separated = parts.join("");
  // Digits alone, or text that was separated before and to which digits were added.
  return /^\d+$/.test(text) || isPartlySeparated(text, separated) ? separated : text;
}
const isPartlySeparated = (text: string, separated: string): boolean =>
  text.replace(/\D/g, "") === separated.replace(/\D/g, "") &&
  text.length < separated.length &&
  separated.startsWith(/^.*\D/.exec(text)?.[0] ?? "");

/**
 * Parses typed text as YYYY-MM-DD, or with `withTime` as YYYY-MM-DDTHH:mm. Returns null if it is not a day or not a
 * time. The year first is understood in every language, with any separator; days before months only if the language
 * writes them so.
 */
export function parseDayInput(text: string, pattern: DayPattern, withTime = false): string | null {
  if (text.length > maxInputLength) return null;
  const [dayPart, timePart] = splitDayAndTime(text.trim(), withTime);
  const day = parseDay(dayPart, pattern);
  if (!withTime) return timePart === "" ? day : null;
  const [, hour = "", minute = ""] = /^(\d{1,2}):?(\d\d)$/.exec(timePart) ?? [];
  const isTime = hour !== "" && Number(hour) < 24 && Number(minute) < 60;
  return day && isTime ? `${day}T${hour.padStart(2, "0")}:${minute}` : null;
}

/** The longest text that is read; the patterns below are not linear in longer ones. */
export const maxInputLength = 24;

function splitDayAndTime(text: string, withTime: boolean): [string, string] {
  if (!withTime) return [text, ""];
  const [, day = text, time = ""] = /^(\d{8}|.*?\d)[T ]?\s*(\d{1,2}:\d\d|\d{4})$/.exec(text) ?? [];
  return [day, time];
}

function parseDay(text: string, pattern: DayPattern): string | null {
  const isDayFirst = pattern.startsWith("DD");
  const plain = (isDayFirst ? /^(\d\d)(\d\d)(\d{4})$/ : /^(\d{4})(\d\d)(\d\d)$/).exec(text);
  const yearFirst = /^(\d{4})[-./年](\d{1,2})[-./月](\d{1,2})日?$/.exec(text);
  const dayFirst = isDayFirst ? /^(\d{1,2})[-./](\d{1,2})[-./](\d{4})$/.exec(text) : null;
  const [, year, month, day] = yearFirst ?? (isDayFirst ? null : plain) ?? [];
  if (year) return toValidDay(year, month!, day!);
  const [, first, second, last] = dayFirst ?? (isDayFirst ? plain : null) ?? [];
  return last ? toValidDay(last, second!, first!) : null;
}

/** Returns null for a day that does not exist, such as the 31st of a month with thirty days. */
function toValidDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && addDays(text, 0) === text ? text : null;
}

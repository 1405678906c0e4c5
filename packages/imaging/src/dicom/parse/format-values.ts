/**
 * A person name for people to read: the ideographic group of `Wang^XiaoDong=王^小东` when there is one.
 * Chinese, Japanese and Korean parts are joined without a space; the order is the file's (family, given, middle).
 * Source: PS3.5 6.2.1 (component groups).
 */
export function formatPersonName(raw: string): string {
  const [alphabetic = "", ideographic = "", phonetic = ""] = raw.split("=");
  const chosen = [ideographic, alphabetic, phonetic].find((group) => group.replaceAll("^", "").trim() !== "") ?? "";
  const parts = chosen
    .split("^")
    .slice(0, 3)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.join(parts.every(isEastAsian) ? "" : " ");
}

const isEastAsian = (part: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+$/u.test(part);

/** DICOM DA (also the old form with points) as yyyy-mm-dd; null when it is no day of the calendar. */
export function toIsoDate(raw: string | null): string | null {
  const [, year, month, day] = /^(\d{4})[.-]?(\d{2})[.-]?(\d{2})$/.exec(raw?.trim() ?? "") ?? [];
  if (year === undefined) return null;
  const iso = `${year}-${month}-${day}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}

/** DICOM TM as hh:mm:ss; parts left out read as 00. */
export function toIsoTime(raw: string | null): string | null {
  const [, hour, minute = "00", second = "00"] =
    /^(\d{2}):?(?:(\d{2}):?(?:(\d{2})(?:\.\d*)?)?)?$/.exec(raw?.trim() ?? "") ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  return `${hour}:${minute}:${second}`;
}

import { limited } from "./fields.ts";

/**
 * The zone of a session without an institution, and of an institution whose country has several zones and that chose
 * none.
 */
export const utcZone = "UTC";

/** An IANA name such as "Asia/Shanghai". Offsets such as "+08:00" are refused: they know no daylight-saving time. */
const zoneNamePattern = /^[A-Za-z][A-Za-z0-9_+-]{0,29}(?:\/[A-Za-z0-9_+-]{1,29}){0,2}$/;
export const isTimeZone = (name: string): boolean => zoneNamePattern.test(name) && findFormat(name) !== null;
export const timeZoneName = limited(60).regex(zoneNamePattern, "zoneUnknown").refine(isTimeZone, "zoneUnknown");

/** The zone of a country that has a single clock; where clocks differ, the one that CLDR calls primary, or UTC. */
export function zoneOfCountry(country: string): string {
  const cached = zoneByCountry.get(country);
  if (cached) return cached;
  const zone = primaryZones[country] ?? singleZone(listZones(country));
  if (countryPattern.test(country)) zoneByCountry.set(country, zone);
  return zone;
}
const zoneByCountry = new Map<string, string>();
const countryPattern = /^[A-Z]{2}$/;
function singleZone(zones: readonly string[]): string {
  const year = new Date().getUTCFullYear();
  const offsetPatterns = new Set(
    zones.map((zone) => [0, 6].map((month) => offsetMinutesIn(zone, Date.UTC(year, month, 15))).join()),
  );
  return (offsetPatterns.size === 1 && zones[0]) || utcZone;
}
/** CLDR, supplemental/metaZones.xml, primaryZones. */
const primaryZones: Readonly<Record<string, string>> = {
  CL: "America/Santiago",
  CN: "Asia/Shanghai",
  DE: "Europe/Berlin",
  EC: "America/Guayaquil",
  ES: "Europe/Madrid",
  MH: "Pacific/Majuro",
  MY: "Asia/Kuala_Lumpur",
  NZ: "Pacific/Auckland",
  PT: "Europe/Lisbon",
  UA: "Europe/Kiev",
  UZ: "Asia/Tashkent",
};

type RegionLocale = Intl.Locale & { getTimeZones?: () => string[] | undefined; timeZones?: string[] };
function listZones(country: string): string[] {
  if (!countryPattern.test(country)) return [];
  const locale: RegionLocale = new Intl.Locale(`und-${country}`);
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

type Instant = Date | number | string;
const toMilliseconds = (instant: Instant): number =>
  typeof instant === "number" ? instant : typeof instant === "string" ? Date.parse(instant) : instant.getTime();

/** The local time of a zone at an instant: YYYY-MM-DDTHH:mm:ss. */
export function localTimeIn(zone: string, instant: Instant): string {
  const parts: Record<string, string> = {};
  for (const { type, value } of (findFormat(zone) ?? findFormat(utcZone)!).formatToParts(toMilliseconds(instant)))
    parts[type] = value;
  const { year = "", month, day, hour, minute, second } = parts;
  return `${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** The calendar day of a zone at an instant: YYYY-MM-DD. */
export function localDayIn(zone: string, instant: Instant): string {
  const minute = Math.floor(toMilliseconds(instant) / 60_000);
  const known = latestDays.get(zone);
  if (known?.minute === minute) return known.day;
  const day = localTimeIn(zone, instant).slice(0, 10);
  // Before 1972, offsets were not whole minutes, so one minute could belong to two days.
  if (minute >= firstWholeMinute && latestDays.size < maxKnownZones) latestDays.set(zone, { minute, day });
  return day;
}
/** Every call needs the present day of its organisation, and formatting it takes longer than the rest of a list page. */
const latestDays = new Map<string, { minute: number; day: string }>();
const firstWholeMinute = Date.UTC(1972, 1, 1) / 60_000;
const maxKnownZones = 1000;

/** Returns a zone's offset from UTC at an instant, in minutes; positive if its clock is ahead. */
export const offsetMinutesIn = (zone: string, instant: Instant): number => {
  const wholeSecond = Math.floor(toMilliseconds(instant) / 1000) * 1000;
  return (Date.parse(`${localTimeIn(zone, wholeSecond)}Z`) - wholeSecond) / 60_000;
};

/**
 * Returns the instant at which a zone's clock shows a local time. An hour that occurs twice means the first; an hour
 * that the clock skips is read by the clock before the jump, as PostgreSQL does. Null if the text is no time.
 */
export function parseLocalTime(zone: string, localTime: string): Date | null {
  const asUtc = Date.parse(`${localTime.length === 10 ? `${localTime}T00:00` : localTime}Z`);
  if (Number.isNaN(asUtc)) return null;
  const [fromEarlierOffset, fromLaterOffset] = [-1, 1].map(
    (side) => asUtc - offsetMinutesIn(zone, asUtc + side * dayMs) * 60_000,
  );
  const matchingInstant = [fromEarlierOffset!, fromLaterOffset!].find(
    (at) => at + offsetMinutesIn(zone, at) * 60_000 === asUtc,
  );
  return new Date(matchingInstant ?? fromEarlierOffset!);
}
const dayMs = 86_400_000;

/** "UTC+8", "UTC−3:30", "UTC". */
export function formatOffset(zone: string, instant: Instant): string {
  const minutes = Math.round(offsetMinutesIn(zone, instant));
  if (minutes === 0) return "UTC";
  const [hours, remainingMinutes] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${remainingMinutes > 0 ? `:${String(remainingMinutes).padStart(2, "0")}` : ""}`;
}

/**
 * Formats a time for documents. Their readers may be anywhere, so it names its zone: "2026-11-24 00:29 (UTC+8,
 * Asia/Shanghai)".
 */
export function formatWithZone(zone: string, instant: Instant): string {
  const time = localTimeIn(zone, instant).slice(0, 16).replace("T", " ");
  return zone === utcZone ? `${time} UTC` : `${time} (${formatOffset(zone, instant)}, ${zone})`;
}

/** An instant as ISO 8601 by the clock of a zone, with its offset: 2026-11-24T00:29:00.000+08:00. */
export function formatIsoWithOffset(zone: string, instant: Instant): string {
  const at = new Date(toMilliseconds(instant));
  const minutes = Math.round(offsetMinutesIn(zone, at));
  const padTwoDigits = (value: number) => String(value).padStart(2, "0");
  const offset = `${padTwoDigits(Math.floor(Math.abs(minutes) / 60))}:${padTwoDigits(Math.abs(minutes) % 60)}`;
  const milliseconds = at.toISOString().slice(-5, -1);
  return `${localTimeIn(zone, at)}${milliseconds}${minutes === 0 ? "Z" : (minutes < 0 ? "-" : "+") + offset}`;
}

/** Calendar arithmetic on days as YYYY-MM-DD, which knows no zone. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
/** The same day some years later; 29 February becomes 1 March in a year that has none. */
export function addYears(date: string, years: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(Date.UTC(year + years, month - 1, day)).toISOString().slice(0, 10);
}

/** Full years between two days, negative where the second comes first; 29 February counts as passed on 1 March. */
export const yearsBetween = (from: string, to: string): number =>
  Number(to.slice(0, 4)) - Number(from.slice(0, 4)) - (to.slice(5) < from.slice(5) ? 1 : 0);

const formats = new Map<string, Intl.DateTimeFormat>();
/** Null if the name is not a zone. Building a format takes 50 µs, using one 1 µs. */
function findFormat(zone: string): Intl.DateTimeFormat | null {
  const cached = formats.get(zone);
  if (cached) return cached;
  try {
    const format = new Intl.DateTimeFormat("en", {
      timeZone: zone,
      calendar: "iso8601",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    if (formats.size >= maxFormats) formats.clear();
    formats.set(zone, format);
    return format;
  } catch {
    return null;
  }
}
/** Names are read without regard to case: as many as are in use, not as many as can be written. */
const maxFormats = 700;

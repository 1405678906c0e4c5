import {
  localDayIn,
  parseLocalTime,
  isTimeZone,
  formatOffset,
  utcZone,
  localTimeIn,
} from "@arcada/contract/kernel/time-zone";

/** The time zone of the institution in which the user works; null if they work in none, or nobody is signed in. */
let institutionZone: string | null = null;
/** Returns true if another zone was in use before. */
export function setInstitutionZone(institution: { timeZone: string } | null): boolean {
  const before = institutionZone;
  institutionZone = institution?.timeZone ?? null;
  return before !== null && before !== institutionZone;
}

/** The time zone of the browser. UTC if the browser hides it or names an unknown zone. */
export function getBrowserZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isTimeZone(timeZone) ? timeZone : utcZone;
}
/** The time zone in which days and times are shown and entered: the institution's, else the browser's. */
export const getCurrentZone = (): string => institutionZone ?? getBrowserZone();

export const getToday = (now: Date = new Date()): string => localDayIn(getCurrentZone(), now);
/** Formats an instant for a field for a day with a time: YYYY-MM-DDTHH:mm. */
export const toWallTime = (instant: Date | string = new Date()): string =>
  localTimeIn(getCurrentZone(), instant).slice(0, 16);
/**
 * Converts the value of such a field, or of a field for a day, into an instant. An invalid value is returned unchanged,
 * so that validation rejects it beside its field.
 */
export const parseWallTime = (text: string): string =>
  (wallTimePattern.test(text) && parseLocalTime(getCurrentZone(), text)?.toISOString()) || text;
const wallTimePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/;

/** Every time zone that the browser knows and the chosen one, with its current offset from UTC. */
export function listZoneOptions(chosen: string): { value: string; label: string }[] {
  const now = new Date();
  return [...new Set([utcZone, chosen, ...Intl.supportedValuesOf("timeZone")])]
    .toSorted((one, other) => one.localeCompare(other))
    .map((zone) => ({ value: zone, label: zone === utcZone ? zone : `${zone} (${formatOffset(zone, now)})` }));
}

import { dayIn, instantIn, isTimeZone, offsetText, plainZone, wallIn } from "@arcada/contract/kernel/time-zone";

/** The zone of the organisation in which the reader works; null: they work in none, or nobody is signed in. */
let institutionZone: string | null = null;
/** Answers whether another zone was in use before. */
export function followZone(institution: { timeZone: string } | null): boolean {
  const before = institutionZone;
  institutionZone = institution?.timeZone ?? null;
  return before !== null && before !== institutionZone;
}

/** Where the browser stands. One that keeps it to itself, or names none that is known, stands in UTC. */
export function browserZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isTimeZone(timeZone) ? timeZone : plainZone;
}
/** In which zone days and times are shown and entered: the organisation's, else the browser's. */
export const currentZone = (): string => institutionZone ?? browserZone();

export const today = (now: Date = new Date()): string => dayIn(currentZone(), now);
/** An instant as a field for a day with a time holds it: YYYY-MM-DDTHH:mm. */
export const wallClock = (instant: Date | string = new Date()): string => wallIn(currentZone(), instant).slice(0, 16);
/** What was entered in such a field, or in one for a day, as an instant; what is no time stays, to be refused beside its field. */
export const instantOf = (wall: string): string =>
  (wallShape.test(wall) && instantIn(currentZone(), wall)?.toISOString()) || wall;
const wallShape = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/;

/** Every zone that the browser knows and the chosen one, with how far each is from UTC now. */
export function zoneChoices(chosen: string): { value: string; label: string }[] {
  const now = new Date();
  return [...new Set([plainZone, chosen, ...Intl.supportedValuesOf("timeZone")])]
    .toSorted((one, other) => one.localeCompare(other))
    .map((zone) => ({ value: zone, label: zone === plainZone ? zone : `${zone} (${offsetText(zone, now)})` }));
}

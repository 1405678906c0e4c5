import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { RadiographRow, CephPatientRow } from "./ceph.store.ts";

/**
 * Returns the patient's age on the day of the radiograph, with the fraction of a year: norms of growing children change
 * by the year.
 */
function ageOnDay(
  { birth_date, age_given, age_given_on }: Omit<CephPatientRow, "name" | "number" | "sex">,
  day: string,
): number | null {
  const age = birth_date
    ? fractionalYears(birth_date, day)
    : age_given !== null && age_given_on !== null
      ? age_given + fractionalYears(age_given_on, day)
      : null;
  // A radiograph that is older than its patient has a wrong date.
  return age !== null && age >= 0 ? age : null;
}

/** Returns the years by the calendar, so that a birthday is a whole year; to a hundredth. */
function fractionalYears(from: string, to: string): number {
  const [year, rest] = [Number(from.slice(0, 4)), from.slice(4)];
  const whole = Number(to.slice(0, 4)) - year - (to.slice(4) < rest ? 1 : 0);
  const last = Date.parse(`${year + whole}-01-01`) + (Date.parse(from) - Date.parse(`${year}-01-01`));
  const part = (Date.parse(to) - last) / (365.25 * 86_400_000);
  return Math.round((whole + Math.min(0.99, Math.max(0, part))) * 100) / 100;
}

export const toSubject = (person: CephPatientRow | undefined, day: string): CephOpened["subject"] =>
  person ? { sex: person.sex, age: ageOnDay(person, day) } : { sex: null, age: null };

/** Returns the day of a radiograph: its own, or else the day of its arrival in the institution's time zone. */
export const acquisitionDay = (
  { takenAt, createdAt }: Pick<RadiographRow, "takenAt" | "createdAt">,
  zone: string,
): string => takenAt?.slice(0, 10) ?? localDayIn(zone, createdAt);

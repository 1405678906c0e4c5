import { cephLandmarks } from "@arcada/contract/ceph/ceph.schema";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import type { CephMeasureName } from "@arcada/analysis/ceph/measures";
import { nameAnalysis, nameMeasure } from "@arcada/analysis/ceph/literature-labels";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { TranslateIn } from "../platform/text/texts.ts";
import type { RadiographRow, CephPatientRow, ObservationRow } from "./ceph.store.ts";

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

const landmarkCode = "CEPH_LM_";

/** Returns the proposals of engines. If several engines saw the same thing, the latest one counts. */
export function buildProposals(seen: readonly ObservationRow[]): CephOpened["proposals"] {
  const scales = listScales(seen);
  const proposals: CephOpened["proposals"] = {
    scale: scales.length === 1 ? scales[0]!.width : null,
    scales,
    profile: null,
    landmarks: {},
  };
  for (const { code, geometry } of seen) {
    if (!geometry) continue;
    if (code === "CEPH_PROFILE" && "points" in geometry) proposals.profile = geometry.points;
    const landmark = cephLandmarks.find((id) => code === landmarkCode + id);
    if (landmark && "at" in geometry) proposals.landmarks[landmark] = geometry.at;
  }
  return proposals;
}

/**
 * This method mistook rows of tissue for rulers, with a claimed error of 2 % and an actual one of 20 %; its scales are
 * no longer offered.
 */
const withdrawnMethod = "tick-spectrum@1";

/** Returns all readings of the latest run that found a ruler: a single one would hide that there are others. */
function listScales(seen: readonly ObservationRow[]): CephOpened["proposals"]["scales"] {
  const read = seen.filter(({ code, method }) => code === "CEPH_SCALE" && method !== withdrawnMethod);
  const run = read.at(-1)?.run;
  return read.flatMap(({ run: ofRun, value, geometry }) => {
    const [from, to] = geometry && "points" in geometry ? geometry.points : [];
    if (ofRun !== run || typeof value !== "number" || value <= 0 || !from || !to) return [];
    return [{ width: value, mm: value * Math.hypot(to[0] - from[0], to[1] - from[1]) }];
  });
}

export type Translate = TranslateIn<"ceph">;

/** Names analyses and measures by their symbols, else in the reader's language. */
export const cephNames = {
  analysis: (name: CephAnalysis, translate: Translate): string =>
    nameAnalysis(name, (one) => translate(`analysis.${one}`)),
  measure: (name: CephMeasureName, translate: Translate): string =>
    nameMeasure(name, (one) => translate(`measure.${one}`)),
};

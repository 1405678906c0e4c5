import { cephLandmarks } from "@arcada/contract/ceph/ceph.shape";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import type { CephMeasureName } from "@arcada/analysis/ceph/measures";
import { analysisSigns, measureSigns } from "@arcada/analysis/ceph/signs";
import type { FilmRow, PersonRow, SeenRow } from "./ceph.store.ts";

const yearDays = 365.25;

/** Years between birth and film, with the part of a year: norms of growing children change by the year. */
export function ageAt(
  person: Omit<PersonRow, "name" | "number" | "sex">,
  film: Pick<FilmRow, "takenAt" | "createdAt">,
) {
  const day = Date.parse((film.takenAt ?? film.createdAt).slice(0, 10));
  const years = (from: string) => (day - Date.parse(from)) / 86_400_000 / yearDays;
  const { birth_date, age_given, age_given_on } = person;
  const age = birth_date
    ? years(birth_date)
    : age_given !== null && age_given_on !== null
      ? age_given + years(age_given_on)
      : null;
  return age === null || !(age >= 0) ? null : Math.round(age * 100) / 100;
}

export const subjectOf = (person: PersonRow | undefined, film: FilmRow): CephOpened["subject"] =>
  person ? { sex: person.sex, age: ageAt(person, film) } : { sex: null, age: null };

const landmarkCode = "CEPH_LM_";

/** What engines propose; of what several have seen, the latest. */
export function proposalsOf(seen: readonly SeenRow[]): CephOpened["proposals"] {
  const proposals: CephOpened["proposals"] = { scale: null, profile: null, landmarks: {} };
  for (const { code, value, geometry } of seen) {
    if (code === "CEPH_SCALE" && typeof value === "number" && value > 0) proposals.scale = value;
    if (code === "CEPH_PROFILE" && geometry?.points) proposals.profile = geometry.points;
    const landmark = cephLandmarks.find((id) => code === landmarkCode + id);
    if (landmark && geometry?.at) proposals.landmarks[landmark] = geometry.at;
  }
  return proposals;
}

export type Say = (key: string, values?: Record<string, string | number>) => string;

/** Analyses and measures by their signs, else in the reader's words. */
export const nameOf = {
  analysis: (name: CephAnalysis, say: Say): string => analysisSigns[name] ?? say(`analysis.${name}`),
  measure: (name: CephMeasureName, say: Say): string => measureSigns[name] ?? say(`measure.${name}`),
};

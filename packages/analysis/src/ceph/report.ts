import type { CephContent, CephLandmark, CephPopulation } from "@arcada/contract/ceph/ceph.shape";
import { cephAnalyses, type CephAnalysis } from "./analyses.ts";
import { cephFrame, type Places } from "./frame.ts";
import type { Place } from "./geometry.ts";
import { cephMeasures, withOcclusal, type CephMeasure, type CephMeasureName, type CephUnit } from "./measures.ts";
import { normsOf, type CephNorm, type NormSex } from "./norms.ts";
import { implausibleLandmarks } from "./plausible.ts";

/** The patient on the cephalogram. `age` is in years on the day of the radiograph. */
export interface CephSubject {
  sex: "male" | "female" | "other" | null;
  age: number | null;
}

/**
 * The reason for a missing value: unmarked landmarks, a length without a scale, or too few landmarks to tell left from
 * right.
 */
export type CephLack = { reason: "landmarks"; landmarks: CephLandmark[] } | { reason: "scale" } | { reason: "side" };

export interface CephRow {
  measure: CephMeasureName;
  unit: CephUnit;
  value: number | null;
  lack: CephLack | null;
  /** Measurement error of a human tracer, in the value's unit. */
  error: number | null;
  norm: ShownNorm | null;
  /** value - mean, only where the norm is one for this patient. */
  difference: number | null;
  /** Whole standard deviations between value and mean. */
  deviations: number | null;
  place: "below" | "within" | "above" | null;
  /** So near a limit that the error may have put it on this side. */
  isBorderline: boolean;
  /** Landmarks of a measured value in an implausible place: no conclusion is drawn from the value. */
  implausible: CephLandmark[];
}
export interface ShownNorm extends Pick<CephNorm, "mean" | "sd" | "source" | "range"> {
  /** It was found in people of other ages: shown, and nothing is concluded. */
  isOtherAge: boolean;
}

export interface CephReport {
  analysis: CephAnalysis;
  population: CephPopulation;
  isMm: boolean;
  faces: "right" | "left" | null;
  rows: CephRow[];
}

/**
 * All measurements of one analysis, each next to the norms of one population. A snapshot of it may be stored; the
 * source of truth is the tracing.
 */
export function cephReport(content: CephContent, subject: CephSubject, analysis: CephAnalysis): CephReport {
  const { places, isMm, faces } = cephFrame(content);
  const row: { measures: readonly CephMeasureName[]; isFunctional?: true } = cephAnalyses[analysis];
  const marked = row.isFunctional ? places : withOcclusal(places);
  const doubted = new Set(implausibleLandmarks(places));
  return {
    analysis,
    population: content.population,
    isMm,
    faces,
    rows: row.measures.map((measure) => {
      const norm = normFor(content.population, analysis, measure, subject);
      const of = measured(measure, marked, isMm, faces !== null);
      return held(of, norm, of.value === null ? [] : doubtedOf(measure, places, doubted));
    }),
  };
}

/** The measure needs these where teeth define the occlusal plane. */
function doubtedOf(measure: CephMeasureName, places: Places, doubted: ReadonlySet<CephLandmark>): CephLandmark[] {
  const { needs }: CephMeasure = cephMeasures[measure];
  const isTold = needs.includes("OcA") && !(places.OcA && places.OcP);
  const used: CephLandmark[] = isTold ? [...needs, "U6", "L6", "U1", "L1"] : [...needs];
  return [...new Set(used)].filter((id) => doubted.has(id));
}

type Measured = Pick<CephRow, "measure" | "unit" | "value" | "lack" | "error">;

/** Computes one measurement from points with the face on the right; lengths only if the points are in mm. */
export function measured(measure: CephMeasureName, places: Places, isMm: boolean, isSideKnown = true): Measured {
  const { unit, needs, of, error, isSided }: CephMeasure = cephMeasures[measure];
  const without = (lack: CephLack): Measured => ({ measure, unit, value: null, lack, error: null });
  const landmarks = needs.filter((id) => !places[id]);
  if (landmarks.length > 0) return without({ reason: "landmarks", landmarks });
  if (unit === "mm" && !isMm) return without({ reason: "scale" });
  if (isSided && !isSideKnown) return without({ reason: "side" });
  const value = of(places as Record<CephLandmark, Place>);
  // Two landmarks in one place make no line.
  if (!Number.isFinite(value)) return without({ reason: "landmarks", landmarks: [...needs] });
  return { measure, unit, value, lack: null, error };
}

function normFor(
  population: CephPopulation,
  analysis: CephAnalysis,
  measure: CephMeasureName,
  { sex, age }: CephSubject,
): ShownNorm | null {
  const isFor = (of: NormSex | undefined) => of === undefined || of === sex;
  const found = normsOf(population, analysis).find((row) => row.measure === measure && isFor(row.norm.sex))?.norm;
  if (!found) return null;
  const { mean, sd, range, source, from, to, perYear } = found;
  const isOtherAge = age === null || age < from || age >= to + 1;
  // A child below the range, or a patient of unknown age, gets the figures of the youngest age.
  const years = Math.min(grownAt, Math.max(from, age ?? from)) - from;
  return { mean: mean + (perYear ?? 0) * years, sd, source, isOtherAge, ...(range && { range }) };
}

const grownAt = 18;

function held(of: Measured, norm: ShownNorm | null, implausible: CephLandmark[]): CephRow {
  const { value, error } = of;
  const none = { ...of, norm, difference: null, deviations: null, place: null, isBorderline: false, implausible };
  if (value === null || !norm || norm.isOtherAge || implausible.length > 0) return none;
  const difference = value - norm.mean;
  const limits = limitsOf(norm);
  const [low, high] = limits ?? [0, 0];
  return {
    ...of,
    norm,
    difference,
    deviations: norm.sd ? Math.floor(Math.abs(difference) / norm.sd + 1e-9) : null,
    place: limits && (value < low ? "below" : value > high ? "above" : "within"),
    isBorderline: limits !== null && error !== null && limits.some((limit) => Math.abs(value - limit) <= error),
    implausible,
  };
}

/** Between which values one is called within the norm. */
const limitsOf = ({ mean, sd, range }: ShownNorm): readonly [number, number] | null =>
  range ?? (sd ? [mean - sd, mean + sd] : null);

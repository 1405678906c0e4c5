import type { CephContent, CephLandmark, CephPopulation } from "@arcada/contract/ceph/ceph.schema";
import { cephAnalyses, type CephAnalysis, type CephAnalysisDefinition } from "./analyses.ts";
import { normaliseTracing, type LandmarkPoints } from "./normalised-tracing.ts";
import type { Point } from "./plane-geometry.ts";
import {
  cephMeasures,
  withDefaultOcclusalPlane,
  type CephMeasure,
  type CephMeasureName,
  type CephUnit,
} from "./measures.ts";
import { normsOf, type CephNorm, type NormSex } from "./norms.ts";
import { findImplausibleLandmarks } from "./implausible-landmarks.ts";

/** The patient on the cephalogram. `age` is in years on the day of the radiograph. */
export interface CephSubject {
  sex: "male" | "female" | "other" | null;
  age: number | null;
}

/**
 * The reason for a missing value: unmarked landmarks, a length without a scale, or too few landmarks to tell left from
 * right.
 */
export type CephMissingReason =
  | { reason: "landmarks"; landmarks: CephLandmark[] }
  | { reason: "scale" }
  | { reason: "side" };

export interface CephRow {
  measure: CephMeasureName;
  unit: CephUnit;
  value: number | null;
  lack: CephMissingReason | null;
  /** Measurement error of a human tracer, in the value's unit. */
  error: number | null;
  norm: AppliedNorm | null;
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
export interface AppliedNorm extends Pick<CephNorm, "mean" | "sd" | "source" | "range"> {
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
export function createCephReport(content: CephContent, subject: CephSubject, analysis: CephAnalysis): CephReport {
  const { points, isMm, faces } = normaliseTracing(content);
  const definition: CephAnalysisDefinition = cephAnalyses[analysis];
  const marked = definition.isFunctional ? points : withDefaultOcclusalPlane(points);
  const implausibleIds = new Set(findImplausibleLandmarks(points));
  return {
    analysis,
    population: content.population,
    isMm,
    faces,
    rows: definition.measures.map((measure) => {
      const norm = normFor(content.population, analysis, measure, subject);
      const result = measureCeph(measure, marked, isMm, faces !== null);
      return compareWithNorm(
        result,
        norm,
        result.value === null ? [] : findImplausibleInputs(measure, points, implausibleIds),
      );
    }),
  };
}

/** The measure needs these where teeth define the occlusal plane. */
function findImplausibleInputs(
  measure: CephMeasureName,
  points: LandmarkPoints,
  implausibleIds: ReadonlySet<CephLandmark>,
): CephLandmark[] {
  const { needs }: CephMeasure = cephMeasures[measure];
  const isPlaneFromTeeth = needs.includes("OcA") && !(points.OcA && points.OcP);
  const inputs: CephLandmark[] = isPlaneFromTeeth ? [...needs, "U6", "L6", "U1", "L1"] : [...needs];
  return [...new Set(inputs)].filter((id) => implausibleIds.has(id));
}

type CephMeasurement = Pick<CephRow, "measure" | "unit" | "value" | "lack" | "error">;

/** Computes one measurement from points with the face on the right; lengths only if the points are in mm. */
export function measureCeph(
  measure: CephMeasureName,
  points: LandmarkPoints,
  isMm: boolean,
  isSideKnown = true,
): CephMeasurement {
  const { unit, needs, compute: measurement, error, isSided }: CephMeasure = cephMeasures[measure];
  const unavailable = (lack: CephMissingReason): CephMeasurement => ({ measure, unit, value: null, lack, error: null });
  const landmarks = needs.filter((id) => !points[id]);
  if (landmarks.length > 0) return unavailable({ reason: "landmarks", landmarks });
  if (unit === "mm" && !isMm) return unavailable({ reason: "scale" });
  if (isSided && !isSideKnown) return unavailable({ reason: "side" });
  const value = measurement(points as Record<CephLandmark, Point>);
  // Two landmarks in one place make no line.
  if (!Number.isFinite(value)) return unavailable({ reason: "landmarks", landmarks: [...needs] });
  return { measure, unit, value, lack: null, error };
}

function normFor(
  population: CephPopulation,
  analysis: CephAnalysis,
  measure: CephMeasureName,
  { sex, age }: CephSubject,
): AppliedNorm | null {
  const appliesTo = (normSex: NormSex | undefined) => normSex === undefined || normSex === sex;
  const norm = normsOf(population, analysis).find((row) => row.measure === measure && appliesTo(row.norm.sex))?.norm;
  if (!norm) return null;
  const { mean, sd, range, source, from, to, perYear } = norm;
  const isOtherAge = age === null || age < from || age >= to + 1;
  // A child below the range, or a patient of unknown age, gets the figures of the youngest age.
  const years = Math.min(adultAge, Math.max(from, age ?? from)) - from;
  return { mean: mean + (perYear ?? 0) * years, sd, source, isOtherAge, ...(range && { range }) };
}

const adultAge = 18;

function compareWithNorm(measurement: CephMeasurement, norm: AppliedNorm | null, implausible: CephLandmark[]): CephRow {
  const { value, error } = measurement;
  const notCompared = {
    ...measurement,
    norm,
    difference: null,
    deviations: null,
    place: null,
    isBorderline: false,
    implausible,
  };
  if (value === null || !norm || norm.isOtherAge || implausible.length > 0) return notCompared;
  const difference = value - norm.mean;
  const limits = normLimits(norm);
  const [low, high] = limits ?? [0, 0];
  return {
    ...measurement,
    norm,
    difference,
    deviations: norm.sd ? Math.floor(Math.abs(difference) / norm.sd + 1e-9) : null,
    place: limits && (value < low ? "below" : value > high ? "above" : "within"),
    isBorderline: limits !== null && error !== null && limits.some((limit) => Math.abs(value - limit) <= error),
    implausible,
  };
}

/** Between which values one is called within the norm. */
const normLimits = ({ mean, sd, range }: AppliedNorm): readonly [number, number] | null =>
  range ?? (sd ? [mean - sd, mean + sd] : null);

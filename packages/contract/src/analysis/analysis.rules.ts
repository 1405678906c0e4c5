import type { StudyKind } from "../study/study.rules.ts";
import { engineFaults, type EngineInfo } from "./observation.ts";

/** Reasons for a failed analysis: the engine's own faults, and those of the process that runs it. */
export const analysisErrors = [
  ...engineFaults,
  "interrupted",
  "internal",
  "imageMissing",
  "engineMissing",
  "packsForbidden",
] as const;
export type AnalysisError = (typeof analysisErrors)[number];

export const analysisRules = {
  /**
   * The heartbeat interval of a process that runs an engine. After `silenceSeconds` without a heartbeat it counts as
   * lost.
   */
  heartbeatSeconds: 1,
  silenceSeconds: 10,
  /** Packs and servers of an institution. */
  maxEngines: 20,
  /** Characters of a manifest or a card. */
  maxTextLength: 100_000,
  /** Clinics that an operator names for one included pack; more of them are all. */
  maxChosenClinics: 200,
  /** Images of a study that one analysis examines. */
  maxImages: 50,
  /** An engine runs by itself on images taken in the last days; an import of old ones would use up the quota. */
  onUploadDays: 90,
} as const;

/** The DICOM modality of a kind of study; null if no engine examines it. */
export const modalityByKind: Record<StudyKind, EngineInfo["modalities"][number] | null> = {
  panorama: "PX",
  lateralCeph: "DX",
  xRay: "DX",
  dentalFilm: "IO",
  ct: "CT",
  photo: "XC",
  video: null,
  model: null,
  document: null,
};

/** Codes that are of one kind of image alone begin so. */
const kindsByCodePrefix: Readonly<Record<string, readonly StudyKind[]>> = {
  IQ_: ["panorama", "lateralCeph", "xRay", "dentalFilm", "photo"],
  PAN_: ["panorama"],
  CEPH_: ["lateralCeph"],
  CBCT_: ["ct"],
};
/** Returns the codes that an engine with these codes looks for in an image of the given kind. */
export const codesApplicableTo = (kind: StudyKind, codes: readonly string[]): string[] =>
  codes.filter((code) => {
    const prefix = Object.keys(kindsByCodePrefix).find((candidate) => code.startsWith(candidate));
    return prefix === undefined || kindsByCodePrefix[prefix]!.includes(kind);
  });

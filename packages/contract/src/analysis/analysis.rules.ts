import type { StudyKind } from "../study/study.rules.ts";
import { engineFaults, type EngineInfo } from "./observation.ts";

/** Why an analysis failed: the engine's own faults, and those of whoever runs it. */
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
  /** Whoever runs an engine says so that often, and is given up after so long a silence. */
  beatSeconds: 1,
  silenceSeconds: 10,
  /** Packs and servers of an organisation. */
  enginesMost: 20,
  /** Letters of a manifest or a card. */
  textMost: 100_000,
  /** Images of a study that are looked at in one go. */
  imagesMost: 50,
} as const;

/** DICOM's word for what a study shows; null for what no engine looks at. */
export const modalityOf: Record<StudyKind, EngineInfo["modalities"][number] | null> = {
  panorama: "PX",
  lateralCeph: "DX",
  xRay: "DX",
  dentalFilm: "IO",
  ct: "CT",
  photo: "XC",
  model: null,
  document: null,
};

/** Codes that are of one kind of image alone begin so. */
const kindOfCode: Readonly<Record<string, readonly StudyKind[]>> = {
  IQ_: ["panorama", "lateralCeph", "xRay", "dentalFilm", "photo"],
  PAN_: ["panorama"],
  CEPH_: ["lateralCeph"],
  CBCT_: ["ct"],
};
/** What an engine that may answer all of these looks for in an image of a kind. */
export const lookedForIn = (kind: StudyKind, codes: readonly string[]): string[] =>
  codes.filter((code) => {
    const prefix = Object.keys(kindOfCode).find((one) => code.startsWith(one));
    return prefix === undefined || kindOfCode[prefix]!.includes(kind);
  });

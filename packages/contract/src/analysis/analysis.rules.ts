import { engineFaults } from "./observation.ts";

/** Why an analysis failed: the engine's own faults, and those of whoever runs it. */
export const analysisErrors = [...engineFaults, "interrupted", "internal", "imageMissing", "engineMissing"] as const;
export type AnalysisError = (typeof analysisErrors)[number];

export const analysisRules = {
  /** Whoever runs an engine says so that often, and is given up after so long a silence. */
  beatSeconds: 1,
  silenceSeconds: 15,
  packsMost: 20,
  remotesMost: 5,
  packBytes: 2 * 1024 ** 3,
} as const;

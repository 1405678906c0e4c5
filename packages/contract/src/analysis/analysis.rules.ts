import { engineFaults } from "./observation.ts";

/** Why an analysis failed: the engine's own faults, and those of whoever runs it. */
export const analysisErrors = [...engineFaults, "interrupted", "internal", "imageMissing", "engineMissing"] as const;
export type AnalysisError = (typeof analysisErrors)[number];

export const analysisRules = {
  /** Whoever runs an engine says so that often, and is given up after so long a silence. */
  beatSeconds: 1,
  silenceSeconds: 15,
  /** Packs and servers of an organisation. */
  enginesMost: 20,
  /** Letters of a manifest or a card. */
  textMost: 100_000,
  /** Images of a study that are looked at in one go. */
  imagesMost: 50,
} as const;

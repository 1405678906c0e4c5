import type { SlabMode } from "@arcada/imaging/gl/volume-painter";

export const slabModes = ["max", "mean", "min"] as const satisfies readonly SlabMode[];

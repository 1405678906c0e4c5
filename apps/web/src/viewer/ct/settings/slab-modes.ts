import type { SlabMode } from "@arcada/imaging/gl/volume-viewport-renderer";

export const slabModes = ["max", "mean", "min"] as const satisfies readonly SlabMode[];

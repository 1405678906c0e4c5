import type { SlabMode } from "@arcada/imaging/gl/content-renderer";

export const slabModes = ["max", "mean", "min"] as const satisfies readonly SlabMode[];

import { createDisplayLine } from "@arcada/imaging/arch/detection/extend-behind-teeth";
import type { DetectedArches, Jaw } from "@arcada/imaging/arch/detection/detected-arches";
import { toothLayers } from "@arcada/imaging/arch/detection/detect-arches";
import { createCurvedSurface, patientToCurvedSurface } from "@arcada/imaging/arch/curved-surface";
import type { JawArch } from "@arcada/imaging/jaws/bone-crest";
import type { LowerJawFrame } from "@arcada/imaging/canal/suggest-canal";
import { dot } from "@arcada/imaging/geometry/vector";
import { computeTissueLevels } from "@arcada/imaging/volume/hard-tissue";
import type { EngineVolume } from "../engine.ts";

/** The arches of a volume, and the few values that they were found in. */
export interface CoarseFinding extends EngineVolume {
  found: DetectedArches;
}

/** Returns where the lower jaw lies, from its arch and the rami behind it; null where it was not found. */
export function createLowerJawFrame(coarse: CoarseFinding): LowerJawFrame | null {
  const arch = createJawArch(coarse, "lower");
  const softTissue = findSoftTissue(coarse.values);
  return arch && softTissue !== null ? { ...arch, softTissue } : null;
}

/** Returns a jaw's row of teeth with the line behind it; null where the row was not found. */
export function createJawArch({ geometry, found }: CoarseFinding, jaw: Jaw): JawArch | null {
  const line = found[jaw];
  const display = createDisplayLine(geometry, found, jaw);
  const surface = display && createCurvedSurface(display, found.up);
  if (!line || !surface) return null;
  const [first, last] = [line[0], line[line.length - 1]].map((end) => patientToCurvedSurface(surface, end).along);
  return {
    surface,
    teeth: [Math.min(first, last), Math.max(first, last)],
    occlusalHeight: findOcclusalHeight(found, jaw, line),
  };
}

/** The line of an arch runs in the middle of the heights between which its teeth were searched. */
export function findOcclusalHeight({ up }: DetectedArches, jaw: Jaw, line: NonNullable<DetectedArches[Jaw]>): number {
  const [low, high] = toothLayers[jaw];
  return line.reduce((sum, point) => sum + dot(point, up), 0) / line.length - (low + high) / 2;
}

/** The median of what is neither air nor bone: fat, muscle and the content of canals differ little. */
export function findSoftTissue(values: Int16Array): number | null {
  const levels = computeTissueLevels(values);
  if (!levels) return null;
  const step = Math.max(1, Math.floor(values.length / 60_000) | 1);
  const soft: number[] = [];
  for (let at = 0; at < values.length; at += step)
    if (values[at] > levels.air && values[at] < levels.bone) soft.push(values[at]);
  return soft.length === 0 ? null : soft.sort((a, b) => a - b)[soft.length >> 1];
}

import { curvedSurfaceToPatient, type CurvedSurface } from "../arch/curved-surface.ts";
import type { Vector } from "../geometry/vector.ts";
import { sampleAtPatient, type VoxelGrid } from "../surface/voxel-grid.ts";
import type { Jaw } from "../arch/detection/detected-arches.ts";

/** The course of a row of teeth, and the grey values of its volume. */
export interface ToothRow {
  jaw: Jaw;
  /** Along the teeth alone. */
  surface: CurvedSurface;
  /** Height along the surface's `up` at which the rows of teeth meet, mm. */
  occlusalHeight: number;
  /** Grey values of soft tissue and of dentine. */
  softTissue: number;
  dentine: number;
}

/** Grey values of a row of teeth, straightened: `[depth][along][out]`; 0 where the volume ends. */
export interface ToothRowSamples {
  counts: { depths: number; alongs: number; outs: number };
  values: Float32Array;
  /** The patient point of a sample. */
  toPatient: (depth: number, along: number, out: number) => Vector;
}

/** mm between samples. */
export const sampleStep = 0.6;
/** mm from where the rows meet into the jaw, and to both sides of the middle of the row. */
const deepest = 25;
const outReach = 7.2;

/** The depth of a sample from where the rows of teeth meet, mm, and its way to lips and cheeks. */
export const toDepth = (index: number): number => (index + 0.5) * sampleStep;
export const toOut = (index: number): number => index * sampleStep - outReach;

/** Samples the volume along a row of teeth. */
export function sampleToothRow(grid: VoxelGrid, { jaw, surface, occlusalHeight }: ToothRow): ToothRowSamples {
  const counts = {
    depths: Math.floor(deepest / sampleStep),
    alongs: Math.floor(surface.length / sampleStep) + 1,
    outs: Math.round((2 * outReach) / sampleStep) + 1,
  };
  const inwards = jaw === "upper" ? 1 : -1;
  const toPatient = (depth: number, along: number, out: number): Vector =>
    curvedSurfaceToPatient(surface, {
      along: along * sampleStep,
      height: occlusalHeight + inwards * toDepth(depth),
      out: toOut(out),
    });
  const values = new Float32Array(counts.depths * counts.alongs * counts.outs);
  let at = 0;
  for (let depth = 0; depth < counts.depths; depth++)
    for (let along = 0; along < counts.alongs; along++)
      for (let out = 0; out < counts.outs; out++, at++) {
        const value = sampleAtPatient(grid, toPatient(depth, along, out));
        values[at] = Number.isNaN(value) ? 0 : value;
      }
  return { counts, values, toPatient };
}

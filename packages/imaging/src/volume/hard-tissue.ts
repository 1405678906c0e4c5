import type { Vector } from "../geometry/vector.ts";
import { axesOf, type VolumeGeometry } from "./volume-geometry.ts";

/** Voxels of bone and teeth: x, y, z (patient LPS, mm) and how hard they are, one after another. */
export interface HardTissue {
  /** Four numbers for each voxel; the last is 0 at the edge of bone, 1 where dentine begins, and 2 at most. */
  voxels: Float32Array;
  count: number;
  /** Volume of a voxel, mm³. */
  voxel: number;
}

/**
 * Finds hard tissue by the values alone, whatever their scale. Null if a volume has no distinct class of such values.
 */
export function extractHardTissue(geometry: VolumeGeometry, values: Int16Array): HardTissue | null {
  const levels = computeTissueLevels(values);
  if (!levels) return null;
  const { columns, rows, slices, origin, spacing } = geometry;
  const [across, down, up] = axesOf(geometry);
  const voxels: number[] = [];
  const start = (slice: number, row: number): Vector => [
    origin[0] + slice * spacing[2] * up[0] + row * spacing[1] * down[0],
    origin[1] + slice * spacing[2] * up[1] + row * spacing[1] * down[1],
    origin[2] + slice * spacing[2] * up[2] + row * spacing[1] * down[2],
  ];
  let at = 0;
  for (let slice = 0; slice < slices; slice++) {
    for (let row = 0; row < rows; row++) {
      const [x, y, z] = start(slice, row);
      for (let column = 0; column < columns; column++, at++) {
        const hard = (values[at] - levels.bone) / (levels.dentine - levels.bone);
        if (hard <= 0) continue;
        const mm = column * spacing[0];
        voxels.push(x + mm * across[0], y + mm * across[1], z + mm * across[2], Math.min(2, hard));
      }
    }
  }
  const count = voxels.length / 4;
  return { voxels: Float32Array.from(voxels), count, voxel: spacing[0] * spacing[1] * spacing[2] };
}

const bins = 128;

/** Stored values that part a volume's tissues. */
export interface TissueLevels {
  /** The highest of air. */
  air: number;
  /** The lowest value of compact bone. */
  bone: number;
  dentine: number;
}

/**
 * Finds the upper limit of air and the lower limits of bone and of dentine. Air, soft and hard tissue are separated
 * where the variance between the three is greatest (N. Otsu, "A Threshold Selection Method from Gray-Level Histograms",
 * 1979).
 */
export function computeTissueLevels(values: Int16Array | Int32Array): TissueLevels | null {
  const sorted = sampleValues(values).sort();
  const [low, high] = [sorted[0], sorted[Math.floor(sorted.length * 0.998)]];
  if (high - low < 8) return null;
  const counts = new Float64Array(bins);
  for (const value of sorted) counts[Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))]++;
  const [air, bone] = findOtsuThresholds(counts).map((bin) => low + (bin / bins) * (high - low)) as [number, number];
  const hard = sorted.subarray(sorted.findIndex((value) => value > bone));
  const dentine = hard[Math.floor(hard.length * 0.85)];
  return dentine > bone ? { air, bone, dentine } : null;
}

/** Some tens of thousands of values, evenly taken. */
function sampleValues(values: Int16Array | Int32Array): Int32Array {
  const step = Math.max(1, Math.floor(values.length / 60_000) | 1);
  const sampled = new Int32Array(Math.ceil(values.length / step));
  for (let at = 0; at < sampled.length; at++) sampled[at] = values[at * step];
  return sampled;
}

/** Two thresholds over a histogram, in bins. */
function findOtsuThresholds(counts: Float64Array): [number, number] {
  const [mass, moment] = [new Float64Array(bins + 1), new Float64Array(bins + 1)];
  for (let bin = 0; bin < bins; bin++) {
    mass[bin + 1] = mass[bin] + counts[bin];
    moment[bin + 1] = moment[bin] + counts[bin] * bin;
  }
  const spread = (from: number, to: number): number => {
    const inside = mass[to] - mass[from];
    return inside === 0 ? 0 : (moment[to] - moment[from]) ** 2 / inside;
  };
  let best: [number, number] = [0, bins - 1];
  let most = -1;
  for (let first = 1; first < bins - 1; first++) {
    for (let second = first + 1; second < bins; second++) {
      const between = spread(0, first) + spread(first, second) + spread(second, bins);
      if (between <= most) continue;
      [best, most] = [[first, second], between];
    }
  }
  return best;
}

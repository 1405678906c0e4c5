import type { Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { findToothSpans, type ToothSpan } from "./tooth-spans.ts";
import { sampleStep, sampleToothRow, toDepth, type ToothRow, type ToothRowSamples } from "./tooth-row-samples.ts";

/** A tooth as a cone from its neck to its apex; patient LPS and radii in mm. */
export interface SegmentedTooth {
  neck: Vector;
  apex: Vector;
  wide: number;
  thin: number;
}

/** The teeth of a row whose borders to their neighbours are clear. */
export interface SegmentedRow {
  samples: ToothRowSamples;
  /** 1 for the first tooth, and so on; 0 elsewhere: `[depth][along][out]`. */
  labels: Uint8Array;
  teeth: SegmentedTooth[];
}

/**
 * Separates the teeth of a row, coarsely: bright cores between dark borders, followed from the crown to the apex. A
 * crown is no wider below than above, so the compact bone that a root touches is not taken for it.
 */
export function segmentTeeth(grid: VoxelGrid, row: ToothRow): SegmentedRow {
  const samples = sampleToothRow(grid, row);
  const labels = new Uint8Array(samples.values.length);
  const teeth: SegmentedTooth[] = [];
  for (const span of findToothSpans(samples, row)) {
    const levels = followTooth(samples, span, row);
    const tooth = describeTooth(samples, span, levels);
    if (!tooth) continue;
    teeth.push(tooth);
    paint(samples, span, levels, labels, teeth.length);
  }
  return { samples, labels, teeth };
}

/** Share of the way from soft tissue to dentine from which a sample is tooth: above spongy bone, below dentine. */
const toothShare = 0.68;
/** mm from where the rows meet at which crowns end and roots begin, about. */
const neckDepth = 7;
/** mm to lips and cheeks, and back, within which a crown lies. */
const crownReach = 6;
/** Roots taper: the most of the section above that a wider search may find. */
const mostOfAbove = 0.97;
/** The least area of a root's section, mm². */
const leastArea = 2.5;

/** The samples of a tooth in one depth, `[along - from][out]`. */
type Level = Uint8Array;

function followTooth({ counts, values }: ToothRowSamples, { from, to }: ToothSpan, row: ToothRow): Level[] {
  const { outs, alongs, depths } = counts;
  const least = row.softTissue + toothShare * (row.dentine - row.softTissue);
  const width = to - from + 1;
  const levels: Level[] = [];
  for (let depth = 0; depth < depths; depth++) {
    const bright = new Uint8Array(width * outs);
    for (let along = 0; along < width; along++)
      for (let out = 0; out < outs; out++) {
        const isNear = Math.abs(out - (outs - 1) / 2) * sampleStep <= crownReach;
        if (isNear && values[(depth * alongs + from + along) * outs + out] > least) bright[along * outs + out] = 1;
      }
    const above = levels[depth - 1];
    const level = above && toDepth(depth) > neckDepth - 1 ? keepUnder(bright, above, outs) : bright;
    if (toDepth(depth) > neckDepth && areaOf(level) < leastArea) break;
    levels.push(level);
  }
  return levels;
}

/** The bright samples under a tooth's section or beside it by one, unless they are more than it has. */
function keepUnder(bright: Level, above: Level, outs: number): Level {
  const isUnder = (at: number): boolean => above[at] === 1;
  const near = bright.map((is, at) =>
    is === 1 &&
    (isUnder(at) ||
      isUnder(at - outs) ||
      isUnder(at + outs) ||
      (at % outs > 0 && isUnder(at - 1)) ||
      (at % outs < outs - 1 && isUnder(at + 1)))
      ? 1
      : 0,
  );
  return areaOf(near) <= mostOfAbove * areaOf(above) ? near : bright.map((is, at) => (is === 1 && isUnder(at) ? 1 : 0));
}

const areaOf = (level: Level): number => level.reduce((sum, is) => sum + is, 0) * sampleStep ** 2;

/** mm of root at least; a crown without one is a bridge, or not a tooth. */
const shortestRoot = 4;
/** Share of the root's length from the neck at which its lower width is taken. */
const lowerShare = 0.75;

function describeTooth(samples: ToothRowSamples, { from }: ToothSpan, levels: readonly Level[]): SegmentedTooth | null {
  const neckLevel = levels.findIndex((_, depth) => toDepth(depth) >= neckDepth);
  const last = levels.length - 1;
  if (neckLevel < 0 || (last - neckLevel) * sampleStep < shortestRoot) return null;
  const lower = Math.round(neckLevel + lowerShare * (last - neckLevel));
  const middleOf = (depth: number): Vector => {
    const [along, out] = findMiddle(levels[depth], samples.counts.outs);
    return samples.toPatient(depth, from + along, out);
  };
  return {
    neck: middleOf(neckLevel),
    apex: middleOf(last),
    wide: Math.sqrt(areaOf(levels[neckLevel]) / Math.PI),
    thin: Math.max(0.6, 0.7 * Math.sqrt(areaOf(levels[lower]) / Math.PI)),
  };
}

function findMiddle(level: Level, outs: number): [along: number, out: number] {
  let [along, out, count] = [0, 0, 0];
  level.forEach((is, at) => {
    if (is === 0) return;
    along += Math.floor(at / outs);
    out += at % outs;
    count++;
  });
  return [along / Math.max(1, count), out / Math.max(1, count)];
}

function paint(
  { counts: { alongs, outs } }: ToothRowSamples,
  { from }: ToothSpan,
  levels: readonly Level[],
  labels: Uint8Array,
  number: number,
): void {
  levels.forEach((level, depth) =>
    level.forEach((is, at) => {
      if (is === 1) labels[(depth * alongs + from + Math.floor(at / outs)) * outs + (at % outs)] = number;
    }),
  );
}

import { curvedSurfaceToPatient, type CurvedSurface } from "../arch/curved-surface.ts";
import type { Jaw } from "../arch/detection/detected-arches.ts";
import { sampleAtPatient, type VoxelGrid } from "../surface/voxel-grid.ts";

/** A jaw's row of teeth, and the line that continues behind it. */
export interface JawArch {
  surface: CurvedSurface;
  /** The span of the teeth along the surface, mm, from the patient's right. */
  teeth: readonly [number, number];
  /** Height along the surface's `up` at which the rows of teeth meet, mm. */
  occlusalHeight: number;
}

/** The crest of a jaw's bone along its teeth. */
export interface BoneCrest {
  /** mm between two places along the teeth. */
  step: number;
  /** mm from the plane in which the teeth meet to the bone, for each place from the first tooth on. */
  depths: Float32Array;
  /** The share of the places at which the crest itself is seen. */
  seen: number;
  /** mm from the first tooth to the first and to the last place at which it is surely seen. */
  span: readonly [number, number];
}

const alongStep = 1;
const depthStep = 0.5;
/** mm to both sides of the row in which bone is looked for, and the step. */
const reach = 8;
const acrossStep = 0.6;
/** mm to both sides along the row over which widths are averaged: about a tooth. */
const window = 4;
/** mm from the plane of the teeth between which necks are, and to which the crest may lie. */
const necks = [2.5, 16] as const;
const deepest = 26;
/** mm under the neck within which the jaw has its width, and by which it must be wider than the necks. */
const underNeck = 7;
const leastWidening = 1.5;
/** The share of the way from the width of the necks to that of the jaw at which the crest is. */
const crestShare = 0.4;
/** mm by which a width counts as that of the necks. */
const neckTolerance = 0.5;

/**
 * Finds the height of a jaw's bone along its teeth. Seen across the row, crowns are wide, necks with the gaps between
 * them narrow, and the jaw is wide again: part of the way to its width is the crest. Where teeth are missing, the neck has no
 * width.
 * @param bone the lowest grey value of bone
 * @returns null where no place shows it
 */
export function findBoneCrest(grid: VoxelGrid, arch: JawArch, jaw: Jaw, bone: number): BoneCrest | null {
  const [from, to] = arch.teeth;
  const count = Math.max(2, Math.floor((to - from) / alongStep) + 1);
  const widths = Array.from({ length: count }, (_, at) => measureWidths(grid, arch, jaw, bone, from + at * alongStep));
  const seen = widths.map((_, at) => findCrestIn(averageAround(widths, at)));
  const known = seen.filter((crest) => crest !== null);
  if (known.length === 0) return null;
  const usual = computeMedian(known.map(({ depth }) => depth));
  const likely = seen.map((crest) => crest && limitCrest(crest, usual));
  const depths = Float32Array.from(likely, (_, at) => takeNearby(likely, at) ?? usual);
  return { step: alongStep, depths, seen: known.length / count, span: findSpan(seen.map((crest) => crest !== null)) };
}

/** mm along the row that must show the crest without a gap where it is surely seen. */
const surelySeen = 4;

function findSpan(seen: readonly boolean[]): [number, number] {
  const length = surelySeen / alongStep;
  const runs = seen.flatMap((_, at) => (seen.slice(at, at + length).filter(Boolean).length === length ? [at] : []));
  return [(runs[0] ?? 0) * alongStep, ((runs.at(-1) ?? seen.length - length) + length) * alongStep];
}

/** mm by which the crest at teeth differs from the median of the row at most, and the width of a place without teeth. */
const mostDifference = 3;
const toothless = 1;

/** Bone around teeth has nearly one height along a row; where teeth were lost it may be anywhere. */
const limitCrest = ({ depth, neck }: SeenCrest, usual: number): number =>
  neck <= toothless ? depth : Math.min(usual + mostDifference, Math.max(usual - mostDifference, depth));

interface SeenCrest {
  /** mm from the plane of the teeth. */
  depth: number;
  /** mm of hard tissue across the narrowest place over it. */
  neck: number;
}

/** mm between the outermost hard tissue of both sides, for each depth under the plane of the teeth. */
function measureWidths(grid: VoxelGrid, arch: JawArch, jaw: Jaw, bone: number, along: number): number[] {
  const away = jaw === "lower" ? -1 : 1;
  return Array.from({ length: Math.floor(deepest / depthStep) + 1 }, (_, at) => {
    const height = arch.occlusalHeight + away * at * depthStep;
    let [first, last, wasHard] = [Infinity, -Infinity, false];
    for (let out = -reach; out <= reach; out += acrossStep) {
      const isHard = sampleAtPatient(grid, curvedSurfaceToPatient(arch.surface, { along, height, out })) >= bone;
      // A single sample may be noise.
      if (isHard && wasHard) [first, last] = [Math.min(first, out - acrossStep), out];
      wasHard = isHard;
    }
    return Math.max(0, last - first);
  });
}

const averageAround = (widths: readonly (readonly number[])[], at: number): number[] => {
  const near = widths.slice(Math.max(0, at - window / alongStep), at + window / alongStep + 1);
  return (near[0] ?? []).map((_, depth) => near.reduce((sum, one) => sum + (one[depth] ?? 0), 0) / near.length);
};

function findCrestIn(widths: readonly number[]): SeenCrest | null {
  const neck = findNeck(widths);
  const narrow = widths[neck];
  const wide = Math.max(...widths.slice(neck, neck + underNeck / depthStep + 1));
  if (wide - narrow < leastWidening) return null;
  const crest = widths.findIndex((width, at) => at > neck && width >= narrow + crestShare * (wide - narrow));
  return crest < 0 ? null : { depth: crest * depthStep, neck: narrow };
}

/** The narrowest place between a crown and the jaw: edges of incisors are narrow too, and have no crown over them. */
function findNeck(widths: readonly number[]): number {
  const [top, bottom] = [necks[0] / depthStep, necks[1] / depthStep];
  let [neck, most] = [top, -Infinity];
  for (let at = top; at <= bottom; at++) {
    const crown = Math.max(...widths.slice(0, at + 1));
    const jaw = Math.max(...widths.slice(at, at + underNeck / depthStep + 1));
    const isToothless = widths[at] <= toothless && jaw > toothless;
    const depth = isToothless ? jaw : Math.min(crown, jaw) - widths[at];
    if (depth > most) [neck, most] = [at, depth];
  }
  while (neck + 1 < widths.length && widths[neck + 1] <= widths[neck] + neckTolerance) neck++;
  return neck;
}

/** mm along the row within which a place takes its height from others. */
const nearby = 7;

/** The median of the places around one, so that a single wrong one counts for nothing. */
function takeNearby(seen: readonly (number | null)[], at: number): number | null {
  const spread = nearby / alongStep;
  const near = seen.slice(Math.max(0, at - spread), at + spread + 1).filter((depth) => depth !== null);
  return near.length < 3 ? null : computeMedian(near);
}

const computeMedian = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

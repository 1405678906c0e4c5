import type { Annotation } from "@arcada/contract/study/annotation";
import type { SmoothLine } from "@arcada/imaging/arch/smooth-line";
import { distance, type Vector } from "@arcada/imaging/geometry/vector";

/**
 * Some stretches of a canal, by the number of the point from which each leads to the next. They are stored as ranges,
 * "3-5 9": a setting is a short text.
 */
export type Stretches = readonly number[];

/** hidden: it cannot be seen in the volume; doubtful: the line may be off by more than 1 mm. */
export const stretchKinds = ["hidden", "doubtful"] as const;
export type StretchKind = (typeof stretchKinds)[number];

export function readStretches({ settings }: Pick<Annotation, "settings">, kind: StretchKind): Stretches {
  const stored = settings?.[kind];
  if (typeof stored !== "string") return [];
  return stored.split(" ").flatMap((range) => {
    if (!/^\d+(-\d+)?$/.test(range)) return [];
    const [from = 0, to = from] = range.split("-").map(Number);
    return to < 200 ? Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at) : [];
  });
}

/** The stretches that are drawn as uncertain. */
export const readUncertain = (annotation: Pick<Annotation, "settings">): Stretches => [
  ...new Set(stretchKinds.flatMap((kind) => readStretches(annotation, kind))),
];

/** The most characters that a setting may have. */
const longestSetting = 200;

export function writeStretches(stretches: Stretches): string {
  const ranges: [number, number][] = [];
  for (const stretch of stretches) {
    const last = ranges.at(-1);
    if (last && last[1] === stretch - 1) last[1] = stretch;
    else ranges.push([stretch, stretch]);
  }
  return ranges
    .map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
    .join(" ")
    .slice(0, longestSetting);
}

/** The stretches after a point was added behind point `index`: both halves are like the whole. */
export const splitStretch = (stretches: Stretches, index: number): Stretches =>
  stretches.flatMap((stretch) =>
    stretch < index ? [stretch] : stretch === index ? [stretch, stretch + 1] : [stretch + 1],
  );

/** The stretches after point `index` was removed: the joined one is seen only if both were. */
export const joinStretches = (stretches: Stretches, index: number): Stretches => [
  ...new Set(
    stretches.flatMap((stretch) =>
      stretch < index ? [stretch] : stretch === index ? (index === 0 ? [] : [index - 1]) : [stretch - 1],
    ),
  ),
];

/** A part of a canal's line that is seen, or not. */
export interface CanalPart {
  line: SmoothLine;
  isSeen: boolean;
}

/** Cuts a line through control points where it changes between seen and not seen. */
export function cutAtHidden(line: SmoothLine, points: readonly Vector[], hidden: Stretches): CanalPart[] {
  if (hidden.length === 0 || line.points.length < 2) return [{ line, isSeen: true }];
  const parts: CanalPart[] = [];
  let [from, at] = [0, 0];
  points.slice(1).forEach((point, stretch) => {
    const isSeen = !hidden.includes(stretch);
    at = findNearestFrom(line.points, point, at);
    const isLast = stretch + 2 === points.length;
    if (!isLast && !hidden.includes(stretch + 1) === isSeen) return;
    const own = line.points.slice(from, (isLast ? line.points.length - 1 : at) + 1);
    parts.push({ line: { points: own, step: line.step, length: line.step * (own.length - 1) }, isSeen });
    from = at;
  });
  return parts;
}

/** The first sample at which the distance from a point has fallen to its least; a line may come near it again later. */
function findNearestFrom(samples: readonly Vector[], point: Vector, from: number): number {
  let [best, least] = [from, Infinity];
  for (const [at, sample] of samples.entries()) {
    if (at < from) continue;
    const far = distance(sample, point);
    if (far < least) [best, least] = [at, far];
    if (least < 0.3 && far > 1) break;
  }
  return best;
}

import type { Annotation } from "@arcada/contract/study/annotation";
import type { CanalPoints } from "@arcada/imaging/canal/control-points";
import { createSmoothLine } from "@arcada/imaging/arch/smooth-line";
import { distance, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import {
  joinStretches,
  readStretches,
  splitStretch,
  stretchKinds,
  writeStretches,
  type StretchKind,
  type Stretches,
} from "./hidden-stretches.ts";

/** True if a canal's points come from the volume: a moved point finds its neighbours anew. */
export const isTraced = ({ settings }: Pick<Annotation, "settings">): boolean => settings?.["isTraced"] === true;

/** The canal with the points that were found in the volume. */
export const withPath = (annotation: Annotation, found: CanalPoints): Annotation =>
  withStretches(
    { ...annotation, points: toNumbers(found.points), settings: { ...annotation.settings, isTraced: true } },
    (kind) => found[kind],
  );

/**
 * Replaces the points between the first and the last anchor (numbers of points) by found ones. The anchors stay where
 * the user or an earlier search has put them.
 */
export function replaceStretch(annotation: Annotation, anchors: readonly number[], found: CanalPoints): Annotation {
  const [first, last] = [Math.min(...anchors), Math.max(...anchors)];
  const fixed = anchors.filter((at) => at > first && at < last).map((at) => toVector(annotation.points[at] ?? []));
  const inner = fixed.reduce(insertInstead, found.points.slice(1, -1));
  const grown = inner.length + 1 - (last - first);
  return withStretches(
    {
      ...annotation,
      points: [...annotation.points.slice(0, first + 1), ...toNumbers(inner), ...annotation.points.slice(last)],
    },
    (kind) => {
      const before = readStretches(annotation, kind);
      return [
        ...before.filter((stretch) => stretch < first),
        ...new Set(found[kind].map((stretch) => first + Math.min(stretch, inner.length))),
        ...before.filter((stretch) => stretch >= last).map((stretch) => stretch + grown),
      ];
    },
  );
}

/** The points between which a doubtful stretch lies, and the place in its middle. */
export interface DoubtfulStretch {
  first: number;
  last: number;
  middle: Vector;
}

/** The longest doubtful stretch of a canal; null without one. */
export function findLongestDoubt(annotation: Pick<Annotation, "points" | "settings">): DoubtfulStretch | null {
  const points = annotation.points.map(toVector);
  const runs: [number, number][] = [];
  for (const stretch of readStretches(annotation, "doubtful").filter((at) => at + 1 < points.length)) {
    const run = runs.at(-1);
    if (run?.[1] === stretch) run[1] = stretch + 1;
    else runs.push([stretch, stretch + 1]);
  }
  const [found] = runs
    .map(([first, last]) => ({ first, last, line: createSmoothLine(points.slice(first, last + 1), 0.25) }))
    .toSorted((one, other) => other.line.length - one.line.length);
  const middle = found?.line.points[found.line.points.length >> 1];
  return found && middle ? { first: found.first, last: found.last, middle } : null;
}

/** The canal with a clicked point in place of those inside a doubtful stretch, and the numbers of the three points. */
export function withAnswer(
  annotation: Annotation,
  { first, last }: DoubtfulStretch,
  point: Vector,
): { annotation: Annotation; anchors: number[] } {
  const answered = replaceStretch(annotation, [first, last], {
    points: [toVector(annotation.points[first] ?? []), point, toVector(annotation.points[last] ?? [])],
    hidden: [],
    doubtful: [],
  });
  return { annotation: answered, anchors: [first, first + 1, first + 2] };
}

/** The points with a given one in the place of that nearest to it. */
function insertInstead(points: readonly Vector[], own: Vector): Vector[] {
  if (points.length === 0) return [own];
  const distances = points.map((point) => distance(point, own));
  const nearest = distances.indexOf(Math.min(...distances));
  return points.map((point, at) => (at === nearest ? own : point));
}

/** The canal with moved points, or with one more or less; its stretches are renumbered. */
export function withPoints(annotation: Annotation, next: readonly Vector[]): Annotation {
  const before = annotation.points.map(toVector);
  const changed = { ...annotation, points: toNumbers(next) };
  if (next.length === before.length) return changed;
  const [short, long] = next.length < before.length ? [next, before] : [before, next];
  const at = long.findIndex((point, index) => distance(point, short[index] ?? [Infinity, 0, 0]) > 1e-9);
  return withStretches(changed, (kind) => {
    const stretches = readStretches(annotation, kind);
    return next.length < before.length ? joinStretches(stretches, at) : splitStretch(stretches, at - 1);
  });
}

function withStretches(annotation: Annotation, list: (kind: StretchKind) => Stretches): Annotation {
  const settings = { ...annotation.settings };
  for (const kind of stretchKinds) {
    const stretches = list(kind);
    if (stretches.length > 0) settings[kind] = writeStretches(stretches);
    else delete settings[kind];
  }
  return { ...annotation, settings };
}

const toNumbers = (points: readonly Vector[]): number[][] => points.map((point) => [...point]);

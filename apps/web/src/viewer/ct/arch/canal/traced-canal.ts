import type { Annotation } from "@arcada/contract/study/annotation";
import type { CanalPoints } from "@arcada/imaging/canal/control-points";
import { distance, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import { joinStretches, readHidden, splitStretch, writeHidden, type HiddenStretches } from "./hidden-stretches.ts";

/** True if a canal's points come from the volume: a moved point finds its neighbours anew. */
export const isTraced = ({ settings }: Pick<Annotation, "settings">): boolean => settings?.["isTraced"] === true;

/** The canal with the points that were found in the volume. */
export const withPath = (annotation: Annotation, { points, hidden }: CanalPoints): Annotation =>
  withHidden(
    { ...annotation, points: toNumbers(points), settings: { ...annotation.settings, isTraced: true } },
    hidden,
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
  const before = readHidden(annotation);
  return withHidden(
    {
      ...annotation,
      points: [...annotation.points.slice(0, first + 1), ...toNumbers(inner), ...annotation.points.slice(last)],
    },
    [
      ...before.filter((stretch) => stretch < first),
      ...new Set(found.hidden.map((stretch) => first + Math.min(stretch, inner.length))),
      ...before.filter((stretch) => stretch >= last).map((stretch) => stretch + grown),
    ],
  );
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
  const hidden = readHidden(annotation);
  return withHidden(changed, next.length < before.length ? joinStretches(hidden, at) : splitStretch(hidden, at - 1));
}

const withHidden = (annotation: Annotation, hidden: HiddenStretches): Annotation => {
  const { hidden: _old, ...settings } = annotation.settings ?? {};
  return { ...annotation, settings: hidden.length > 0 ? { ...settings, hidden: writeHidden(hidden) } : settings };
};

const toNumbers = (points: readonly Vector[]): number[][] => points.map((point) => [...point]);

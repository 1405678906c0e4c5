import { distance, type Vector } from "@arcada/imaging/geometry/vector";

/** Inserts a point into a line of control points: between the two that it is nearest to, or beyond an end. */
export function insertControlPoint(points: readonly Vector[], added: Vector): readonly Vector[] {
  // A double click arrives as two.
  if (points.some((point) => distance(point, added) < 1)) return points;
  let [best, least] = [points.length, Infinity];
  for (let at = 0; at <= points.length; at++) {
    const [before, after] = [points[at - 1], points[at]];
    const detour =
      before && after
        ? distance(before, added) + distance(added, after) - distance(before, after)
        : distance(before ?? after ?? added, added);
    if (detour >= least) continue;
    [best, least] = [at, detour];
  }
  return points.toSpliced(best, 0, added);
}

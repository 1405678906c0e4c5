import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { centreOnMean, landmarkEntries, type LandmarkPoints } from "./normalised-tracing.ts";
import type { Point } from "./plane-geometry.ts";
import { referenceLandmarks } from "./landmarks.ts";

/** A landmark farther than this from where the others expect it, in mm of the drawn usual head, is suspicious. */
export const misfitLimit = 28;

/** Fewer landmarks than this cannot show which of them is wrong. */
const minLandmarks = 6;

/** Each of a pair is above the next one in every face; a pair in another order is reported. */
const downwardOrder: readonly CephLandmark[] = ["N", "A", "B", "Gn"];

/**
 * Returns the landmarks at an implausible position, whatever the head. The drawn usual head is fitted to the other
 * landmarks by a similarity (least squares); the one with the largest error is removed until no error is larger than
 * `misfitLimit`. Then nasion, A, B and gnathion must follow each other downwards, and the sella must be behind the
 * nasion. `points` have the face on the right, in any unit and rotation. Empty if fewer than six are marked.
 */
export function findImplausibleLandmarks(points: LandmarkPoints): CephLandmark[] {
  const marked = landmarkEntries(points);
  if (marked.length < minLandmarks) return [];
  const remaining = new Map(marked);
  const implausible = new Set<CephLandmark>();
  while (remaining.size >= minLandmarks) {
    const [id, misfit] = findWorstMisfit(remaining);
    if (misfit <= misfitLimit) break;
    implausible.add(id);
    remaining.delete(id);
  }
  const toReference = fitToReference(remaining);
  const referencePointOf = (id: CephLandmark): Point | null => (points[id] ? toReference(points[id]) : null);
  const ordered = downwardOrder.flatMap((id) => (remaining.has(id) ? [id] : []));
  for (const [index, lower] of ordered.entries()) {
    const upper = ordered[index - 1];
    if (upper && referencePointOf(upper)![1] >= referencePointOf(lower)![1])
      [upper, lower].forEach((id) => implausible.add(id));
  }
  if (remaining.has("S") && remaining.has("N") && referencePointOf("S")![0] >= referencePointOf("N")![0])
    ["S" as const, "N" as const].forEach((id) => implausible.add(id));
  return marked.flatMap(([id]) => (implausible.has(id) ? [id] : []));
}

/** Each landmark is compared with a fit to the others alone, so that a gross error does not pull the fit to itself. */
function findWorstMisfit(remaining: ReadonlyMap<CephLandmark, Point>): [CephLandmark, number] {
  const misfits = [...remaining].map(([id, point]): [CephLandmark, number] => {
    const [x, y] = fitToReference(new Map([...remaining].filter(([other]) => other !== id)))(point);
    const [u, v] = referenceLandmarks[id];
    return [id, Math.hypot(x - u, y - v)];
  });
  return misfits.reduce((worst, misfit) => (misfit[1] > worst[1] ? misfit : worst));
}

/** Returns the similarity that maps the marked landmarks onto the usual ones, scaled so that both sizes count alike. */
function fitToReference(marked: ReadonlyMap<CephLandmark, Point>): (point: Point) => Point {
  const from = [...marked.values()];
  const to = [...marked.keys()].map((id) => referenceLandmarks[id]);
  const [centredFrom, centredTo] = [centreOnMean(from), centreOnMean(to)];
  let [real, imaginary, size] = [0, 0, 0];
  centredFrom.forEach(([x, y], index) => {
    const [u, v] = centredTo[index]!;
    real += u * x + v * y;
    imaginary += v * x - u * y;
    size += x * x + y * y;
  });
  const [cos, sin] = size === 0 ? [1, 0] : [real / size, imaginary / size];
  const [fx, fy] = [from[0]![0] - centredFrom[0]![0], from[0]![1] - centredFrom[0]![1]];
  const [tx, ty] = [to[0]![0] - centredTo[0]![0], to[0]![1] - centredTo[0]![1]];
  return ([x, y]) => [tx + cos * (x - fx) - sin * (y - fy), ty + sin * (x - fx) + cos * (y - fy)];
}

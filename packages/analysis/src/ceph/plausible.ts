import type { CephLandmark } from "@arcada/contract/ceph/ceph.shape";
import { centred, entriesOf, type Places } from "./frame.ts";
import type { Place } from "./geometry.ts";
import { usualPlaces } from "./landmarks.ts";

/** A landmark farther than this from where the others expect it, in mm of the drawn usual head, is suspicious. */
export const misfitLimit = 28;

/** Fewer landmarks than this cannot show which of them is wrong. */
const fewest = 6;

/** Each of a pair is above the next one in every face; a pair in another order is reported. */
const downwards: readonly CephLandmark[] = ["N", "A", "B", "Gn"];

/**
 * Returns the landmarks at an implausible position, whatever the head. The drawn usual head is fitted to the other
 * landmarks by a similarity (least squares); the one with the largest error is removed until no error is larger than
 * `misfitLimit`. Then nasion, A, B and gnathion must follow each other downwards, and the sella must be behind the
 * nasion. `places` have the face on the right, in any unit and rotation. Empty if fewer than six are marked.
 */
export function implausibleLandmarks(places: Places): CephLandmark[] {
  const marked = entriesOf(places);
  if (marked.length < fewest) return [];
  const kept = new Map(marked);
  const wrong = new Set<CephLandmark>();
  while (kept.size >= fewest) {
    const [id, far] = worstOf(kept);
    if (far <= misfitLimit) break;
    wrong.add(id);
    kept.delete(id);
  }
  const lay = laid(kept);
  const at = (id: CephLandmark): Place | null => (places[id] ? lay(places[id]) : null);
  const seen = downwards.flatMap((id) => (kept.has(id) ? [id] : []));
  for (const [index, lower] of seen.entries()) {
    const upper = seen[index - 1];
    if (upper && at(upper)![1] >= at(lower)![1]) [upper, lower].forEach((id) => wrong.add(id));
  }
  if (kept.has("S") && kept.has("N") && at("S")![0] >= at("N")![0])
    ["S" as const, "N" as const].forEach((id) => wrong.add(id));
  return marked.flatMap(([id]) => (wrong.has(id) ? [id] : []));
}

/** Each landmark is compared with a fit to the others alone, so that a gross error does not pull the fit to itself. */
function worstOf(kept: ReadonlyMap<CephLandmark, Place>): [CephLandmark, number] {
  const misfits = [...kept].map(([id, place]): [CephLandmark, number] => {
    const [x, y] = laid(new Map([...kept].filter(([other]) => other !== id)))(place);
    const [u, v] = usualPlaces[id];
    return [id, Math.hypot(x - u, y - v)];
  });
  return misfits.reduce((worst, one) => (one[1] > worst[1] ? one : worst));
}

/** Returns the similarity that maps the marked landmarks onto the usual ones, scaled so that both sizes count alike. */
function laid(marked: ReadonlyMap<CephLandmark, Place>): (place: Place) => Place {
  const from = [...marked.values()];
  const to = [...marked.keys()].map((id) => usualPlaces[id]);
  const [seen, usual] = [centred(from), centred(to)];
  let [real, over, size] = [0, 0, 0];
  seen.forEach(([x, y], index) => {
    const [u, v] = usual[index]!;
    real += u * x + v * y;
    over += v * x - u * y;
    size += x * x + y * y;
  });
  const [cos, sin] = size === 0 ? [1, 0] : [real / size, over / size];
  const [fx, fy] = [from[0]![0] - seen[0]![0], from[0]![1] - seen[0]![1]];
  const [tx, ty] = [to[0]![0] - usual[0]![0], to[0]![1] - usual[0]![1]];
  return ([x, y]) => [tx + cos * (x - fx) - sin * (y - fy), ty + sin * (x - fx) + cos * (y - fy)];
}

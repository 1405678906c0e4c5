import { cross, distance, lengthOf, minus, normalize, type Vector } from "../geometry/vector.ts";
import type { TracedPlace } from "./traced-place.ts";

/** A canal as a few points that can be moved by hand. A stretch has the number of the point at which it begins. */
export interface CanalPoints {
  points: Vector[];
  /** The stretches that are not seen. */
  hidden: number[];
  /** The stretches in which the line may be off by more than 1 mm. */
  doubtful: number[];
}

/** mm between two points at most, and from the straight line between them. */
const longestStretch = 6;
const widestBend = 0.3;

/** Chooses the points of a traced canal: fewer where it is straight. Both ends stay. */
export function chooseControlPoints(places: readonly TracedPlace[]): CanalPoints {
  const chosen = [0];
  for (let at = 1; at < places.length - 1; at++) {
    const from = chosen[chosen.length - 1];
    const isEnd =
      places[at].isSeen !== places[at + 1].isSeen ||
      places[at].isDoubtful !== places[at + 1].isDoubtful ||
      distance(places[from].place, places[at + 1].place) > longestStretch ||
      measureBend(places, from, at + 1) > widestBend;
    if (isEnd && at > from) chosen.push(at);
  }
  if (places.length > 1) chosen.push(places.length - 1);
  const listStretches = (isSo: (place: TracedPlace) => boolean): number[] =>
    chosen.slice(0, -1).flatMap((at, number) => {
      const inner = places.slice(at + 1, chosen[number + 1]);
      return inner.filter(isSo).length > inner.length / 2 ? [number] : [];
    });
  return {
    points: chosen.map((at) => places[at].place),
    hidden: listStretches(({ isSeen }) => !isSeen),
    doubtful: listStretches(({ isDoubtful }) => isDoubtful),
  };
}

/** The most by which places are off the straight line between two of them, mm. */
function measureBend(places: readonly TracedPlace[], from: number, to: number): number {
  const along = normalize(minus(places[to].place, places[from].place));
  return places
    .slice(from + 1, to)
    .reduce((most, { place }) => Math.max(most, lengthOf(cross(minus(place, places[from].place), along))), 0);
}

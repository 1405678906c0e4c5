import { cross, distance, lengthOf, minus, normalize, type Vector } from "../geometry/vector.ts";
import type { TracedPlace } from "./trace-canal.ts";

/** A canal as a few points that can be moved by hand, with the stretches between them that are not seen. */
export interface CanalPoints {
  points: Vector[];
  /** Numbers of points from which the stretch to the next one is not seen. */
  hidden: number[];
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
      distance(places[from].place, places[at + 1].place) > longestStretch ||
      measureBend(places, from, at + 1) > widestBend;
    if (isEnd && at > from) chosen.push(at);
  }
  if (places.length > 1) chosen.push(places.length - 1);
  return {
    points: chosen.map((at) => places[at].place),
    hidden: chosen.slice(0, -1).flatMap((at, number) => {
      const inner = places.slice(at + 1, chosen[number + 1]);
      const unseen = inner.filter(({ isSeen }) => !isSeen).length;
      return unseen > inner.length / 2 ? [number] : [];
    }),
  };
}

/** The most by which places are off the straight line between two of them, mm. */
function measureBend(places: readonly TracedPlace[], from: number, to: number): number {
  const along = normalize(minus(places[to].place, places[from].place));
  return places
    .slice(from + 1, to)
    .reduce((most, { place }) => Math.max(most, lengthOf(cross(minus(place, places[from].place), along))), 0);
}

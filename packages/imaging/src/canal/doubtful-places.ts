import { distance, type Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import type { CanalGreys } from "./canal-costs.ts";
import { centreLine, measureEvidence, type CentrePlace } from "./centre-line.ts";

/** mm from which two lines in the middle of what they follow are different canals. */
const leastDifference = 1;
/** By how much less the evidence along a rival may be, as a share of the contrast between lumen and bone. */
const mostLess = 0.1;
/** Samples of the path before and behind a rival, so that its direction is known where it leaves. */
const leadSamples = 6;

/** A rough line, and another way between two of its points. */
interface RoughRival {
  from: number;
  to: number;
  points: readonly Vector[];
}

/**
 * Marks the places of a centred line beside which another line lies that looks as much like a canal. Ways that end in
 * the same middle are one.
 */
export function findDoubtfulPlaces(
  grid: VoxelGrid,
  places: readonly CentrePlace[],
  rough: readonly Vector[],
  rivals: readonly RoughRival[],
  greys: CanalGreys,
): boolean[] {
  const isDoubtful = places.map(() => false);
  for (const { from, to, points } of rivals) {
    const lead = rough.slice(Math.max(0, from - leadSamples), from);
    const rest = rough.slice(to + 1, to + 1 + leadSamples);
    const other = centreLine(grid, [...lead, ...points, ...rest], greys);
    const [first, last] = [findNearest(places, rough[from]), findNearest(places, rough[to])];
    const own = places.slice(first, last + 1);
    const apart = own.flatMap(({ place }, at) => (isFarFrom(place, other) ? [first + at] : []));
    const otherApart = other.filter(({ place }) => isFarFrom(place, own));
    if (apart.length === 0 || otherApart.length === 0) continue;
    const evidence = meanEvidence(apart.map((at) => places[at]));
    if (meanEvidence(otherApart) < evidence - mostLess) continue;
    for (const at of apart) isDoubtful[at] = true;
  }
  return isDoubtful;
}

const isFarFrom = (place: Vector, line: readonly CentrePlace[]): boolean =>
  line.every((other) => distance(other.place, place) > leastDifference);

const meanEvidence = (places: readonly CentrePlace[]): number =>
  places.reduce((sum, place) => sum + measureEvidence(place), 0) / places.length;

function findNearest(places: readonly CentrePlace[], point: Vector): number {
  let [best, least] = [0, Infinity];
  for (const [at, { place }] of places.entries()) {
    const far = distance(place, point);
    if (far < least) [best, least] = [at, far];
  }
  return best;
}

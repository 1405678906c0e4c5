import { createSmoothLine } from "../arch/smooth-line.ts";
import { distance, type Vector } from "../geometry/vector.ts";
import { measureEvidence, placeStep, type CentrePlace } from "./centre-line.ts";
import type { TracedPlace } from "./traced-place.ts";

/**
 * The least contrast of a canal, after the excess brightness of its lumen is taken off; both are shares of the contrast
 * between lumen and bone.
 * Chosen on generated jaws: nine of ten places of a hidden stretch have less, and one of ten of the others.
 */
const leastEvidence = 0.18;
/** Places to each side whose median counts, and the shortest stretch of either kind, mm. */
const medianReach = 4;
const shortestStretch = 2.5;

/**
 * Between two seen stretches a line is off by 1 mm at most over so many mm: canals bend with a radius of 40 mm there,
 * and the middle of an arc is its length squared, divided by 8 radii, away from the chord.
 */
const longestGap = 18;
/** At an end the canal may turn in a loop: there less is certain where its surroundings contradict it. */
const longestEndGap = 4;
const leastEndEvidence = 0.08;

/**
 * Marks the stretches in which nothing like a canal is found, and lays the line through the user's points there: the
 * path of least cost through nothing would follow the noise.
 */
export function separateVisible(
  places: readonly CentrePlace[],
  points: readonly Vector[],
  isDoubtful: readonly boolean[],
): TracedPlace[] {
  const evidence = places.map(measureEvidence);
  const isSeen = dropShortRuns(evidence.map((_, at) => takeMedian(evidence, at) >= leastEvidence));
  const traced: TracedPlace[] = [];
  for (const [from, to] of listRuns(isSeen))
    traced.push(
      ...(isSeen[from]
        ? places
            .slice(from, to)
            .map(({ place, radius }, at) => ({ place, radius, isSeen: true, isDoubtful: isDoubtful[from + at] }))
        : followPoints(places, points, from, to)),
    );
  return traced;
}

function takeMedian(values: readonly number[], at: number): number {
  const near = values.slice(Math.max(0, at - medianReach), at + medianReach + 1).sort((a, b) => a - b);
  return near[near.length >> 1];
}

/** Runs of equal values: [from, to). */
function listRuns(values: readonly boolean[]): [number, number][] {
  const starts = values.flatMap((value, at) => (at === 0 || value !== values[at - 1] ? [at] : []));
  return starts.map((from, run) => [from, starts[run + 1] ?? values.length]);
}

/** First joins hidden stretches with a short seen one between them, then takes short hidden ones as seen. */
function dropShortRuns(isSeen: readonly boolean[]): boolean[] {
  const result = [...isSeen];
  for (const kind of [true, false])
    for (const [from, to] of listRuns(result)) {
      const isInner = from > 0 && to < result.length;
      if (result[from] === kind && (to - from) * placeStep < shortestStretch && (isInner || !kind))
        result.fill(!kind, from, to);
    }
  return result;
}

/** mm beyond a hidden stretch at which the line's direction is taken. */
const leadPlaces = 5;

function followPoints(
  places: readonly CentrePlace[],
  points: readonly Vector[],
  from: number,
  to: number,
): TracedPlace[] {
  const inner = points.filter((point) => {
    const nearest = findNearest(places, point);
    return nearest >= from && nearest < to;
  });
  const at = (index: number): Vector[] => (places[index] ? [places[index].place] : []);
  const before = [...at(from - leadPlaces), ...at(from - 1)];
  const after = [...at(to), ...at(to + leadPlaces - 1)];
  const { points: line } = createSmoothLine([...before, ...inner, ...after], placeStep);
  const radius = places[from].radius;
  const own = line.slice(
    before.length > 0 ? findNearestPoint(line, before[before.length - 1]) + 1 : 0,
    after.length > 0 ? findNearestPoint(line, after[0]) : line.length,
  );
  const isUncertain = isGapUncertain(places, from, to, inner.length);
  return own.map((place) => ({ place, radius, isSeen: false, isDoubtful: isUncertain }));
}

/** True if a line across a stretch that is not seen may be off by more than 1 mm; the user's points divide it. */
function isGapUncertain(places: readonly CentrePlace[], from: number, to: number, inner: number): boolean {
  const isInner = from > 0 && to < places.length;
  const length = (to - from) * placeStep;
  if (isInner) return length / (inner + 1) > longestGap;
  const evidence = places
    .slice(from, to)
    .map(measureEvidence)
    .sort((a, b) => a - b);
  return length / Math.max(1, inner) > longestEndGap && evidence[evidence.length >> 1] < leastEndEvidence;
}

const findNearest = (places: readonly CentrePlace[], point: Vector): number =>
  findNearestPoint(
    places.map(({ place }) => place),
    point,
  );

function findNearestPoint(line: readonly Vector[], point: Vector): number {
  const distances = line.map((place) => distance(place, point));
  return distances.indexOf(Math.min(...distances));
}

import { createSmoothLine } from "../arch/smooth-line.ts";
import { minus, plus, times, type Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import type { CanalGreys } from "./canal-costs.ts";
import {
  candidateReach,
  candidateSide,
  createStations,
  scoreSection,
  sectionStep,
  type SectionScores,
  type Station,
} from "./cross-section-scores.ts";

/** A place in the middle of the canal. */
export interface CentrePlace {
  place: Vector;
  /** The lumen's, mm. */
  radius: number;
  /** By how much the surroundings are brighter than the lumen, as a share of the contrast between lumen and bone. */
  contrast: number;
  /** By how much the lumen is brighter than a canal's, as a share of the same. */
  excess: number;
}

/** Returns the likeness of a place to a canal: its contrast, less the excess brightness of its lumen. */
export const measureEvidence = ({ contrast, excess }: CentrePlace): number => contrast - excess;

/** mm between places. */
export const placeStep = 0.5;
const rounds = 2;

/** Moves a rough line into the middle of the canal. */
export function centreLine(grid: VoxelGrid, rough: readonly Vector[], greys: CanalGreys): CentrePlace[] {
  let places: CentrePlace[] = [];
  let points: readonly Vector[] = smoothPoints(createSmoothLine(smoothPoints(rough, 1.2), placeStep).points, 2);
  for (let round = 0; round < rounds; round++) {
    places = centreOnce(grid, createStations(points), greys);
    points = createSmoothLine(smoothCurve(places), placeStep).points;
  }
  const smooth = smoothCurve(places);
  return places.map((each, at) => ({ ...each, place: smooth[at] }));
}

function centreOnce(grid: VoxelGrid, stations: readonly Station[], { lumen, contrast }: CanalGreys): CentrePlace[] {
  const scores = stations.map((station) => scoreSection(grid, station, lumen + contrast));
  const chosen = chooseCandidates(scores.map((score) => score.contrast.map((value) => value / contrast)));
  return stations.map(({ place, u, v }, at) => {
    const { contrast: found, radius, inner } = scores[at];
    const [a, b] = refineCandidate(found, chosen[at]);
    return {
      place: plus(place, plus(times(u, a * sectionStep), times(v, b * sectionStep))),
      radius: radius[chosen[at]],
      contrast: found[chosen[at]] / contrast,
      excess: (inner[chosen[at]] - lumen) / contrast,
    };
  });
}

/** Candidates by which neighbouring places may differ, and the cost of one. */
const maxShift = 2;
const shiftCost = 0.03;
/** Cost of one candidate away from the rough line. */
const offCost = 0.0012;

/** The candidates of all places with the most contrast and the least zigzag (R. Bellman's dynamic programming). */
function chooseCandidates(contrasts: readonly Float32Array[]): number[] {
  const count = candidateSide * candidateSide;
  const before: Int16Array[] = [];
  let total = costsOf(contrasts[0]);
  for (let at = 1; at < contrasts.length; at++) {
    const own = costsOf(contrasts[at]);
    const from = new Int16Array(count);
    const next = new Float32Array(count);
    for (let to = 0; to < count; to++) {
      const [cost, place] = findCheapest(total, to);
      next[to] = own[to] + cost;
      from[to] = place;
    }
    before.push(from);
    total = next;
  }
  const chosen = [total.indexOf(Math.min(...total))];
  for (const from of before.toReversed()) chosen.push(from[chosen[chosen.length - 1]]);
  return chosen.reverse();
}

const costsOf = (contrast: Float32Array): Float32Array =>
  contrast.map((value, at) => {
    const [i, j] = [(at % candidateSide) - candidateReach, Math.floor(at / candidateSide) - candidateReach];
    // A place at the volume's edge has no value, and no say.
    return offCost * (i * i + j * j) - (value > -1 ? Math.min(value, 1) : -1);
  });

function findCheapest(total: Float32Array, to: number): [cost: number, from: number] {
  const [i, j] = [to % candidateSide, Math.floor(to / candidateSide)];
  let [best, place] = [Infinity, to];
  for (let y = Math.max(0, j - maxShift); y <= Math.min(candidateSide - 1, j + maxShift); y++)
    for (let x = Math.max(0, i - maxShift); x <= Math.min(candidateSide - 1, i + maxShift); x++) {
      const cost = total[y * candidateSide + x] + shiftCost * ((x - i) ** 2 + (y - j) ** 2);
      if (cost >= best) continue;
      best = cost;
      place = y * candidateSide + x;
    }
  return [best, place];
}

/** The top of the parabola through a candidate and its neighbours, in candidates from the middle. */
function refineCandidate(contrast: SectionScores["contrast"], at: number): [number, number] {
  const [i, j] = [at % candidateSide, Math.floor(at / candidateSide)];
  const refine = (place: number, stride: number): number => {
    if (place === 0 || place === candidateSide - 1) return place;
    const [low, middle, high] = [contrast[at - stride], contrast[at], contrast[at + stride]];
    const bend = low - 2 * middle + high;
    return bend < 0 ? place + Math.max(-0.5, Math.min(0.5, (0.5 * (low - high)) / bend)) : place;
  };
  return [refine(i, 1) - candidateReach, refine(j, candidateSide) - candidateReach];
}

/** Places over which the line is smoothed. */
const curveDeviation = 1.5;

/** Smooths a line that bends: what a Gaussian takes from a bend is put back once. */
function smoothCurve(places: readonly CentrePlace[]): Vector[] {
  const once = smoothPoints(
    places.map(({ place }) => place),
    curveDeviation,
  );
  return smoothPoints(once, curveDeviation).map((twice, at) => minus(times(once[at], 2), twice));
}

/** Means of neighbours under a Gaussian of so many places; the same number on both sides, so that the ends stay. */
export function smoothPoints(points: readonly Vector[], deviation: number): Vector[] {
  const reach = Math.ceil(2.5 * deviation);
  return points.map((_, at) => {
    const half = Math.min(reach, at, points.length - 1 - at);
    let sum: Vector = [0, 0, 0];
    let all = 0;
    for (let off = -half; off <= half; off++) {
      const weight = Math.exp(-(off * off) / (2 * deviation * deviation));
      sum = plus(sum, times(points[at + off], weight));
      all += weight;
    }
    return times(sum, 1 / all);
  });
}

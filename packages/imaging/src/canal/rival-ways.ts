import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { spreadCosts, type CostSpread } from "./spread-costs.ts";

/** Another way between two samples of a path, which costs little more. */
export interface RivalWay {
  /** The numbers of the path's samples at which it leaves and comes back. */
  from: number;
  to: number;
  /** The samples between, both of these included. */
  path: number[];
}

/** mm: a way that stays nearer is the same canal. */
const leastApart = 2.2;
/** The most that the whole path may cost more along a rival; found on generated jaws with a wrong path. */
const mostExtra = 1.2;
const mostRivals = 4;

/**
 * Finds other ways that the canal may take: what the path costs through every other sample is the sum of the costs to
 * both of its ends. Where it is little more, the volume does not tell which way is right.
 */
export function findRivalWays(info: VolumeGeometry, costs: Float32Array, path: readonly number[]): RivalWay[] {
  const [start, goal] = [path[0], path[path.length - 1]];
  const there = spreadCosts(info, costs, [{ at: start, cost: 0 }], {
    isEnough: (at) => at === goal,
  });
  const most = there.total[goal] + mostExtra;
  const back = spreadCosts(info, costs, [{ at: goal, cost: 0 }], {
    most: (at) => most - there.total[at],
  });
  const costThrough = (at: number): number => there.total[at] + back.total[at];
  const numbers = new Map(path.map((at, number) => [at, number]));
  const isApart = createApartCheck(info);
  let left = back.order.filter((at) => isApart(at, path)).sort((one, other) => costThrough(one) - costThrough(other));
  const rivals: RivalWay[] = [];
  while (left.length > 0 && rivals.length < mostRivals) {
    const before = walkToPath(there, left[0], numbers);
    const after = walkToPath(back, left[0], numbers);
    const way = [...before.reverse(), left[0], ...after];
    const [from, to] = [numbers.get(way[0]) ?? 0, numbers.get(way[way.length - 1]) ?? path.length - 1];
    if (to > from) rivals.push({ from, to, path: way });
    left = left.filter((at) => isApart(at, way));
  }
  return rivals;
}

/** The samples from one beside the path to the first one of it. */
function walkToPath({ previous }: CostSpread, start: number, numbers: ReadonlyMap<number, number>): number[] {
  const walked: number[] = [];
  for (let at = previous[start]; at >= 0; at = previous[at]) {
    walked.push(at);
    if (numbers.has(at)) break;
  }
  return walked;
}

function createApartCheck({ columns, rows, spacing: [step] }: VolumeGeometry) {
  const squared = (leastApart / step) ** 2;
  const toCell = (at: number): [number, number, number] => [
    at % columns,
    Math.floor(at / columns) % rows,
    Math.floor(at / (columns * rows)),
  ];
  return (at: number, way: readonly number[]): boolean => {
    const [i, j, k] = toCell(at);
    return way.every((other) => {
      const [x, y, z] = toCell(other);
      return (x - i) ** 2 + (y - j) ** 2 + (z - k) ** 2 >= squared;
    });
  };
}

import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { spreadCosts, tracePath, type Stop } from "./spread-costs.ts";

/** The cheapest path so far to a stop. */
interface Way {
  stop: Stop;
  path: number[];
}

/**
 * Finds the path of least cost that passes one of the samples of each group, in the order of the groups. A click is a
 * group: the samples around it, which cost more the farther they are, so that a click beside the canal does not draw
 * the path out of it.
 * @param costs for each mm, above 0, `[slice][row][column]`
 * @returns the samples' indices
 */
export function findShortestPath(
  info: VolumeGeometry,
  costs: Float32Array,
  [first, ...others]: readonly (readonly Stop[])[],
): number[] {
  let ways: Way[] = first.map((stop) => ({ stop, path: [stop.at] }));
  for (const goals of others) ways = continueWays(info, costs, ways, goals);
  return ways.reduce((best, way) => (way.stop.cost < best.stop.cost ? way : best)).path;
}

function continueWays(info: VolumeGeometry, costs: Float32Array, ways: readonly Way[], goals: readonly Stop[]): Way[] {
  const goalCosts = new Map(goals.map(({ at, cost }) => [at, cost]));
  const mostExtra = Math.max(...goalCosts.values());
  let [left, best] = [goalCosts.size, Infinity];
  const { total, previous, order } = spreadCosts(
    info,
    costs,
    ways.map(({ stop }) => stop),
    {
      isEnough: (at, cost) => {
        const extra = goalCosts.get(at);
        if (extra !== undefined) [left, best] = [left - 1, Math.min(best, cost + extra)];
        return left === 0 || cost > best + mostExtra;
      },
    },
  );
  const pathsTo = new Map(ways.map(({ stop, path }) => [stop.at, path]));
  return order.flatMap((at): Way[] => {
    const extra = goalCosts.get(at);
    if (extra === undefined) return [];
    const [start, ...rest] = tracePath(previous, at);
    return [{ stop: { at, cost: total[at] + extra }, path: [...(pathsTo.get(start) ?? []), ...rest] }];
  });
}

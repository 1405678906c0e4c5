import { distance, type Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { voxelToPatient } from "../volume/voxel-to-patient.ts";
import { computeCosts, findCanalGreys, listStops, type CanalGreys } from "./canal-costs.ts";
import { CanalError } from "./canal-error.ts";
import { centreLine } from "./centre-line.ts";
import { findDoubtfulPlaces } from "./doubtful-places.ts";
import { findRivalWays } from "./rival-ways.ts";
import { createSearchField, type SearchField } from "./search-field.ts";
import { findShortestPath } from "./shortest-path.ts";
import type { TracedPlace } from "./traced-place.ts";
import { computeTubeFields } from "./tube-likeness.ts";
import { separateVisible } from "./visible-stretches.ts";

/**
 * Traces a nerve canal through some points near it, in their order: the path of least cost through what looks like a
 * dark tube, moved into the tube's middle. Takes up to a second: call it in a worker, and end the worker to cancel.
 * @param points patient mm, two at least; each may be off by about 1 mm
 * @param onProgress called with the share that is done, 0 to 1
 * @returns places every 0.5 mm
 * @throws {CanalError} if the points cannot be joined
 */
export function traceCanal(
  grid: VoxelGrid,
  points: readonly Vector[],
  onProgress: (share: number) => void = () => {},
): TracedPlace[] {
  const set = points.filter((point, at) => at === 0 || distance(point, points[at - 1]) > 0.5);
  if (set.length < 2) throw new CanalError("tooFewPoints");
  const field = createSearchField(grid, set);
  onProgress(0.2);
  const tubes = computeTubeFields(field);
  const greys = findCanalGreys(field, tubes.blurred, set);
  const costs = computeCosts(field, tubes, greys);
  onProgress(0.5);
  const path = findShortestPath(
    field.info,
    costs,
    set.map((point) => listStops(field, point)),
  );
  onProgress(0.7);
  const places = refinePath(grid, { field, costs, path, greys }, set);
  onProgress(1);
  return places;
}

/** A rough path through a search field, and what it was found with. */
export interface RoughPath {
  field: SearchField;
  costs: Float32Array;
  /** The samples' indices. */
  path: readonly number[];
  greys: CanalGreys;
}

/**
 * Moves a rough path into the middle of the canal, and tells the places that are not seen and those that are doubtful.
 * @param points through which the line is laid where nothing is seen
 */
export function refinePath(
  grid: VoxelGrid,
  { field, costs, path, greys }: RoughPath,
  points: readonly Vector[],
): TracedPlace[] {
  const rivals = findRivalWays(field.info, costs, path);
  const rough = toPlaces(field, path);
  const places = centreLine(grid, rough, greys);
  const isDoubtful = findDoubtfulPlaces(
    grid,
    places,
    rough,
    rivals.map((rival) => ({ ...rival, points: toPlaces(field, rival.path) })),
    greys,
  );
  return separateVisible(places, points, isDoubtful);
}

export const toPlaces = ({ info }: Pick<SearchField, "info">, path: readonly number[]): Vector[] =>
  path.map((index) =>
    voxelToPatient(info, [
      index % info.columns,
      Math.floor(index / info.columns) % info.rows,
      Math.floor(index / (info.columns * info.rows)),
    ]),
  );

import { distance, type Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { voxelToPatient } from "../volume/voxel-to-patient.ts";
import { computeCosts, findCanalGreys, snapToTube } from "./canal-costs.ts";
import { CanalError } from "./canal-error.ts";
import { centreLine, type CentrePlace } from "./centre-line.ts";
import { createSearchField, type SearchField } from "./search-field.ts";
import { findShortestPath } from "./shortest-path.ts";
import { computeTubeFields } from "./tube-likeness.ts";

/** A place of a traced canal. */
export interface TracedPlace {
  /** Patient mm. */
  place: Vector;
  /** Of the lumen, mm. */
  radius: number;
  /** False where nothing like a canal is there: the line follows the given points. */
  isSeen: boolean;
}

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
  const costs = computeCosts(tubes, greys);
  onProgress(0.5);
  const rough = findRoughPath(field, costs, set);
  onProgress(0.8);
  const places = centreLine(grid, rough, greys);
  onProgress(1);
  return markSeen(places);
}

function findRoughPath(field: SearchField, costs: Float32Array, points: readonly Vector[]): Vector[] {
  const { info } = field;
  const ends = points.map((point) => snapToTube(field, costs, point));
  const path: Vector[] = [];
  for (let at = 1; at < ends.length; at++) {
    const found = findShortestPath(info, costs, ends[at - 1], ends[at]);
    const places = found.map((index): Vector =>
      voxelToPatient(info, [
        index % info.columns,
        Math.floor(index / info.columns) % info.rows,
        Math.floor(index / (info.columns * info.rows)),
      ]),
    );
    path.push(...places.slice(at === 1 ? 0 : 1));
  }
  return path;
}

const markSeen = (places: readonly CentrePlace[]): TracedPlace[] =>
  places.map(({ place, radius, contrast }) => ({ place, radius, isSeen: contrast > 0.1 }));

import { curvedSurfaceToPatient, type CurvedSurface } from "../arch/curved-surface.ts";
import { createLocator } from "../arch/curved-surface-locator.ts";
import { distance, dot, type Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { sizeOf } from "../volume/volume-geometry.ts";
import { patientToVoxel, voxelToPatient } from "../volume/voxel-to-patient.ts";
import { compareWithCompactBone, computeCosts, measureToOutside, widestLumen, type CanalGreys } from "./canal-costs.ts";
import { measureDistances } from "./distance-field.ts";
import { createSearchField, type SearchField } from "./search-field.ts";
import { findShortestPath } from "./shortest-path.ts";
import type { Stop } from "./spread-costs.ts";
import { refinePath, toPlaces, type RoughPath } from "./trace-canal.ts";
import type { TracedPlace } from "./traced-place.ts";
import { computeTubeFields } from "./tube-likeness.ts";

/** The lower jaw as measured: where its teeth are, and what runs behind them. */
export interface LowerJawFrame {
  /** Along the teeth and both rami. */
  surface: CurvedSurface;
  /** The span of the teeth along the surface, mm, from the patient's right. */
  teeth: readonly [number, number];
  /** Height along the surface's `up` at which the rows of teeth meet, mm. */
  occlusalHeight: number;
  /** A grey value of soft tissue. */
  softTissue: number;
}

export type CanalSide = "right" | "left";

/** The reason that no canal is suggested. */
export type MissingCanal =
  /** The field of view cuts the jaw where the canal runs. */
  | "outsideField"
  /** Too little of the path looks like a canal, or another path looks as much like one. */
  | "uncertain";

/** Heights under the meeting rows of teeth between which canals run in the body of the jaw, mm. */
const lowestUnderTeeth = 36;
/** Height of the section through the ramus at which the search begins: under the usual foramen. */
const ramusUnderTeeth = 5;
/** mm along the teeth from the midline between which mental foramina lie. */
const mentalFrom = 17;
const mentalTo = 36;
/** Heights under the meeting rows of teeth of mental foramina, mm. */
const mentalHeights = [18, 34] as const;
/** mm behind the last tooth at which a ramus begins. */
const ramusFrom = 4;
/** mm to both sides of the surface within which ramus and jaw lie. */
const jawReach = 11;
/** The least share of the path that must be seen, and the most that may be doubtful. */
const leastSeen = 0.65;
const mostDoubtful = 0.35;
/** mm; shorter ones are no canals from the ramus to the premolars. */
const shortest = 45;

/**
 * Searches the nerve canal of one side without any click: the cheapest path of dark tube between a section through the
 * ramus and a place where it leaves the bone at the premolars. Takes about two seconds of a processor.
 * @returns places every 0.5 mm from the ramus to the mental foramen, or the reason that none is suggested
 */
export function suggestCanal(grid: VoxelGrid, frame: LowerJawFrame, side: CanalSide): TracedPlace[] | MissingCanal {
  const corners = listCorners(grid, frame, side);
  if (!corners) return "outsideField";
  const field = createSearchField(grid, corners);
  const tubes = computeTubeFields(field);
  const greys = compareWithCompactBone(field.values, frame.softTissue);
  const toOutside = measureToOutside(field, tubes.blurred, greys);
  const costs = computeCosts(field, tubes, greys, toOutside);
  const { start, end } = prepareSearch(field, costs, toOutside, frame, side);
  if (start.length === 0 || end.length === 0) return "outsideField";
  const path = findShortestPath(field.info, costs, [start, end]);
  if (path.length === 0 || isUnclear({ field, costs, path }, start, end)) return "uncertain";
  const own = refineGreys(field, tubes.blurred, path);
  const rough = toPlaces(field, path);
  const places = refinePath(grid, { field, costs, path, greys: own }, [rough[0], rough[rough.length - 1]]);
  return isCredible(places) ? places : "uncertain";
}

/** mm around a path in which another way is the same canal, and mm at both ends in which ways may meet. */
const sameWay = 3;
const sharedEnds = 12;
/** The next best way must cost at least as many times as much as the best. */
const leastMargin = 1.6;
/** The most that a mm of the best way may cost on average: true canals of drawn jaws cost 0.11 to 0.2. */
const mostPerMm = 0.35;

/** True if the way is no clear tube, or another way through the jaw costs little more: the volume does not tell. */
function isUnclear(
  { field: { info }, costs, path }: Pick<RoughPath, "field" | "costs" | "path">,
  start: readonly Stop[],
  end: readonly Stop[],
): boolean {
  const [step] = info.spacing;
  const ends = Math.round(sharedEnds / step);
  const inner = new Set(path.slice(ends, -ends));
  const toPath = measureDistances(info, (at) => inner.has(at));
  const blocked = costs.map((cost, at) => (toPath[at] < sameWay ? impassable : cost));
  const other = findShortestPath(info, blocked, [start, end]);
  const cost = addCosts(info, costs, path);
  return cost > mostPerMm * path.length * step || addCosts(info, blocked, other) < leastMargin * cost;
}

function addCosts(info: SearchField["info"], costs: Float32Array, path: readonly number[]): number {
  const places = toPlaces({ info }, path);
  return path
    .slice(1)
    .reduce(
      (sum, at, index) => sum + (distance(places[index], places[index + 1]) * (costs[at] + costs[path[index]])) / 2,
      0,
    );
}

/** The lumen as dark as a third of the path is. */
function refineGreys({ values }: SearchField, blurred: Float32Array, path: readonly number[]): CanalGreys {
  const along = path.map((at) => blurred[at]).sort((a, b) => a - b);
  return compareWithCompactBone(values, along[Math.floor(along.length / 3)]);
}

function isCredible(places: readonly TracedPlace[]): boolean {
  const share = (isSo: (place: TracedPlace) => boolean): number => places.filter(isSo).length / places.length;
  return (
    places.length * 0.5 >= shortest &&
    share(({ isSeen }) => isSeen) >= leastSeen &&
    share(({ isDoubtful }) => isDoubtful) <= mostDoubtful
  );
}

/** Corners of the box in which a side's canal runs, inside the volume; null if the volume does not hold it. */
function listCorners(
  grid: VoxelGrid,
  { surface, teeth: [from, to], occlusalHeight }: LowerJawFrame,
  side: CanalSide,
): Vector[] | null {
  const middle = (from + to) / 2;
  const [front, back] = side === "right" ? [middle - mentalFrom, 0] : [middle + mentalFrom, surface.length];
  const isOnRamus = side === "right" ? back < from - ramusFrom - 6 : back > to + ramusFrom + 6;
  if (!isOnRamus) return null;
  const heights = [occlusalHeight - lowestUnderTeeth + 9, occlusalHeight - ramusUnderTeeth - 6];
  const points = [0, 0.25, 0.5, 0.75, 1].flatMap((share) =>
    heights.map((height) => curvedSurfaceToPatient(surface, { along: front + share * (back - front), height, out: 0 })),
  );
  const size = sizeOf(grid.info);
  const voxels = points.map((point) => patientToVoxel(grid.info, point));
  const isCut = voxels.some((voxel) =>
    voxel.some(
      (at, axis) =>
        at < -cutTolerance / grid.info.spacing[axis] || at > size[axis] - 1 + cutTolerance / grid.info.spacing[axis],
    ),
  );
  if (isCut) return null;
  return voxels.map((voxel) =>
    voxelToPatient(grid.info, [
      Math.min(size[0] - 1, Math.max(0, voxel[0])),
      Math.min(size[1] - 1, Math.max(0, voxel[1])),
      Math.min(size[2] - 1, Math.max(0, voxel[2])),
    ]),
  );
}

/** mm by which the box may leave the volume. */
const cutTolerance = 3;

/** Makes the rows of teeth impassable, and lists the samples at which the path may begin and end. */
function prepareSearch(
  { info }: SearchField,
  costs: Float32Array,
  toOutside: Float32Array,
  { surface, teeth: [from, to], occlusalHeight }: LowerJawFrame,
  side: CanalSide,
): { start: Stop[]; end: Stop[] } {
  const middle = (from + to) / 2;
  const [start, end]: [Stop[], Stop[]] = [[], []];
  const [step] = info.spacing;
  const area = info.columns * info.rows;
  const locate = createLocator(surface);
  for (let at = 0; at < toOutside.length; at++) {
    const deep = toOutside[at];
    if (deep < widestLumen + 0.5) continue;
    const point = voxelToPatient(info, [
      at % info.columns,
      Math.floor(at / info.columns) % info.rows,
      Math.floor(at / area),
    ]);
    const below = occlusalHeight - dot(point, surface.up);
    const isStart = Math.abs(below - ramusUnderTeeth) <= step * 0.6 && deep > widestLumen + 1.5;
    const isEnd = deep < widestLumen + 1.2 && below > mentalHeights[0] && below < mentalHeights[1];
    if (!isStart && !isEnd && below > rootsUnderTeeth) continue;
    const { along, out } = locate(point);
    const beyond = side === "right" ? from - along : along - to;
    if (beyond < ramusFrom && below < rootsUnderTeeth) costs[at] = impassable;
    if (Math.abs(out) > jawReach) continue;
    const fromMiddle = Math.abs(along - middle);
    if (isStart && beyond > ramusFrom) start.push({ at, cost: 0 });
    if (isEnd && out > 0 && fromMiddle > mentalFrom && fromMiddle < mentalTo) end.push({ at, cost: 0 });
  }
  return { start, end };
}

/** Heights under the meeting rows of teeth down to which necks and roots are, and the cost of 1 mm through them. */
const rootsUnderTeeth = 18;
const impassable = 1000;

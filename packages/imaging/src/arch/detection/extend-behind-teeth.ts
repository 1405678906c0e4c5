import { dot, plus, times, type Vector } from "../../geometry/vector.ts";
import { findVoxel, type VolumeGeometry } from "../../volume/volume-geometry.ts";
import { findPanoramaEdges } from "./panorama-truncation.ts";
import type { HardTissue } from "../../volume/hard-tissue.ts";
import { createSmoothLine } from "../smooth-line.ts";
import { traceRamus, type RamusLine } from "./trace-ramus.ts";
import { createTissueMap, type TiltedPlane, type TissueMap } from "./tissue-map.ts";
import type { DetectedArches, Jaw } from "./detected-arches.ts";

interface ArchContext {
  geometry: VolumeGeometry;
  tissue: HardTissue;
  tilt: TiltedPlane;
  up: Vector;
}

type Sides<T> = Record<"right" | "left", T>;

/** Heights over the occlusal plane (mm) at which the ramus is free: over the jaw's angle, under the cheek bone. */
const ramusLayer = [-14, 18] as const;
/** mm between two control points behind the teeth. */
const controlPointSpacing = 11;
/** The number of points of a jaw's line, 0.5 mm apart, that determine its direction at the end. */
const endSampleCount = 20;

/**
 * Continues the lines of both jaws behind their teeth, and names the parts of the lower jaw that the field cuts there.
 */
export function extendBehindTeeth(
  context: ArchContext,
  found: Record<Jaw, Vector[] | null>,
): Pick<DetectedArches, "behind" | "edges"> {
  const { geometry, tissue, tilt, up } = context;
  const map = createTissueMap(tissue, tilt, ramusLayer, 1, 2);
  const tails = { upper: traceTails(context, map, found.upper), lower: traceTails(context, map, found.lower) };
  const shown = found.lower ? tails.lower : tails.upper;
  const middle = found.lower?.[Math.floor(found.lower.length / 2)];
  const edges = findPanoramaEdges(geometry, tissue, up, {
    ...shown,
    front: middle ? projectToTeethPlane(tilt, middle) : null,
  });
  return { behind: { upper: getTailPoints(tails.upper), lower: getTailPoints(tails.lower) }, edges };
}

function traceTails({ geometry, tilt, up }: ArchContext, map: TissueMap, line: Vector[] | null): Sides<TailEnd> {
  if (!line) return { right: noTail, left: noTail };
  const level = line.reduce((sum, point) => sum + dot(point, up), 0) / line.length;
  // The map addresses a position by the point at which the perpendicular through it meets the plane.
  const flat = findInsideSpan(geometry, createSmoothLine(line, 0.5).points).map((point) =>
    projectOntoPlane(tilt, point),
  );
  const liftToLevel = ({ x, y }: PlanePoint): Vector => {
    const point: Vector = [x, y, tilt.level + tilt.left * x + tilt.back * y];
    return plus(point, times(up, level - dot(point, up)));
  };
  const isInField = (x: number, y: number) => findVoxel(geometry, liftToLevel({ x, y })) !== null;
  const traceTail = (end: PlanePoint[], side: -1 | 1) =>
    createTailEnd(traceRamus(map, end, side, isInField), liftToLevel);
  return {
    right: traceTail(flat.slice(0, endSampleCount).toReversed(), -1),
    left: traceTail(flat.slice(-endSampleCount), 1),
  };
}

/** Returns a jaw's line for display: as far as it is inside the field, with its continuation behind the teeth. */
export function createDisplayLine(
  geometry: VolumeGeometry,
  { behind, ...found }: DetectedArches,
  jaw: Jaw,
): Vector[] | null {
  const line = found[jaw];
  if (!line) return null;
  const inside = findInsideSpan(geometry, createSmoothLine(line, 0.25).points);
  // An extra point near each end: the continuation bends the curve through the teeth no further than to this point.
  const dense = pickControlPoints(inside, 2 * line.length - 1);
  const teeth = dense.filter((_, at) => at % 2 === 0 || at === 1 || at === dense.length - 2);
  return [...behind[jaw].right.toReversed(), ...teeth, ...behind[jaw].left];
}

interface PlanePoint {
  x: number;
  y: number;
}

interface TailEnd {
  points: Vector[];
  place: Vector | null;
  end: RamusLine["end"];
}

const noTail: TailEnd = { points: [], place: null, end: "lost" };

/** Control points about `apart` mm from each other, the last at the very end. */
function createTailEnd({ places, end }: RamusLine, liftToLevel: (place: PlanePoint) => Vector): TailEnd {
  const fine = places.map(liftToLevel);
  const count = Math.max(1, Math.round(measureLineLength(fine) / controlPointSpacing));
  const points = fine.length < 3 ? [] : pickControlPoints(fine, count + 1).slice(1);
  return { points, place: points.at(-1) ?? null, end };
}

const getTailPoints = ({ right, left }: Sides<TailEnd>): Sides<Vector[]> => ({
  right: right.points,
  left: left.points,
});

/** Returns `count` points of a line, evenly spaced, including both ends. */
export const pickControlPoints = (fine: readonly Vector[], count: number): Vector[] =>
  Array.from({ length: count }, (_, at) => fine[Math.round((at * (fine.length - 1)) / (count - 1))]);

const measureLineLength = (points: readonly Vector[]): number => createSmoothLine(points, 1).length;

/** Returns the longest part of a line inside the field, or the whole line if that part is too short for an arch. */
function findInsideSpan(geometry: VolumeGeometry, points: readonly Vector[]): readonly Vector[] {
  let [from, best] = [0, { from: 0, to: 0 }];
  points.forEach((point, at) => {
    if (findVoxel(geometry, point) === null) from = at + 1;
    else if (at + 1 - from > best.to - best.from) best = { from, to: at + 1 };
  });
  return best.to - best.from < minSampleCount ? points : points.slice(best.from, best.to);
}

/** 10 or 20 mm */
const minSampleCount = 40;

const projectOntoPlane = (tilt: TiltedPlane, [x, y, z]: Vector): PlanePoint => {
  const height = z - tilt.level - tilt.left * x - tilt.back * y;
  return { x: x + height * tilt.left, y: y + height * tilt.back };
};

const projectToTeethPlane = (tilt: TiltedPlane, point: Vector): Vector => {
  const { x, y } = projectOntoPlane(tilt, point);
  return [x, y, tilt.level + tilt.left * x + tilt.back * y];
};

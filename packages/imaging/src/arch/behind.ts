import { dot, plus, times, type Vector } from "../view/vector.ts";
import { voxelAt, type VolumeGeometry } from "../view/volume-geometry.ts";
import { edgesOf } from "./edges.ts";
import type { ArchesFound, Jaw } from "./guess.ts";
import type { HardTissue } from "./hard-tissue.ts";
import { smoothLine } from "./line.ts";
import { tailBehind, type Tail } from "./ramus.ts";
import { tissueMap, type Tilt, type TissueMap } from "./tissue-map.ts";

interface Seen {
  geometry: VolumeGeometry;
  tissue: HardTissue;
  tilt: Tilt;
  up: Vector;
}

type Sides<T> = Record<"right" | "left", T>;

/** Heights over the occlusal plane (mm) at which the ramus is free: over the jaw's angle, under the cheek bone. */
const ramusLayer = [-14, 18] as const;
/** mm between two control points behind the teeth. */
const apart = 11;
/** Places of a jaw's line, 0.5 mm each, that determine its direction at the end. */
const endPlaces = 20;

/**
 * Continues the lines of both jaws behind their teeth, and names the parts of the lower jaw that the field cuts there.
 */
export function behindTeeth(seen: Seen, found: Record<Jaw, Vector[] | null>): Pick<ArchesFound, "behind" | "edges"> {
  const { geometry, tissue, tilt, up } = seen;
  const map = tissueMap(tissue, tilt, ramusLayer, 1, 2);
  const tails = { upper: tailsOf(seen, map, found.upper), lower: tailsOf(seen, map, found.lower) };
  const shown = found.lower ? tails.lower : tails.upper;
  const middle = found.lower?.[Math.floor(found.lower.length / 2)];
  const edges = edgesOf(geometry, tissue, up, { ...shown, front: middle ? atTeeth(tilt, middle) : null });
  return { behind: { upper: pointsOf(tails.upper), lower: pointsOf(tails.lower) }, edges };
}

function tailsOf({ geometry, tilt, up }: Seen, map: TissueMap, line: Vector[] | null): Sides<End> {
  if (!line) return { right: none, left: none };
  const level = line.reduce((sum, point) => sum + dot(point, up), 0) / line.length;
  // The map addresses places by the point at which their upright meets the plane.
  const flat = insideOf(geometry, smoothLine(line, 0.5).points).map((point) => onPlane(tilt, point));
  const lifted = ({ x, y }: Flat): Vector => {
    const point: Vector = [x, y, tilt.level + tilt.left * x + tilt.back * y];
    return plus(point, times(up, level - dot(point, up)));
  };
  const isHeld = (x: number, y: number) => voxelAt(geometry, lifted({ x, y })) !== null;
  const tailOf = (end: Flat[], side: -1 | 1) => placed(tailBehind(map, end, side, isHeld), lifted);
  return { right: tailOf(flat.slice(0, endPlaces).toReversed(), -1), left: tailOf(flat.slice(-endPlaces), 1) };
}

/** Returns a jaw's line for display: as far as it is inside the field, with its continuation behind the teeth. */
export function wholeLine(geometry: VolumeGeometry, { behind, ...found }: ArchesFound, jaw: Jaw): Vector[] | null {
  const line = found[jaw];
  if (!line) return null;
  const held = insideOf(geometry, smoothLine(line, 0.25).points);
  // An extra point near each end: the continuation bends the curve through the teeth no further than to this point.
  const halves = handlesOn(held, 2 * line.length - 1);
  const teeth = halves.filter((_, at) => at % 2 === 0 || at === 1 || at === halves.length - 2);
  return [...behind[jaw].right.toReversed(), ...teeth, ...behind[jaw].left];
}

interface Flat {
  x: number;
  y: number;
}

interface End {
  points: Vector[];
  place: Vector | null;
  end: Tail["end"];
}

const none: End = { points: [], place: null, end: "lost" };

/** Control points about `apart` mm from each other, the last at the very end. */
function placed({ places, end }: Tail, lifted: (place: Flat) => Vector): End {
  const fine = places.map(lifted);
  const count = Math.max(1, Math.round(length(fine) / apart));
  const points = fine.length < 3 ? [] : handlesOn(fine, count + 1).slice(1);
  return { points, place: points.at(-1) ?? null, end };
}

const pointsOf = ({ right, left }: Sides<End>): Sides<Vector[]> => ({ right: right.points, left: left.points });

/** Returns `count` points of a line, evenly spaced, including both ends. */
export const handlesOn = (fine: readonly Vector[], count: number): Vector[] =>
  Array.from({ length: count }, (_, at) => fine[Math.round((at * (fine.length - 1)) / (count - 1))]);

const length = (points: readonly Vector[]): number => smoothLine(points, 1).length;

/** The longest piece of a line inside the field; all of it where that is no arch. */
function insideOf(geometry: VolumeGeometry, points: readonly Vector[]): readonly Vector[] {
  let [from, best] = [0, { from: 0, to: 0 }];
  points.forEach((point, at) => {
    if (voxelAt(geometry, point) === null) from = at + 1;
    else if (at + 1 - from > best.to - best.from) best = { from, to: at + 1 };
  });
  return best.to - best.from < leastPlaces ? points : points.slice(best.from, best.to);
}

/** 10 or 20 mm */
const leastPlaces = 40;

const onPlane = (tilt: Tilt, [x, y, z]: Vector): Flat => {
  const height = z - tilt.level - tilt.left * x - tilt.back * y;
  return { x: x + height * tilt.left, y: y + height * tilt.back };
};

const atTeeth = (tilt: Tilt, point: Vector): Vector => {
  const { x, y } = onPlane(tilt, point);
  return [x, y, tilt.level + tilt.left * x + tilt.back * y];
};

import { cephLandmarks, type CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { landmarkInfos, referenceLandmarks } from "../ceph/landmarks.ts";
import type { Point } from "../ceph/plane-geometry.ts";
import { headContours, type HeadContour, type HeadPart } from "./head-contours.ts";

/** A point of the mean head in mm, with its movement by one standard deviation of each mode of variation. */
export interface ShapePoint {
  at: Point;
  modes: readonly Point[];
}

export interface ContourPoint extends ShapePoint {
  part: HeadPart;
  /** The neighbours on the contour: the direction of the line here. */
  before: ShapePoint;
  after: ShapePoint;
  brightSide: HeadContour["brightSide"];
  /** The share with which it counts: contours that every film shows count more. */
  weight: number;
}

/**
 * The ways in which heads differ, each with its standard deviation: proportions, position and opening of the jaws,
 * nose, lips, chin, base of the skull, vault, inclination of the incisors. Amounts follow the standard deviations of
 * the measures in norms.ts and of soft tissue in Ricketts 1968; x to the face, y downwards, mm.
 */
type Mode = (point: Point, part: HeadPart, upper: number, lower: number) => Point;

const ramp = (from: number, to: number, value: number): number => {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
};
const near = ([x, y]: Point, [cx, cy]: Point, radius: number): number =>
  Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / radius ** 2);
const degree = Math.PI / 180;
const isOf = (part: HeadPart, ...parts: readonly HeadPart[]): number => (parts.includes(part) ? 1 : 0);
const belowBase = (y: number, part: HeadPart): number => (part === "vault" ? 0 : Math.max(0, y + 60));

const modes: readonly Mode[] = [
  ([x, y]) => [0.03 * (x + 24), -0.03 * (y + 75)],
  ([, y], part) => [0, 0.06 * belowBase(y, part)],
  ([, y], part) => [0.05 * belowBase(y, part), 0],
  ([x, y], part) => [0.09 * (x + 24) * isOf(part, "vault") * ramp(20, -30, x), 0.09 * (y + 75) * isOf(part, "vault")],
  ([x], part) => [0.06 * (x + 24) * isOf(part, "vault") * ramp(20, -30, x), 0],
  (_, __, upper) => [2.8 * upper, 0],
  (_, __, upper) => [0, 1.6 * upper],
  (_, __, ___, lower) => [3.2 * lower, 0],
  (_, __, ___, lower) => [0, 2.6 * lower],
  ([x, y], _, __, lower) => [-4 * degree * (y + 51) * lower, 4 * degree * (x + 42) * lower],
  (point, part) => [3 * isOf(part, "lowerJaw") * near(point, [-32, 0], 22), 0],
  (point, part) => [0, 2.5 * isOf(part, "lowerJaw") * near(point, [-26, 8], 24)],
  (point, part) => [2.6 * isOf(part, "skin") * near(point, [76, -34], 20), 0],
  (point, part) => [0, 2 * isOf(part, "skin") * near(point, [74, -32], 20)],
  (point, part) => [2 * isOf(part, "skin") * near(point, [65, 0], 14), 0],
  (point, part) => [2 * isOf(part, "skin") * near(point, [59, 32], 14), 0],
  (point, part) => [0, 2 * isOf(part, "skin") * near(point, [50, 45], 16)],
  (point, part) => [1.6 * isOf(part, "skin") * near(point, [57, -90], 30), 0],
  (point, part) => [1.6 * isOf(part, "lowerJaw") * near(point, [45, 34], 10), 0],
  (point, part) => [0, 1.6 * isOf(part, "lowerJaw") * near(point, [40, 40], 12)],
  ([x], part) => [2.4 * isOf(part, "skull") * ramp(-20, -40, x), 0],
  ([x], part) => [0, 2.4 * isOf(part, "skull") * ramp(-20, -40, x)],
  (point, part) => [2 * isOf(part, "skull", "vault") * near(point, [50, -88], 26), 0],
  (point, part) => [0, 2 * isOf(part, "skull", "vault") * near(point, [48, -84], 26)],
  (point, part) => [1.6 * isOf(part, "skull") * near(point, [-24, -75], 18), 0],
  (point, part) => [0, 1.6 * isOf(part, "skull") * near(point, [-24, -75], 18)],
  (point, part) => [2 * isOf(part, "skull") * near(point, [34, -58], 14), 0],
  (point, part) => [0, 2 * isOf(part, "skull") * near(point, [34, -58], 14)],
  ([, y], part, upper) => [2.4 * isOf(part, "teeth") * upper * ramp(-19, 3, y), 0],
  ([, y], part, __, lower) => [2.4 * isOf(part, "teeth") * lower * ramp(20, 1, y), 0],
];
export const modeCount = modes.length;
/** Positions of modes in the list, and the first of those that move the jaws and the face. */
export const vaultMode = 3;
export const jawModes = { first: 5, forward: 7, down: 8, opening: 9, lips: 14, chin: 15 } as const;

/** With how much of the movement of the upper and the lower jaw a point goes. */
function jawShares([, y]: Point, part: HeadPart, isUpperTooth: boolean): [upper: number, lower: number] {
  if (part === "upperJaw") return [1, 0];
  if (part === "lowerJaw") return [0, 1];
  if (part === "teeth") return isUpperTooth ? [1, 0] : [0, 1];
  if (part === "skin") return [ramp(-80, -36, y) * ramp(8, -6, y), ramp(-4, 10, y)];
  return [0, 0];
}

function createShapePoint(at: Point, part: HeadPart, isUpperTooth = at[1] < 0): ShapePoint {
  const [upper, lower] = jawShares(at, part, isUpperTooth);
  return { at, modes: modes.map((mode) => mode(at, part, upper, lower)) };
}

const spacing = 4;
const weights: Record<HeadPart, number> = { skin: 1, vault: 1, skull: 0.8, upperJaw: 0.8, lowerJaw: 1, teeth: 0.6 };

/** The points of all contours, about 4 mm apart. */
export const contourPoints: readonly ContourPoint[] = headContours.flatMap(({ part, brightSide, points }) => {
  const isUpper = points[0]![1] < 0;
  const samples = sampleEvenly(points).map((at) => createShapePoint(at, part, isUpper));
  return samples.flatMap((point, index) => {
    const [before, after] = [samples[Math.max(0, index - 1)]!, samples[Math.min(samples.length - 1, index + 1)]!];
    return before === after ? [] : [{ ...point, part, before, after, brightSide, weight: weights[part] }];
  });
});

function sampleEvenly(points: readonly Point[]): Point[] {
  const samples: Point[] = [points[0]!];
  for (let index = 1; index < points.length; index++) {
    const [[ax, ay], [bx, by]] = [points[index - 1]!, points[index]!];
    const steps = Math.max(1, Math.round(Math.hypot(bx - ax, by - ay) / spacing));
    for (let step = 1; step <= steps; step++)
      samples.push([ax + ((bx - ax) * step) / steps, ay + ((by - ay) * step) / steps]);
  }
  return samples;
}

const upperTeeth: ReadonlySet<CephLandmark> = new Set(["U1", "U1a", "U6", "U6D", "OcA", "OcP"]);
const partByRegion = {
  skullBase: "skull",
  upperJaw: "upperJaw",
  teeth: "teeth",
  lowerJaw: "lowerJaw",
  skin: "skin",
} as const;

/**
 * The drawn head of `referenceLandmarks` has a low angle of the jaw. The landmarks of the jaw stand where the means of Björk (1947) and
 * Jarabak (1972) put them: saddle angle 123°, articular 143°, gonial 130°, sella to articulare 36 mm, to gonion 47 mm
 * more; those of the occlusal plane where first molars and premolars meet.
 */
const meanPositions: Readonly<Record<CephLandmark, Point>> = {
  ...referenceLandmarks,
  Ba: [-48.4, -38.5],
  Ar: [-39.8, -42.5],
  Co: [-42.5, -51],
  DC: [-40, -46],
  Go: [-31, 3.8],
  Xi: [-17, -12],
  U6: [22, 0.5],
  L6: [22, 0.2],
  OcP: [19.5, 0.3],
  OcA: [35, 1],
};

/** The landmarks of the mean head. */
export const landmarkPoints: ReadonlyMap<CephLandmark, ShapePoint> = new Map(
  landmarkInfos.map(({ id, region }) => [
    id,
    createShapePoint(meanPositions[id], partByRegion[region], upperTeeth.has(id)),
  ]),
);
if (landmarkPoints.size !== cephLandmarks.length) throw new Error("a landmark has no region");

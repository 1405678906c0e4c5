import type { Point } from "@arcada/imaging/mesh/mesh";
import { createArchCurve, type JawName } from "../anatomy/arch-curve.ts";
import { getOcclusalHeight } from "../anatomy/head.ts";
import type { Random } from "../math/random.ts";
import { toToothAxes, type ToothSight } from "./draw-varied-tooth.ts";
import type { PlacedTooth } from "./place-varied-teeth.ts";

/** The region that an intra-oral film shows: the roots of one jaw, or the crowns of both. */
export const intraoralRegions = ["upperPeriapical", "lowerPeriapical", "bitewing"] as const;
export type IntraoralRegion = (typeof intraoralRegions)[number];

/** The order for one film: the region, its middle tooth counted from the midline, the side, and the sensor. */
export interface IntraoralOrder {
  region: IntraoralRegion;
  /** 1 to 8. */
  middle: number;
  /** -1 is the patient's right. */
  side: -1 | 1;
  /** mm */
  wide: number;
  high: number;
}

/** Sensors and plates of sizes 0 to 2 and the long bitewing film, long side first, mm. */
const sensors = [
  [41, 31],
  [40, 30],
  [36, 26],
  [40, 24],
  [35, 22],
  [30, 20],
] as const;

export function chooseIntraoralOrder(random: Random): IntraoralOrder {
  const kind = random.unit();
  const region = kind < 0.34 ? "bitewing" : kind < 0.68 ? "upperPeriapical" : "lowerPeriapical";
  const middle = region === "bitewing" ? random.between(4, 7.4) : random.between(1, 7.6);
  const [long, short] = random.unit() < 0.6 ? sensors[0] : random.pick(sensors);
  const isFront = middle < 3.5;
  const isPortrait = random.unit() < (isFront ? 0.8 : region === "bitewing" ? 0.12 : 0.15);
  return {
    region,
    middle: Math.round(middle),
    side: random.unit() < 0.5 ? -1 : 1,
    wide: isPortrait ? short : long,
    high: isPortrait ? long : short,
  };
}

/** Parallel rays through the jaw, and the frame of the sensor behind it. */
export interface IntraoralView {
  jaw: JawName;
  /** The point of the head that is drawn at the detector's zero. */
  origin: Point;
  right: Point;
  up: Point;
  ray: Point;
  /** The middle of the sensor on the detector, mm. */
  centre: readonly [number, number];
  /** Place along the arch at the detector's zero, mm from the midline. */
  place: number;
}

/** Aims the tube at a region as people do: nearly square to the teeth, with errors of both angles. */
export function aimIntraoralView(
  order: IntraoralOrder,
  teeth: readonly PlacedTooth[],
  { scale, open }: { scale: number; open: number },
  random: Random,
): IntraoralView {
  const { region, middle, side, high } = order;
  const jaw: JawName = region === "upperPeriapical" ? "upper" : "lower";
  const near = teeth.filter((tooth) => tooth.jaw === jaw && Math.sign(tooth.place) === side && !tooth.isUnerupted);
  const aimed = near.find((tooth) => tooth.fdi % 10 === middle && tooth.fdi < 50);
  const place = (aimed?.place ?? side * middle * 6.5) + 2.5 * random.normal();
  const { x, y, tangent } = createArchCurve(jaw, scale).at(place);
  const turn = (random.between(-4, 9) * side + 6 * random.normal()) * (Math.PI / 180);
  const out = turnLevel([tangent[1], -tangent[0]], middle < 4 ? turn / 2 : turn);
  const leans = near
    .filter((tooth) => Math.abs(tooth.place - place) < 14)
    .map(({ axes }) => Math.asin(dot(axes.crown, out)));
  const lean = leans.length > 0 ? leans.reduce((sum, one) => sum + one, 0) / leans.length : 0;
  const square = region === "bitewing" ? 0.06 : jaw === "upper" ? lean : -lean;
  const rise = square + (region === "bitewing" ? 0.08 : 0.13) * random.normal();
  const margin = random.between(-1.5, 7);
  const toMiddle = region === "bitewing" ? open / 2 + 2.5 * random.normal() : high / 2 - margin;
  return {
    jaw,
    origin: [x, y, getOcclusalHeight(place, scale) - (jaw === "lower" ? open : 0)],
    right: [-out[1], out[0], 0],
    up: [-out[0] * Math.sin(rise), -out[1] * Math.sin(rise), Math.cos(rise)],
    ray: [out[0] * Math.cos(rise), out[1] * Math.cos(rise), Math.sin(rise)],
    centre: [1.5 * random.normal(), jaw === "upper" || region === "bitewing" ? toMiddle : -toMiddle],
    place,
  };
}

/** Returns the place on the detector of a point of the head, and its depth towards the tube, mm. */
export function projectPoint(view: IntraoralView, point: Point): { x: number; y: number; depth: number } {
  const from: Point = [point[0] - view.origin[0], point[1] - view.origin[1], point[2] - view.origin[2]];
  return { x: dot(from, view.right), y: dot(from, view.up), depth: dot(from, view.ray) };
}

/** The sight of a tooth along the view's rays. */
export function createViewSight(view: IntraoralView, tooth: PlacedTooth): ToothSight {
  const { x, y } = projectPoint(view, tooth.neck);
  return {
    across: toToothAxes(view.right, tooth.axes),
    upward: toToothAxes(view.up, tooth.axes),
    along: toToothAxes(view.ray, tooth.axes),
    enlarged: 1,
    at: [x, y],
  };
}

const turnLevel = ([x, y]: readonly [number, number], by: number): Point => [
  x * Math.cos(by) - y * Math.sin(by),
  x * Math.sin(by) + y * Math.cos(by),
  0,
];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

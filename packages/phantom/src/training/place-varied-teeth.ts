import type { Point } from "@arcada/imaging/mesh/mesh";
import { createArchCurve, type JawName } from "../anatomy/arch-curve.ts";
import { getOcclusalHeight, type HeadTooth } from "../anatomy/head.ts";
import { createToothShape } from "../anatomy/tooth-shape.ts";
import type { Random } from "../math/random.ts";
import type { PlannedTooth, VariedDentition } from "./varied-dentition.ts";
import type { VariedTooth } from "./varied-tooth-material.ts";
import { createDeciduousShape, varyToothShape } from "./varied-tooth-shape.ts";

/** A tooth of a varied mouth in its place; mm in the head, as `HeadTruth` has them. */
export interface PlacedTooth extends VariedTooth, Pick<HeadTooth, "neck" | "axes" | "place"> {
  fdi: number;
  jaw: JawName;
  /** Part of its crown is in bone or gum. */
  isUnerupted: boolean;
}

/** The arrangement of the teeth of one mouth. */
export interface ArchVariety {
  scale: number;
  /** Width that a tooth takes along the arch, of its own width: below 1 in crowded mouths. */
  spacing: number;
  /** Degrees by which teeth are turned about their own axes, standard deviation. */
  turned: number;
  /** Millimetres by which the lower teeth are below the upper ones, because the patient bites on a block. */
  open: number;
  /** Degrees by which front teeth lean to the lips more than usual. */
  proclined: number;
}

export function chooseArchVariety(dentition: VariedDentition, random: Random): ArchVariety {
  const isChild = dentition.age < 14;
  return {
    scale: isChild ? random.between(0.86, 0.97) : random.between(0.92, 1.07),
    spacing: random.between(0.9, 1.06),
    turned: random.unit() < 0.4 ? random.between(5, 16) : random.between(1, 6),
    open: random.between(0.5, 7),
    proclined: random.between(-12, 10),
  };
}

/** Places the teeth along the arches; gaps stay, or close in part as neighbours drift into them. */
export function placeVariedTeeth(dentition: VariedDentition, variety: ArchVariety, random: Random): PlacedTooth[] {
  return [1, 2, 3, 4].flatMap((quadrant) => {
    const own = dentition.teeth.filter(({ fdi }) => [quadrant, quadrant + 4].includes(Math.floor(fdi / 10)));
    return placeQuadrant(quadrant, own, variety, random);
  });
}

function placeQuadrant(
  quadrant: number,
  teeth: readonly PlannedTooth[],
  variety: ArchVariety,
  random: Random,
): PlacedTooth[] {
  const jaw: JawName = quadrant < 3 ? "upper" : "lower";
  const side = quadrant === 1 || quadrant === 4 ? -1 : 1;
  const placed: PlacedTooth[] = [];
  let edge = random.between(-0.4, 0.6);
  // Degrees by which the teeth behind a gap tip into it.
  let tipped = 0;
  for (let place = 1; place <= 8; place++) {
    const here = teeth
      .filter((tooth) => tooth.place === place)
      .map((tooth) => ({ tooth, shape: createShape(tooth, variety.scale, random) }));
    const inRow = here.find(({ tooth }) => tooth.depth < 3);
    const usual = createToothShape(jaw, place, variety.scale).width;
    const left = inRow ? 1 : leaveGap(random);
    const width = (inRow ? inRow.shape.width : usual * left) * (place < 4 ? 0.9 : 0.975);
    const taken = width * variety.spacing + Math.max(0, 0.3 * random.normal());
    for (const { tooth, shape } of here) {
      const distance = edge + taken / 2 + (tooth.depth > 3 ? 0.9 * random.normal() : 0.2 * random.normal());
      const lean = tooth.lean + (tooth.depth < 3 ? tipped : 0);
      placed.push(placeTooth({ ...tooth, lean }, shape, { side, distance, variety }, random));
    }
    edge += taken;
    tipped = inRow ? tipped * 0.5 : tipped + (1 - left) * random.between(0, 16);
  }
  return placed;
}

/** The share of its width that a gap keeps: neighbours drift and tip into it, and braces close one wholly. */
function leaveGap(random: Random): number {
  return random.unit() < 0.35 ? random.between(0, 0.3) : random.between(0.3, 1);
}

function createShape({ isDeciduous, jaw, place }: PlannedTooth, scale: number, random: Random) {
  const usual = isDeciduous ? createDeciduousShape(jaw, place, scale) : createToothShape(jaw, place, scale);
  return varyToothShape(usual, random);
}

// Degrees by which crowns lean to the lips or cheek, first to eighth from the midline.
const buccalLean: Record<JawName, readonly number[]> = {
  upper: [20, 18, 8, -2, -3, 4, 7, 12],
  lower: [17, 14, 4, -5, -8, -12, -14, -14],
};

interface Place {
  side: number;
  distance: number;
  variety: ArchVariety;
}

function placeTooth(tooth: PlannedTooth, shape: PlacedTooth["shape"], at: Place, random: Random): PlacedTooth {
  const { jaw, place: number, depth, lean } = tooth;
  const { scale, turned, open, proclined } = at.variety;
  const up = jaw === "lower" ? 1 : -1;
  const place = at.side * at.distance;
  const { x, y, tangent } = createArchCurve(jaw, scale).at(place);
  const out: Point = [tangent[1], -tangent[0], 0];
  const mesial: Point = [-at.side * tangent[0], -at.side * tangent[1], 0];
  const buccal = buccalLean[jaw][number - 1] + (number < 4 ? proclined : 0) + 3 * random.normal();
  const usual = jaw === "lower" && number > 5 ? 7 : number === 3 ? 5 : 2;
  const axes = turnAxes(leanAxes(out, mesial, up, buccal, usual + lean), turned * random.normal());
  const overlap = shape.form === "incisor" || shape.form === "canine" ? 1 : 0.45;
  const rise = shape.crown * Math.cos((buccal * Math.PI) / 180) - overlap;
  const height = getOcclusalHeight(place, scale) - up * (rise + depth) - (jaw === "lower" ? open : 0);
  const inward = 0.4 * random.normal() + (turned > 6 ? 0.8 * random.normal() : 0);
  return {
    fdi: tooth.fdi,
    jaw,
    shape,
    condition: tooth.condition,
    rootShare: tooth.rootShare,
    brokenAt: random.between(-2, 1.5),
    fillingDepth: random.between(0.25, 0.75),
    fillingSide: random.between(-1, 1),
    isUnerupted: depth > 3,
    neck: [x + out[0] * inward, y + out[1] * inward, height],
    axes,
    place,
  };
}

type Axes = HeadTooth["axes"];

/** The tooth's own directions when its crown leans by these degrees. */
function leanAxes(out: Point, mesial: Point, up: number, buccalDegrees: number, mesialDegrees: number): Axes {
  const [tb, tm] = [(buccalDegrees * Math.PI) / 180, (mesialDegrees * Math.PI) / 180];
  const upright = Math.cos(tb) * Math.cos(tm);
  const crown = unit([
    out[0] * Math.sin(tb) * Math.cos(tm) + mesial[0] * Math.sin(tm),
    out[1] * Math.sin(tb) * Math.cos(tm) + mesial[1] * Math.sin(tm),
    up * upright,
  ]);
  const buccal = unit(minus(out, crown, dot(out, crown)));
  return { crown, buccal, mesial: unit(minus(minus(mesial, crown, dot(mesial, crown)), buccal, dot(mesial, buccal))) };
}

/** Turns a tooth about its long axis. */
function turnAxes({ crown, buccal, mesial }: Axes, degrees: number): Axes {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const mix = (a: Point, b: Point, p: number, q: number): Point => [
    a[0] * p + b[0] * q,
    a[1] * p + b[1] * q,
    a[2] * p + b[2] * q,
  ];
  return { crown, buccal: mix(buccal, mesial, cos, sin), mesial: mix(mesial, buccal, cos, -sin) };
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point, b: Point, share: number): Point => [
  a[0] - b[0] * share,
  a[1] - b[1] * share,
  a[2] - b[2] * share,
];
const unit = (point: Point): Point => {
  const length = Math.hypot(...point);
  return [point[0] / length, point[1] / length, point[2] / length];
};

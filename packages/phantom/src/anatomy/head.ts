import type { Point } from "@arcada/imaging/mesh/mesh";
import { createArchCurve, createJawCurve, type ArchCurve, type JawName } from "./arch-curve.ts";
import { createRandom, type Random } from "../math/random.ts";
import { interpolateKnots } from "../math/shape-functions.ts";
import { implantSize, type ToothState } from "./tooth-material.ts";
import { createToothShape, type ToothShape } from "./tooth-shape.ts";

export type HeadTooth = {
  /** FDI number: 11…18 upper right, 21…28 upper left, 31…38 lower left, 41…48 lower right. */
  fdi: number;
  jaw: JawName;
  state: ToothState;
  /** Middle of the neck. */
  neck: Point;
  /** The tooth's own directions, of length 1 and square to each other. */
  axes: { mesial: Point; buccal: Point; crown: Point };
  /** Along the arch from the midline, positive to the patient's left, in mm. */
  place: number;
  shape: ToothShape;
};

export type Implant = { fdi: number; head: Point; apex: Point; diameter: number };

/**
 * The ground truth of a generated head. Positions are mm in DICOM patient space: x to the patient's left, y to the
 * back, z up; the occlusal plane meets the midline at z = 0, the incisors are at y ≈ -40.
 */
export type HeadTruth = {
  seed: string;
  scale: number;
  /** Middle line of the teeth, from the patient's right to the left, every 0.5 mm. */
  arch: Record<JawName, Point[]>;
  teeth: HeadTooth[];
  /** Nerve canals from the foramen at the ramus to that at the chin. */
  canals: { right: Point[]; left: Point[] };
  implants: Implant[];
};

/** The same seed makes the same head: one metal crown, one implant, one gap, two fillings, a tilted wisdom tooth. */
export function makeHead(seed: string): HeadTruth {
  const random = createRandom("head", seed);
  const scale = random.between(0.95, 1.04);
  const states = chooseStates(random);
  const teeth = [1, 2, 3, 4].flatMap((quadrant) => createQuadrantTeeth(quadrant, scale, states, random));
  return {
    seed,
    scale,
    arch: { upper: createArchLine("upper", scale), lower: createArchLine("lower", scale) },
    teeth,
    canals: { right: createCanal(-1, scale), left: createCanal(1, scale) },
    implants: teeth.filter((tooth) => tooth.state === "implant").map(createImplant),
  };
}

/** Height of the occlusal plane: it rises to the back (the curve of Spee). */
export const getOcclusalHeight = (place: number, scale: number): number => (0.0009 * place * place) / scale;

function createArchLine(jaw: JawName, scale: number): Point[] {
  const curve = createArchCurve(jaw, scale);
  const end = 58 * scale;
  const count = Math.round(end / 0.5);
  return Array.from({ length: 2 * count + 1 }, (_, i) => {
    const place = (i - count) * 0.5;
    const { x, y } = curve.at(place);
    return [x, y, getOcclusalHeight(place, scale)];
  });
}

function chooseStates(random: Random): Map<number, ToothState> {
  const states = new Map<number, ToothState>();
  const set = (state: ToothState, fdis: readonly number[]): void => {
    states.set(random.pick(fdis.filter((fdi) => !states.has(fdi))), state);
  };
  set("implant", [36, 46, 35, 45]);
  set("crowned", [16, 26, 15, 25, 37, 47]);
  set("missing", [14, 24, 17, 27, 36, 46]);
  set("filled", [16, 26, 36, 46]);
  set("filled", [37, 47, 17, 27]);
  for (const wisdom of [18, 28]) if (random.unit() < 0.5) states.set(wisdom, "missing");
  states.set(random.pick([18, 28, 38]), "missing");
  return states;
}

function createQuadrantTeeth(
  quadrant: number,
  scale: number,
  states: Map<number, ToothState>,
  random: Random,
): HeadTooth[] {
  const jaw = quadrant < 3 ? "upper" : "lower";
  const side = quadrant === 1 || quadrant === 4 ? -1 : 1;
  const curve = createArchCurve(jaw, scale);
  const teeth: HeadTooth[] = [];
  let edge = 0;
  for (let place = 1; place <= 8; place++) {
    const shape = createToothShape(jaw, place, scale * random.between(0.985, 1.01));
    // Crowns touch above the necks: those of leaning front teeth are on a wider arch than their necks.
    const width = shape.width * (place < 4 ? 0.9 : 0.975);
    const fdi = quadrant * 10 + place;
    const tilt = chooseTilt(jaw, place, fdi, random);
    const at = { curve, side, distance: edge + width / 2, scale };
    teeth.push({ fdi, jaw, state: states.get(fdi) ?? "sound", shape, ...placeTooth(jaw, shape, at, tilt) });
    edge += width;
  }
  return teeth;
}

/** Degrees by which the crown leans to the lips or cheek and to the midline, and its depth below its neighbours. */
type Tilt = { buccal: number; mesial: number; sunk: number };

const lean: Record<JawName, readonly number[]> = {
  upper: [20, 18, 8, -2, -3, 4, 7, 12],
  lower: [17, 14, 4, -5, -8, -12, -14, -14],
};

function chooseTilt(jaw: JawName, place: number, fdi: number, random: Random): Tilt {
  if (fdi === 48) return { buccal: -6, mesial: 52, sunk: 7 };
  const mesial = jaw === "lower" && place > 5 ? 7 : place === 3 ? 5 : 2;
  return {
    buccal: lean[jaw][place - 1] + random.between(-2, 2),
    mesial: mesial + random.between(-2.5, 2.5),
    sunk: random.between(-0.3, 0.3),
  };
}

type ToothPlacement = { curve: ArchCurve; side: number; distance: number; scale: number };

function placeTooth(
  jaw: JawName,
  shape: ToothShape,
  at: ToothPlacement,
  tilt: Tilt,
): Pick<HeadTooth, "neck" | "axes" | "place"> {
  const place = at.side * at.distance;
  const { x, y, tangent } = at.curve.at(place);
  const out: Point = [tangent[1], -tangent[0], 0];
  const mesial: Point = [-at.side * tangent[0], -at.side * tangent[1], 0];
  const up = jaw === "lower" ? 1 : -1;
  const [tb, tm] = [(tilt.buccal * Math.PI) / 180, (tilt.mesial * Math.PI) / 180];
  const crown = unit(
    sum([0, 0, up * Math.cos(tb) * Math.cos(tm)], times(out, Math.sin(tb)), times(mesial, Math.sin(tm))),
  );
  const buccal = unit(sum(out, times(crown, -dot(out, crown))));
  const square = sum(mesial, times(crown, -dot(mesial, crown)), times(buccal, -dot(mesial, buccal)));
  // Front teeth overlap by 2 mm, the cusps of the others meet in the fissures.
  const overlap = shape.form === "incisor" || shape.form === "canine" ? 1 : 0.45;
  const rise = shape.crown * Math.cos(tb) - overlap + tilt.sunk;
  return {
    neck: [x, y, getOcclusalHeight(place, at.scale) - up * rise],
    axes: { mesial: unit(square), buccal, crown },
    place,
  };
}

// Along the jaw from the midline: offset to the cheek and height, from the ramus to the chin.
const canalOffset = [
  [22, 4.6],
  [24, 3.4],
  [27, 0.8],
  [33, -0.8],
  [45, -1.6],
  [90, -1.4],
] as const;
const canalHeight = [
  [22, -22.6],
  [24, -24],
  [28, -26.4],
  [36, -27.8],
  [46, -27.6],
  [56, -25],
  [66, -17],
  [74, -6],
  [80, 4],
] as const;

function createCanal(side: number, scale: number): Point[] {
  const curve = createJawCurve(scale);
  const points: Point[] = [];
  for (let u = 80; u >= 22; u--) {
    const { x, y, tangent } = curve.at(u * scale);
    const offset = interpolateKnots(canalOffset, u) * scale;
    points.push([side * (x + tangent[1] * offset), y - tangent[0] * offset, interpolateKnots(canalHeight, u) * scale]);
  }
  return points;
}

function createImplant({ fdi, neck, axes }: HeadTooth): Implant {
  const { diameter, length, below } = implantSize;
  return {
    fdi,
    diameter,
    head: sum(neck, times(axes.crown, -below)),
    apex: sum(neck, times(axes.crown, -below - length)),
  };
}

const sum = (...points: readonly Point[]): Point =>
  points.reduce(([x, y, z], [dx, dy, dz]): Point => [x + dx, y + dy, z + dz], [0, 0, 0]);

const times = ([x, y, z]: Point, factor: number): Point => [x * factor, y * factor, z * factor];

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const unit = (point: Point): Point => times(point, 1 / Math.hypot(...point));

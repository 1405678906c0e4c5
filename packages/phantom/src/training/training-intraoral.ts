import { createRandom, type Random } from "../math/random.ts";
import { addPatch, createPlate, getPlateBox, type Plate } from "../radiograph/plate.ts";
import { developHeldBack, developIntraoral } from "./develop-intraoral.ts";
import { drawToothShadow, type MaterialStrengths, type ShadowLook } from "./draw-varied-tooth.ts";
import { addBiteBlock, addToothDetails } from "./intraoral-details.ts";
import { createIntraoralTissue } from "./intraoral-tissue.ts";
import {
  aimIntraoralView,
  chooseIntraoralOrder,
  createViewSight,
  projectPoint,
  type IntraoralOrder,
  type IntraoralRegion,
  type IntraoralView,
} from "./intraoral-view.ts";
import { chooseArchVariety, placeVariedTeeth, type PlacedTooth } from "./place-varied-teeth.ts";
import { SensorWarp } from "./sensor-warp.ts";
import type { DrawnTooth } from "./training-panorama.ts";
import { chooseDentition, type VariedDentition } from "./varied-dentition.ts";

/** A tooth's truth on an intra-oral film: the box holds the part that the film shows. */
export interface IntraoralTooth extends DrawnTooth {
  /** Share of the tooth that is on the film, 0 to 1. */
  seen: number;
}

/** An intra-oral film of a generated mouth for training, with its truth. */
export interface TrainingIntraoral {
  columns: number;
  rows: number;
  /** Grey values, bright for dense. */
  pixels: Uint8Array;
  region: IntraoralRegion;
  /** Quarter turns clockwise from the upright position: the upper jaw above, and seen from outside the mouth. */
  turned: 0 | 1 | 2 | 3;
  teeth: IntraoralTooth[];
}

/** mm of the sensor for a pixel; coarser than any machine, and finer than what the network sees. */
export const intraoralPixel = 0.14;

/** The same seed makes the same film. At least two teeth are on it. */
export const createTrainingIntraoral = (seed: string): TrainingIntraoral => drawUntilSeen(seed, developIntraoral);

/** A film for measuring alone: other mouths, developed as no training film is. */
export const createHeldBackIntraoral = (seed: string): TrainingIntraoral =>
  drawUntilSeen(`held back ${seed}`, developHeldBack);

type Develop = (plate: Plate, seed: string) => Uint8Array;

function drawUntilSeen(seed: string, develop: Develop): TrainingIntraoral {
  for (let attempt = 0; ; attempt++) {
    const film = drawIntraoral(`${seed} ${attempt}`, develop);
    if (film.teeth.length > 1 || attempt > 8) return film;
  }
}

function drawIntraoral(seed: string, develop: Develop): TrainingIntraoral {
  const random = createRandom("training intraoral", seed);
  const order = chooseIntraoralOrder(random);
  const dentition = addImplant(chooseDentition(random), order, random);
  const isBitewing = order.region === "bitewing";
  const variety = {
    ...chooseArchVariety(dentition, random),
    open: isBitewing ? random.between(0.3, 4.5) : random.between(2, 16),
    spacing: random.between(0.96, 1.06),
  };
  const teeth = placeVariedTeeth(dentition, variety, random);
  const view = aimIntraoralView(order, teeth, variety, random);
  const warp = new SensorWarp(order, view.centre, random);
  const plate = createDetector(order, view);
  const near = teeth.filter((tooth) => isBeforeSensor(view, tooth));
  const tissue = createIntraoralTissue(view, near, random);
  addPatch(plate, getPlateBox(plate), 0.28, tissue);
  const look = chooseLook(random);
  const outlines = near.map((tooth) => {
    const sight = createViewSight(view, tooth);
    const points = drawToothShadow(plate, tooth, sight, look);
    addToothDetails(plate, tooth, sight, random);
    return points;
  });
  if (isBitewing || random.unit() < 0.5) addBiteBlock(plate, isBitewing ? variety.open / 2 : 0, random);
  const sensor = warp.resample(plate, intraoralPixel);
  const upright = { columns: sensor.columns, rows: sensor.rows, pixels: develop(sensor, seed) };
  const truth = near.flatMap((tooth, at) => toIntraoralTooth(tooth, outlines[at], warp, upright));
  const turned = Math.floor(random.between(0, 4)) as 0 | 1 | 2 | 3;
  return turnFilm({ ...upright, region: order.region, turned: 0, teeth: truth }, turned);
}

/** Some films are taken because of an implant: one replaces the tooth in the middle. */
function addImplant(
  dentition: VariedDentition,
  { middle, region, side }: IntraoralOrder,
  random: Random,
): VariedDentition {
  if (dentition.age < 18 || random.unit() > 0.14) return dentition;
  const quadrant = region === "upperPeriapical" ? (side < 0 ? 1 : 2) : side < 0 ? 4 : 3;
  const fdi = quadrant * 10 + Math.min(7, middle);
  return {
    ...dentition,
    teeth: dentition.teeth.map((tooth) =>
      tooth.fdi === fdi ? { ...tooth, condition: "implant", depth: 0, rootShare: 1 } : tooth,
    ),
  };
}

/** Teeth of the other side stand behind the sensor. */
function isBeforeSensor(view: IntraoralView, tooth: PlacedTooth): boolean {
  const { x, depth } = projectPoint(view, tooth.neck);
  return Math.abs(tooth.place - view.place) < 42 && depth > -16 && Math.abs(x) < 34;
}

function createDetector({ wide, high }: IntraoralOrder, { centre }: IntraoralView): Plate {
  const margin = 9;
  const [columns, rows] = [wide + 2 * margin, high + 2 * margin].map((mm) => Math.round(mm / intraoralPixel));
  return createPlate(columns, rows, intraoralPixel, [
    columns / 2 - centre[0] / intraoralPixel,
    rows / 2 + centre[1] / intraoralPixel,
  ]);
}

function chooseLook(random: Random): ShadowLook {
  const dentine = 0.048 * random.between(1.1, 2);
  const strengths: MaterialStrengths = {
    nothing: 0,
    pulp: dentine * random.between(0, 0.35),
    dentine,
    enamel: dentine * random.between(1.35, 2.2),
    filling: random.between(0.06, 0.4),
    metal: random.between(0.3, 0.8),
    ceramic: random.between(0.07, 0.25),
    titanium: random.between(0.18, 0.4),
    rootFilling: random.between(0.14, 0.45),
  };
  const socket = { bone: random.between(12, 26), level: random.between(0.06, 0.24), lines: random.between(0.1, 1.1) };
  return { strengths, socket, spacing: { across: 0.28, along: 0.55 } };
}

/** None if the film shows next to nothing of the tooth. */
function toIntraoralTooth(
  { fdi, condition, isUnerupted }: PlacedTooth,
  outline: readonly (readonly [number, number])[],
  warp: SensorWarp,
  { columns, rows }: { columns: number; rows: number },
): IntraoralTooth[] {
  const box = { left: columns, top: rows, right: 0, bottom: 0 };
  let inside = 0;
  for (const [u, v] of outline) {
    const [x, y] = warp.toSensor(u, v);
    const [column, row] = [columns / 2 + x / intraoralPixel, rows / 2 - y / intraoralPixel];
    if (column < 0 || row < 0 || column > columns || row > rows) continue;
    inside += 1;
    box.left = Math.min(box.left, column);
    box.right = Math.max(box.right, column);
    box.top = Math.min(box.top, row);
    box.bottom = Math.max(box.bottom, row);
  }
  const seen = outline.length > 0 ? inside / outline.length : 0;
  const isSliver = Math.min(box.right - box.left, box.bottom - box.top) * intraoralPixel < 1.2;
  return seen < 0.04 || isSliver ? [] : [{ fdi, condition, isUnerupted, box, seen }];
}

function turnFilm(film: TrainingIntraoral, turned: 0 | 1 | 2 | 3): TrainingIntraoral {
  let now = film;
  for (let left = turned; left > 0; left--) now = turnOnce(now);
  return { ...now, turned };
}

/** A quarter turn clockwise. */
function turnOnce({ columns, rows, pixels, teeth, ...rest }: TrainingIntraoral): TrainingIntraoral {
  const turned = new Uint8Array(pixels.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + (rows - 1 - row)] = pixels[row * columns + column];
  const boxes = teeth.map(({ box, ...tooth }) => ({
    ...tooth,
    box: { left: rows - box.bottom, top: box.left, right: rows - box.top, bottom: box.right },
  }));
  return { ...rest, columns: rows, rows: columns, pixels: turned, teeth: boxes };
}

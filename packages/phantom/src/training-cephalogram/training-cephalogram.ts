import { createRandom, type Random } from "../math/random.ts";
import type { Point2 } from "../math/shape-functions.ts";
import { developCephalogram, type FilmLook } from "./develop-cephalogram.ts";
import { drawLowerJaw, drawTeeth } from "./draw-jaws-and-teeth.ts";
import { drawNeck, drawSoftTissue } from "./draw-neck-and-skin.ts";
import { drawMiddleFace, drawSkullBase, type Pencil, type Placing, type SidedPlacing } from "./draw-skull.ts";
import { drawHeadHolder, drawThingsBeside } from "./draw-surroundings.ts";
import { meanLandmarks, skullLandmarkNames, type SkullLandmark, type SkullLandmarks } from "./mean-skull-landmarks.ts";
import { createVariedSkull, turn } from "./varied-skull.ts";
import { createPointWarp } from "./warp-by-points.ts";
import { XrayCanvas } from "./x-ray-canvas.ts";

/** A lateral cephalogram for training, upright, with the positions of its landmarks. */
export interface TrainingCephalogram {
  columns: number;
  rows: number;
  pixels: Uint8Array;
  faces: "left" | "right";
  /** mm of the head in a pixel. */
  mmOfPixel: number;
  /** Pixels of the film; some lie beyond its edge. */
  landmarks: Record<SkullLandmark, Point2>;
}

/** Pixels along the longer side. */
export const longSideOfTrainingFilm = 320;

/** Width and height of films and detectors in mm. */
const fields: readonly Point2[] = [
  [203, 254],
  [254, 203],
  [240, 300],
  [180, 240],
  [240, 240],
  [270, 300],
  [300, 240],
  [165, 200],
  [220, 180],
];

/**
 * Draws a film. The same seed makes the same film. `heldBack` draws machines that no training film comes from.
 */
export function createTrainingCephalogram(seed: string, look: FilmLook = "usual"): TrainingCephalogram {
  const random = createRandom("training cephalogram", look, seed);
  const field = random.pick(fields);
  const pixel = Math.max(...field) / longSideOfTrainingFilm;
  const canvas = new XrayCanvas(Math.round(field[0] / pixel), Math.round(field[1] / pixel));
  const skull = createVariedSkull(random);
  const enlarged = random.between(1.03, 1.16);
  const pose = turn(6.5 * random.normal());
  const perMm = enlarged / pixel;
  const zero = choosePosition(canvas, skull.landmarks, (point) => pose(point), perMm, random);
  const onFilm: Placing = (point) => {
    const [x, y] = pose(point);
    return [zero[0] + x * perMm, zero[1] - y * perMm];
  };
  drawHead(
    {
      canvas,
      perMm,
      blur: random.unit() < 0.6 ? random.between(0.2, 1) : random.between(1, 2.4),
      random,
      texture: chooseTexture(random, perMm),
    },
    skull,
    onFilm,
  );
  drawThingsBeside(canvas, perMm, random);
  const pixels = developCephalogram(canvas, random, look);
  const landmarks = Object.fromEntries(
    skullLandmarkNames.map((name): [string, Point2] => [name, onFilm(skull.landmarks[name])]),
  ) as Record<SkullLandmark, Point2>;
  const film = { columns: canvas.columns, rows: canvas.rows, pixels, landmarks, mmOfPixel: 1 / perMm };
  return random.unit() < 0.35 ? { ...mirror(film), faces: "left" } : { ...film, faces: "right" };
}

const chooseTexture = (random: Random, perMm: number): Pencil["texture"] => ({
  share: random.between(0, 0.5),
  mesh: random.between(1, 3) * perMm,
});

function drawHead(pencil: Pencil, { landmarks, size }: ReturnType<typeof createVariedSkull>, onFilm: Placing): void {
  const { random } = pencil;
  const around = (names: readonly SkullLandmark[], more: readonly Point2[] = []): Placing => {
    const warp = warpFromMean(landmarks, names, more, size);
    return (point) => onFilm(warp(point));
  };
  const vault: Point2[] = [
    [-6, 103],
    [-102, 12],
    [57, 80],
    [-54, -44],
  ];
  const base = around(["S", "N", "Ba", "Po", "Or", "Pt"], vault);
  const maxilla = around(["N", "Or", "Pt", "ANS", "PNS", "A", "U1a"]);
  const jaw = around(["Co", "Ar", "Go", "Me", "Gn", "Pog", "B", "L1a"]);
  const skin = around(["NS", "Prn", "Sn", "Ls", "Li", "Si", "PogS", "MeS"], [...vault, [26, -190], [-80, -190]]);
  const neck = around(
    ["Ba"],
    [
      [-70, -60],
      [-35, -110],
      [-40, -190],
    ],
  );
  const inside = around(["Ba", "PNS", "Go", "Pt"], [[-21, -150]]);
  drawSoftTissue(pencil, skin, inside, jaw);
  drawNeck(pencil, neck);
  drawSkullBase(pencil, base, splitSides(base, onFilm, random));
  drawMiddleFace(pencil, maxilla, splitSides(maxilla, onFilm, random));
  const halves = splitSides(jaw, onFilm, random);
  drawLowerJaw(pencil, jaw, halves);
  drawTeeth(pencil, landmarks, size, splitSides(onFilm, onFilm, random, 0.35));
  drawHeadHolder(pencil, onFilm, landmarks.Po, landmarks.N);
}

/** The spline that brings the mean head's landmarks onto this head's; `more` are points that only grow with the head. */
function warpFromMean(
  landmarks: SkullLandmarks,
  names: readonly SkullLandmark[],
  more: readonly Point2[],
  size: number,
): Placing {
  return createPointWarp(
    [...names.map((name) => meanLandmarks[name]), ...more],
    [...names.map((name) => landmarks[name]), ...more.map(([x, y]): Point2 => [x * size, y * size])],
  );
}

/**
 * The side nearer to the tube is thrown a little larger, and a head that is turned or tipped moves both against each
 * other: their middle stays where the landmarks are.
 */
function splitSides(place: Placing, onFilm: Placing, random: Random, share = 1): SidedPlacing {
  const grow = share * random.between(0, 0.028);
  const [dx, dy] = [share * 1.6 * random.normal(), share * 1.3 * random.normal()];
  const [zx, zy] = onFilm([0, 0]);
  const [ax, ay] = onFilm([1, 0]);
  const perMm = Math.hypot(ax - zx, ay - zy);
  // The central ray passes the ears.
  const [cx, cy] = onFilm(meanLandmarks.Po);
  const side = (by: 1 | -1): Placing => {
    return (point) => {
      const [x, y] = place(point);
      return [x + by * (grow * (x - cx) + dx * perMm), y + by * (grow * (y - cy) + dy * perMm)];
    };
  };
  return [side(1), side(-1)];
}

/** The sella's place on the film: the face is on it, with more or less room around it, and seldom cut off. */
function choosePosition(
  { columns, rows }: XrayCanvas,
  landmarks: SkullLandmarks,
  pose: Placing,
  perMm: number,
  random: Random,
): Point2 {
  const points = Object.values(landmarks).map(pose);
  const xs = points.map(([x]) => x * perMm);
  const ys = points.map(([, y]) => -y * perMm);
  const margin = (random.unit() < 0.12 ? -14 : 4) * perMm;
  const pick = (low: number, high: number, size: number, most: number): number => {
    const slack = size - (high - low) - 2 * margin;
    const from = slack > 0 ? random.unit() ** 0.8 * Math.min(slack, most * perMm) : slack / 2;
    return from + margin - low;
  };
  const x = pick(-Math.max(...xs), -Math.min(...xs), columns, 60);
  return [columns - x, pick(Math.min(...ys), Math.max(...ys), rows, 110)];
}

function mirror(film: Omit<TrainingCephalogram, "faces">): Omit<TrainingCephalogram, "faces"> {
  const { columns } = film;
  const landmarks = Object.fromEntries(
    Object.entries(film.landmarks).map(([name, [x, y]]): [string, Point2] => [name, [columns - x, y]]),
  ) as Record<SkullLandmark, Point2>;
  const pixels = film.pixels.map((_, at, all) => {
    const column = at % columns;
    return all[at - column + columns - 1 - column];
  });
  return { ...film, pixels, landmarks };
}

import { createRandom, type Random } from "../math/random.ts";
import type { Point2 } from "../math/shape-functions.ts";
import { developCephalogram } from "./develop-cephalogram.ts";
import { drawCurve, drawForm, drawSoftSpots, ring, type FormStyle, type Pencil, type Placing } from "./draw-skull.ts";
import { drawThingsBeside } from "./draw-surroundings.ts";
import { XrayCanvas } from "./x-ray-canvas.ts";

/** A head seen from the front: a finder of landmarks of the side view must abstain on it. */
export function createFrontalHead(seed: string): { columns: number; rows: number; pixels: Uint8Array } {
  const random = createRandom("frontal head", seed);
  const field = random.pick([
    [203, 254],
    [240, 300],
    [254, 254],
  ] as const);
  const perMm = 320 / field[1];
  const canvas = new XrayCanvas(Math.round(field[0] * perMm), 320);
  const [lean, size] = [0.06 * random.normal(), random.between(0.85, 1.1)];
  const [zx, zy] = [canvas.columns * random.between(0.42, 0.58), canvas.rows * random.between(0.42, 0.6)];
  const place: Placing = ([x, y]) => [zx + (x - lean * y) * size * perMm, zy - (y + lean * x) * size * perMm];
  const pencil: Pencil = {
    canvas,
    perMm,
    blur: random.between(0.3, 1.6),
    random,
    texture: { share: random.between(0, 0.4), mesh: random.between(1, 3) * perMm },
  };
  drawHead(pencil, place);
  drawThingsBeside(canvas, perMm, random);
  return { columns: canvas.columns, rows: canvas.rows, pixels: developCephalogram(canvas, random, "usual") };
}

/** Both sides of a form, given for the right half of the picture. */
const both = (form: readonly Point2[]): Point2[][] => [[...form], form.map(([x, y]): Point2 => [-x, y])];

function drawHead(pencil: Pencil, place: Placing): void {
  const { random } = pencil;
  const outline = chooseOutline(random);
  const grown = outline.map(([x, y]): Point2 => [x * 1.08, y * 1.06]);
  drawForm(pencil, grown, place, { body: random.between(0.1, 0.35), soft: random.between(2, 12), isTextured: false });
  drawForm(pencil, neck, place, { body: random.between(0.1, 0.3), soft: 6, isTextured: false });
  drawForm(pencil, outline, place, {
    body: random.between(0.2, 0.6),
    edge: random.between(0.1, 0.4),
    soft: 2,
    width: 4,
  });
  const brain = outline.filter(([, y]) => y > -10);
  drawForm(pencil, brain, place, { body: random.between(0.1, 0.5), soft: 4, isTextured: false });
  drawCavities(pencil, place);
  for (const side of both(ramus)) drawCurve(pencil, side, place, random.between(0.1, 0.35), random.between(4, 14));
  drawTeethRows(pencil, place, random);
  const spine = random.between(0.1, 0.3);
  for (let at = 0; at < 6; at++)
    drawForm(pencil, ring([random.normal(), -70 - 19 * at], [17, 8]), place, {
      body: spine,
      edge: 0.5 * spine,
      soft: 1.5,
    });
  drawSoftSpots(
    pencil,
    place,
    [
      [-60, -90],
      [60, 80],
    ],
    14,
    0.08,
  );
}

function chooseOutline(random: Random): Point2[] {
  const vary = (mm: number): number => mm * random.normal();
  const [wide, high] = [72 + vary(4), 95 + vary(5)];
  const right: Point2[] = [
    [0, high],
    [40, high - 10],
    [wide - 6, 60],
    [wide, 20],
    [wide - 6, -20],
    [58, -45],
    [52, -75],
    [32, -104 + vary(4)],
    [0, -112 + vary(4)],
  ];
  const left = right.slice(1, -1).map(([x, y]): Point2 => [-x, y]);
  return [...right, ...left.toReversed()];
}

const neck: readonly Point2[] = [
  [50, -90],
  [55, -190],
  [-55, -190],
  [-50, -90],
];
const ramus: readonly Point2[] = [
  [70, 6],
  [60, -20],
  [56, -60],
  [40, -96],
  [12, -108],
  [0, -108],
];
const cheek: readonly Point2[] = [
  [20, -14],
  [44, -18],
  [48, -34],
  [30, -46],
  [18, -36],
];
const nose: readonly Point2[] = [
  [0, 2],
  [14, -22],
  [16, -38],
  [0, -44],
  [-16, -38],
  [-14, -22],
];

/** Orbits, sinuses and the nose with its septum. */
function drawCavities(pencil: Pencil, place: Placing): void {
  const { random } = pencil;
  const dark = (most: number): FormStyle => ({
    body: -random.between(0, most),
    edge: random.between(0, 0.25),
    soft: random.between(1, 2.5),
  });
  for (const form of both(ring([33 + 2 * random.normal(), 0], [20, 17], 10))) drawForm(pencil, form, place, dark(0.2));
  for (const form of both(cheek)) drawForm(pencil, form, place, dark(0.15));
  drawForm(pencil, nose, place, dark(0.2));
  drawCurve(
    pencil,
    [
      [0, 4],
      [2 * random.normal(), -20],
      [0, -42],
    ],
    place,
    random.between(0.05, 0.25),
    2,
  );
}

function drawTeethRows(pencil: Pencil, place: Placing, random: Random): void {
  const bright = random.between(0.1, 0.35);
  for (const up of [1, -1])
    for (let tooth = -7; tooth <= 7; tooth++) {
      if (random.unit() < 0.12) continue;
      const x = 6.4 * tooth * (1 - 0.025 * Math.abs(tooth));
      const y = -68 + 5 * up;
      drawForm(
        pencil,
        [
          [x - 3, y],
          [x + 3, y],
          [x + 2, y + 9 * up],
          [x, y + 19 * up],
          [x - 2, y + 9 * up],
        ],
        place,
        {
          body: bright,
          soft: 0.6,
          isTextured: false,
        },
      );
    }
}

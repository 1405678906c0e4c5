import type { Random } from "../math/random.ts";
import type { Point2 } from "../math/shape-functions.ts";
import { drawCurve, drawForm, type Pencil, type Placing, type SidedPlacing } from "./draw-skull.ts";
import type { SkullLandmarks } from "./mean-skull-landmarks.ts";
import * as shapes from "./jaw-and-skin-shapes.ts";
import { add } from "./varied-skull.ts";

/** Both halves of the lower jaw and the chin that joins them. */
export function drawLowerJaw(pencil: Pencil, place: Placing, sides: SidedPlacing): void {
  const { random } = pencil;
  const [body, edge, width] = [random.between(0.1, 0.28), random.between(0.06, 0.26), random.between(1, 2.4)];
  for (const side of sides) {
    drawForm(pencil, shapes.jawHalf, side, { body, edge: edge * random.between(0.6, 1.2), soft: 0.7, width });
    if (random.unit() < 0.5) {
      drawCurve(pencil, shapes.jawCanal, side, -random.between(0.02, 0.08), 2.6);
    }
  }
  drawForm(pencil, shapes.symphysis, place, {
    body: body * random.between(0.6, 1.4),
    edge: random.between(0.1, 0.34),
    soft: 0.7,
    width: random.between(1, 2.4),
  });
}

/** Labial side right, from the cutting edge up: mm of a tooth that is 23 mm long. */
const incisor: readonly Point2[] = [
  [0.3, 0],
  [1.7, 3],
  [3.1, 8],
  [3.3, 10.5],
  [2.5, 15],
  [1.2, 20],
  [0, 23],
  [-1.5, 19],
  [-3, 13.5],
  [-3.5, 10.5],
  [-2.8, 7.5],
  [-1.1, 4],
  [-0.5, 0.3],
];
const single: readonly Point2[] = [
  [0, 0],
  [2.2, 1.6],
  [3.5, 4.5],
  [3, 8.5],
  [2.2, 14],
  [0.6, 21],
  [-0.6, 21],
  [-2.2, 14],
  [-3, 8.5],
  [-3.5, 4.5],
  [-2.2, 1.6],
];
const molar: readonly Point2[] = [
  [2.4, 0],
  [4.6, 1.5],
  [5.3, 4],
  [4.6, 7.5],
  [4.4, 13],
  [3, 19],
  [1.8, 19],
  [0.7, 11],
  [-0.7, 11],
  [-2, 19],
  [-3.2, 19],
  [-4.5, 13],
  [-4.7, 7.5],
  [-5.3, 4],
  [-4.6, 1.5],
  [-2.4, 0],
  [0, 1.4],
];
const enamelDepth = 7;

interface ToothPlace {
  form: readonly Point2[];
  tip: Point2;
  apex: Point2;
  /** 1 where the face of the tooth is to the right of the way from the tip to the apex. */
  turned: 1 | -1;
  /** Length in the form's mm. */
  length: number;
}

/** The teeth of both sides, with what dentists have put on them. */
export function drawTeeth(pencil: Pencil, landmarks: SkullLandmarks, size: number, sides: SidedPlacing): void {
  const { random } = pencil;
  const dentition = chooseDentition(random);
  const bright = random.between(0.6, 1.35);
  for (const side of sides) {
    for (const tooth of listTeeth(landmarks, size, dentition, random))
      drawTooth(pencil, tooth, side, bright, dentition);
    if (dentition.hasBrackets) drawWires(pencil, landmarks, side);
  }
}

interface Dentition {
  hasBrackets: boolean;
  /** Share of crowns with metal. */
  metal: number;
  /** Share of teeth behind the front teeth that are missing. */
  missing: number;
  hasThirdMolars: boolean;
  /** Crowns still in the bone. */
  buds: number;
  crowding: number;
}

const chooseDentition = (random: Random): Dentition => ({
  hasBrackets: random.unit() < 0.2,
  metal: random.unit() < 0.35 ? random.between(0.05, 0.5) : 0,
  missing: random.unit() < 0.3 ? random.between(0.05, 0.4) : 0,
  hasThirdMolars: random.unit() < 0.4,
  buds: random.unit() < 0.3 ? Math.floor(random.between(1, 6)) : 0,
  crowding: random.between(0.3, 1.6),
});

function listTeeth(landmarks: SkullLandmarks, size: number, dentition: Dentition, random: Random): ToothPlace[] {
  const { U1, U1a, L1, L1a, U6, L6 } = landmarks;
  const teeth: ToothPlace[] = [];
  for (const [first, root, molarAt, turned] of [
    [U1, U1a, U6, 1],
    [L1, L1a, L6, -1],
  ] as const) {
    const up = turned;
    const loose = (mm: number): Point2 => [mm * random.normal(), 0.7 * mm * random.normal()];
    const shifted = loose(0.25);
    teeth.push({ form: incisor, tip: add(first, shifted), apex: add(root, shifted), turned, length: 23 });
    const second: Point2 = [-1.2 * dentition.crowding, 0.5 * up];
    const leaning: Point2 = [-0.8 + random.normal(), 0.4 * random.normal()];
    teeth.push({ form: incisor, tip: add(first, second), apex: add(root, add(second, leaning)), turned, length: 23 });
    for (const [share, length] of [
      [0.3, 24],
      [0.53, 21],
      [0.76, 20],
    ] as const) {
      if (random.unit() < dentition.missing) continue;
      const tip: Point2 = add(
        [first[0] + share * (molarAt[0] - first[0]), first[1] + (0.35 + 0.65 * share) * (molarAt[1] - first[1])],
        loose(0.7),
      );
      const lean = (1 - share) * (root[0] - first[0]) * 0.8 + 1.5 * random.normal();
      teeth.push({ form: single, tip, apex: [tip[0] + lean, tip[1] + up * length * size], turned, length: 21 });
    }
    for (let index = 0; index < (dentition.hasThirdMolars ? 3 : 2); index++) {
      if (index > 0 && random.unit() < dentition.missing + 0.1) continue;
      // The mesial cusp stands 2.6 mm before the middle of the crown.
      const tip: Point2 = [
        molarAt[0] - (2.6 + 10.4 * index) * size,
        molarAt[1] + up * (0.2 + 1.1 * index * index) + 0.4 * random.normal(),
      ];
      const lean = -2 * index * up + 2 * random.normal();
      teeth.push({ form: molar, tip, apex: [tip[0] + lean, tip[1] + up * 19 * size], turned, length: 19 });
    }
    for (let bud = 0; bud < dentition.buds; bud++) {
      const tip: Point2 = [random.between(molarAt[0] - 22, first[0] - 6), first[1] + up * random.between(9, 20)];
      const angle = random.between(-0.9, 0.9);
      const apex: Point2 = [tip[0] + 13 * Math.sin(angle), tip[1] + up * 13 * Math.cos(angle)];
      teeth.push({ form: random.unit() < 0.5 ? single : molar, tip, apex, turned, length: 21 });
    }
  }
  return teeth;
}

/** Maps the form's mm onto the head. */
function placeTooth({ tip, apex, turned, length }: ToothPlace): Placing {
  const [ax, ay] = [(apex[0] - tip[0]) / length, (apex[1] - tip[1]) / length];
  const wide = Math.hypot(ax, ay);
  return ([u, v]) => [tip[0] + ax * v + ((turned * u * ay) / (wide || 1)) * wide, tip[1] + ay * v - turned * u * ax];
}

function drawTooth(pencil: Pencil, tooth: ToothPlace, side: Placing, bright: number, dentition: Dentition): void {
  const { random, canvas, perMm } = pencil;
  const inHead = placeTooth(tooth);
  const place: Placing = (point) => side(inHead(point));
  drawForm(pencil, tooth.form, place, {
    body: bright * random.between(0.1, 0.26),
    edge: random.between(-0.04, 0.06),
    soft: 0.4,
    isTextured: false,
  });
  const crown = tooth.form.filter(([, v]) => v <= enamelDepth + 1);
  drawForm(pencil, crown, place, { body: bright * random.between(0.1, 0.28), soft: 0.4, isTextured: false });
  if (random.unit() < 0.6)
    drawCurve(
      pencil,
      [
        [0, 4],
        [0, tooth.length - 2],
      ],
      place,
      -bright * 0.06,
      1.2,
    );
  if (random.unit() < dentition.metal) {
    const [left, right, deep] = [random.between(-4, -0.5), random.between(0.5, 4), random.between(2, 6)];
    const filling: Point2[] = [
      [left, 0.3],
      [right, 0.3],
      [right, deep],
      [left, deep],
    ];
    canvas.fill(filling.map(place), random.between(0.5, 1.2), 0.5 * perMm);
  }
  if (dentition.hasBrackets && random.unit() < 0.8) {
    const [u, v] = [tooth.form === incisor ? 3 : random.between(-1.5, 1.5), 4.5];
    const bracket: Point2[] = [
      [u - 1.5, v - 1.6],
      [u + 1.5, v - 1.6],
      [u + 1.5, v + 1.6],
      [u - 1.5, v + 1.6],
    ];
    canvas.fill(bracket.map(place), random.between(0.5, 1.1), 0.3 * perMm);
  }
}

function drawWires(pencil: Pencil, { U1, L1, U6, L6 }: SkullLandmarks, side: Placing): void {
  for (const [front, back, up] of [
    [U1, U6, 4.5],
    [L1, L6, -4.5],
  ] as const) {
    const wire: Point2[] = [
      [front[0] + 2, front[1] + up],
      [front[0] - 8, front[1] + up * 0.9],
      [back[0], back[1] + up],
      [back[0] - 12, back[1] + up],
    ];
    drawCurve(pencil, wire, side, 0.7, 0.5);
  }
}

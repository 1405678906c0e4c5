import type { Random } from "../math/random.ts";
import { createSpline, type Point2 } from "../math/shape-functions.ts";
import * as face from "./face-shapes.ts";
import * as shapes from "./skull-shapes.ts";
import type { BoneTexture, XrayCanvas } from "./x-ray-canvas.ts";

/** Brings a point of the mean head (mm) onto the film (pixels). */
export type Placing = (point: Point2) => Point2;

export interface Pencil {
  canvas: XrayCanvas;
  /** Pixels in a mm. */
  perMm: number;
  /** Width of edges in mm: the spot of the tube and the film blur them. */
  blur: number;
  random: Random;
  texture: BoneTexture;
}

/** Draws a closed smooth form with a brighter edge. */
export function drawForm(
  { canvas, perMm, blur, texture }: Pencil,
  form: readonly Point2[],
  place: Placing,
  { body = 0, edge = 0, soft = 0.5, width = 1.2, isTextured = true }: FormStyle,
): void {
  const outline = createSpline([...form, form[0]], 4).map(place);
  if (body !== 0) canvas.fill(outline, body, (soft + blur) * perMm, isTextured && body > 0 ? texture : null);
  if (edge !== 0) canvas.line(outline, edge, (width + blur) * perMm);
}

export interface FormStyle {
  body?: number;
  edge?: number;
  /** mm over which the edge fades. */
  soft?: number;
  /** mm */
  width?: number;
  isTextured?: boolean;
}

export function drawCurve(
  { canvas, perMm, blur }: Pencil,
  chain: readonly Point2[],
  place: Placing,
  value: number,
  width = 1.2,
): void {
  canvas.line(createSpline(chain, 4).map(place), value, (width + blur) * perMm);
}

/** Each structure that there is on both sides: where its right and its left one appear. */
export type SidedPlacing = readonly [Placing, Placing];

/** The vault and the base of the skull. */
export function drawSkullBase(pencil: Pencil, place: Placing, sides: SidedPlacing): void {
  const { random } = pencil;
  const brain = [...shapes.vaultInner, ...shapes.skullBase.toReversed()];
  const thick = random.between(0.45, 1);
  // The vault shows no meshes of bone: clouds of its own thickness, and grooves of vessels.
  drawForm(pencil, brain, place, { body: thick, soft: random.between(1.5, 5), isTextured: false });
  drawSoftSpots(
    pencil,
    place,
    [
      [-90, 0],
      [66, 95],
    ],
    14,
    0.05,
  );
  drawForm(pencil, [...shapes.vaultOuter, ...shapes.vaultInner.toReversed()], place, {
    body: random.between(0.25, 0.6) * thick + 0.3 * thick,
    soft: random.between(0.6, 2.5),
    isTextured: random.unit() < 0.25,
  });
  drawCurve(pencil, shapes.vaultOuter, place, random.between(0.05, 0.25), 1.4);
  drawCurve(pencil, shapes.vaultInner, place, random.between(-0.05, 0.25), random.between(1.2, 4));
  drawCurve(pencil, shapes.skullBase, place, random.between(0.02, 0.3), random.between(1, 3));
  drawCurve(pencil, shapes.sella, place, random.between(0.03, 0.26), random.between(0.8, 1.8));
  drawForm(pencil, shapes.clivus, place, { body: random.between(0.1, 0.3), edge: random.between(0, 0.2), soft: 1.5 });
  drawForm(pencil, shapes.sphenoidSinus, place, {
    body: -random.between(0.02, 0.2),
    edge: random.between(0, 0.1),
    soft: 2,
  });
  if (random.unit() < 0.8)
    drawForm(pencil, shapes.frontalSinus, place, {
      body: -random.between(0.08, 0.3),
      edge: random.between(0, 0.12),
      soft: 1,
    });
  for (const side of sides) {
    drawCurve(pencil, shapes.orbitRoof, side, random.between(0.03, 0.24), random.between(1, 5));
    drawCurve(pencil, shapes.greaterWing, side, random.between(0, 0.2), random.between(1, 3.5));
    drawCurve(pencil, shapes.lesserWing, side, random.between(0, 0.18), random.between(1, 4));
    drawEar(pencil, side);
  }
  for (let vessel = 0; vessel < 3; vessel++) {
    const from: Point2 = [random.between(-20, 20), random.between(8, 20)];
    const groove: Point2[] = [
      from,
      [from[0] - 12 + 8 * random.normal(), from[1] + 24],
      [from[0] - 30 + 14 * random.normal(), from[1] + 52],
    ];
    drawCurve(pencil, groove, place, -random.between(0, 0.08), random.between(1, 2.4));
  }
}

/** The dense bone around the ear with its canal, the cells behind it, and vessels and sutures of the vault. */
function drawEar(pencil: Pencil, side: Placing): void {
  const { random, canvas, perMm } = pencil;
  canvas.spot(
    side([-26 + 4 * random.normal(), -14 + 4 * random.normal()]),
    [random.between(8, 20) * perMm, random.between(6, 16) * perMm],
    random.between(0, 0.45),
  );
  drawForm(pencil, shapes.petrous, side, {
    body: random.between(0, 0.22),
    edge: random.between(0, 0.1),
    soft: random.between(2, 7),
  });
  // The back of the skull's floor is mottled: folds of the bone on both sides.
  drawSoftSpots(
    pencil,
    side,
    [
      [-85, -36],
      [-8, 6],
    ],
    8,
    0.07,
  );
  for (let i = 0; i < 26; i++) {
    const at = side([-44 + 9 * random.normal(), -30 + 9 * random.normal()]);
    const wide = random.between(0.9, 2.6) * perMm;
    canvas.spot(at, [wide, wide * random.between(0.7, 1.4)], random.between(-0.1, 0.07));
  }
  // The canal's roof is the porion.
  const [wide, low] = [random.between(3, 4.6), random.between(3, 5)];
  const canal = ring([-22, -19.5 - low], [wide, low]);
  drawForm(pencil, canal, side, { body: -random.between(0, 0.3), edge: random.between(0, 0.2), soft: 0.8 });
}

export function ring([x, y]: Point2, [wide, high]: Point2, count = 8): Point2[] {
  return Array.from({ length: count }, (_, i): Point2 => {
    const angle = (2 * Math.PI * i) / count;
    return [x + wide * Math.cos(angle), y + high * Math.sin(angle)];
  });
}

/** Spots without an outline, lighter and darker: folds, vessels, muscles. */
export function drawSoftSpots(
  { random, canvas, perMm }: Pencil,
  place: Placing,
  [[left, bottom], [right, top]]: readonly [Point2, Point2],
  count: number,
  strength: number,
): void {
  for (let i = 0; i < count; i++) {
    const size = random.between(2, 14) * perMm;
    canvas.spot(
      place([random.between(left, right), random.between(bottom, top)]),
      [size, size * random.between(0.4, 1.6)],
      strength * random.normal(),
    );
  }
}

/** Upper jaw, nose and orbits, without the teeth. */
export function drawMiddleFace(pencil: Pencil, place: Placing, sides: SidedPlacing): void {
  const { random } = pencil;
  // Both sides of the face together: cheeks, temples and the walls of the orbits.
  for (const side of sides) {
    drawForm(pencil, face.faceBulk, side, { body: random.between(0.02, 0.3), soft: random.between(3, 7) });
    drawForm(pencil, face.nosePillar, side, { body: random.between(0, 0.24), soft: random.between(1, 4) });
    drawForm(pencil, face.temple, side, { body: random.between(0, 0.2), soft: random.between(3, 7) });
  }
  drawForm(pencil, face.nasalCavity, place, { body: random.between(-0.14, 0.08), soft: 3 });
  drawForm(pencil, face.maxillaBone, place, { body: random.between(0.1, 0.32), soft: 1.2 });
  drawForm(pencil, [...face.noseBone, ...face.noseBoneInner.toReversed()], place, {
    body: random.between(0, 0.16),
  });
  drawCurve(pencil, face.noseBone, place, random.between(0.05, 0.3), 1.2);
  drawForm(pencil, [...face.palateTop, ...face.palateBottom.toReversed()], place, {
    body: random.between(0.05, 0.25),
    soft: 0.8,
  });
  drawCurve(pencil, face.palateTop, place, random.between(0.1, 0.4), random.between(0.9, 1.8));
  drawCurve(pencil, face.palateBottom, place, random.between(0.05, 0.3), random.between(0.9, 1.8));
  drawCurve(pencil, face.maxillaFront, place, random.between(0.06, 0.28), random.between(0.8, 1.6));
  for (const side of sides) {
    drawForm(pencil, face.maxillarySinus, side, {
      body: -random.between(0, 0.14),
      edge: random.between(0, 0.13),
      soft: 1.5,
    });
    drawForm(pencil, face.fissure, side, {
      body: -random.between(0.02, 0.16),
      edge: random.between(0.03, 0.15),
      soft: 0.8,
    });
    drawForm(pencil, face.cheekBone, side, { body: random.between(0.02, 0.14), soft: 2 });
    drawCurve(pencil, face.cheek, side, random.between(0.05, 0.25), random.between(1, 2));
    drawCurve(pencil, face.orbitRim, side, random.between(0.04, 0.24), random.between(1, 2));
    drawCurve(pencil, face.orbitFloor, side, random.between(0.03, 0.16), 1.2);
    drawCurve(pencil, face.pterygoid, side, random.between(0, 0.14), 1.2);
    drawForm(pencil, face.turbinate, side, { body: random.between(0, 0.12), soft: 2 });
  }
  drawCells(pencil, place);
  drawSoftSpots(
    pencil,
    place,
    [
      [20, -62],
      [74, 6],
    ],
    9,
    0.05,
  );
}

/** The thin walls between the cells of the ethmoid and across the face. */
function drawCells(pencil: Pencil, place: Placing): void {
  const { random } = pencil;
  const count = random.between(8, 48);
  for (let i = 0; i < count; i++) {
    const at: Point2 = [random.between(20, 68), random.between(-50, 6)];
    const [dx, dy] = [5 * random.normal(), 5 * random.normal()];
    drawCurve(
      pencil,
      [at, [at[0] + dx, at[1] + dy], [at[0] + 2 * dx + 3 * random.normal(), at[1] + dy]],
      place,
      random.between(-0.06, 0.12),
      random.between(0.6, 1.6),
    );
  }
}

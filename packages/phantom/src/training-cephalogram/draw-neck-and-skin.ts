import type { Point2 } from "../math/shape-functions.ts";
import { drawCurve, drawForm, drawSoftSpots, ring, type Pencil, type Placing } from "./draw-skull.ts";
import * as shapes from "./jaw-and-skin-shapes.ts";
import { add, turn } from "./varied-skull.ts";

/** The skin with the tissue below it, the airways, the tongue and the hyoid bone. */
export function drawSoftTissue(pencil: Pencil, skin: Placing, inside: Placing, jaw: Placing): void {
  const { random } = pencil;
  const outline = [...shapes.skinProfile, ...shapes.nape.slice(0, -1)];
  const body = random.between(0.12, 0.42);
  const edge = random.between(0.25, 0.8);
  drawForm(pencil, outline, skin, { body: body * edge, soft: 0.5, isTextured: false });
  drawForm(pencil, outline, skin, { body: body * (1 - edge), soft: random.between(6, 16), isTextured: false });
  drawCurve(pencil, shapes.skinProfile, skin, random.between(-0.01, 0.06), 1.4);
  drawForm(pencil, shapes.pharynx, inside, {
    body: -body * random.between(0.2, 0.8),
    soft: random.between(1, 3),
    isTextured: false,
  });
  drawForm(pencil, shapes.softPalate, inside, { body: body * random.between(0.1, 0.5), soft: 1.2, isTextured: false });
  drawCurve(pencil, shapes.tongue, jaw, -random.between(0, 0.09), random.between(1, 6));
  drawForm(pencil, shapes.hyoid, jaw, { body: random.between(0.03, 0.16), edge: random.between(0, 0.1), soft: 0.8 });
  drawSoftSpots(
    pencil,
    skin,
    [
      [-80, -150],
      [80, 60],
    ],
    9,
    0.05,
  );
}

/** The first to sixth vertebra, bent as the neck is held, and the joints of the head on it. */
export function drawNeck(pencil: Pencil, place: Placing): void {
  const { random } = pencil;
  const [body, edge] = [random.between(0.12, 0.34), random.between(0.04, 0.2)];
  const bend = 4 * random.normal();
  const high = random.between(0.85, 1.1);
  let middle: Point2 = [-35, -77 + 3 * random.normal()];
  drawForm(pencil, ring([-34, -46], [9, 5]), place, { body: 0.5 * body, soft: 2 });
  drawForm(pencil, ring([-25.5, -60], [3, 5]), place, { body, edge, soft: 0.8 });
  drawForm(pencil, ring([-33, -60], [4.4, 11]), place, { body, edge: 0.7 * edge, soft: 0.8 });
  drawForm(pencil, ring([-60, -62], [9.5, 3.6]), place, { body, edge: 0.7 * edge, soft: 0.8 });
  for (let at = 0; at < 6; at++) {
    const lean = turn(-4 + bend * (at - 1));
    const tilted = (point: Point2): Point2 => place(add(middle, lean(point)));
    const [half, tall] = [8.2 + 0.2 * at, (at === 0 ? 9 : 6.8) * high];
    const block: Point2[] = [
      [half, tall],
      [half - 1.2, 0],
      [half + 0.6, -tall],
      [0, -tall + 1],
      [-half, -tall],
      [-half + 1.2, 0],
      [-half, tall],
      [0, tall - 1],
    ];
    drawForm(pencil, block, tilted, { body, edge, soft: 0.8 });
    drawForm(pencil, ring([-13, 0], [5, 7]), tilted, { body: 0.7 * body, edge: 0.5 * edge, soft: 1 });
    drawForm(
      pencil,
      [
        [-15, 2],
        [-26, -1],
        [-38, -6],
        [-36, -10],
        [-24, -6],
        [-15, -4],
      ],
      tilted,
      { body: 0.8 * body, edge: 0.5 * edge, soft: 0.9 },
    );
    middle = add(middle, turn(bend * at)([-0.6, -(tall + 2.6) * 2 * (at === 0 ? 0.9 : 0.95)]));
  }
}

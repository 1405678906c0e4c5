import type { Random } from "../math/random.ts";
import type { Point2 } from "../math/shape-functions.ts";
import { drawForm, ring, type Pencil, type Placing } from "./draw-skull.ts";
import type { XrayCanvas } from "./x-ray-canvas.ts";

/** The holder of the head: rods in the ears and a rest before the root of the nose. */
export function drawHeadHolder(pencil: Pencil, place: Placing, porion: Point2, nasion: Point2): void {
  const { random, canvas, perMm } = pencil;
  if (random.unit() < 0.5) {
    const radius = random.between(2.4, 5);
    const at: Point2 = [porion[0] + random.normal(), porion[1] - radius + random.normal()];
    const rod = ring(at, [radius, radius], 12);
    const value = random.between(0.1, 0.8);
    drawForm(pencil, rod, place, { body: value, edge: random.between(0, 0.4), soft: 0.3, isTextured: false });
    if (random.unit() < 0.6)
      drawForm(pencil, ring(at, [radius * 0.5, radius * 0.5]), place, {
        body: random.between(-0.6, 0.6),
        soft: 0.3,
        isTextured: false,
      });
    if (random.unit() < 0.35) {
      const arm: Point2[] = [
        [at[0] - 7, at[1]],
        [at[0] + 7, at[1]],
        [at[0] + 9, at[1] + 190],
        [at[0] - 9, at[1] + 190],
      ];
      canvas.fill(arm.map(place), random.between(0.05, 0.2), perMm);
    }
  }
  if (random.unit() < 0.45) {
    const [x, y] = [nasion[0] + random.between(5, 14), nasion[1] + random.between(-4, 14)];
    const wide = random.between(2, 6);
    const bar: Point2[] = [
      [x, y],
      [x + wide, y],
      [x + wide, y + 90],
      [x, y + 90],
    ];
    canvas.fill(bar.map(place), random.between(0.1, 0.7), 0.4 * perMm);
    if (random.unit() < 0.6)
      drawForm(pencil, ring([x - 1, y], [random.between(2, 5), random.between(2, 5)]), place, {
        body: random.between(0.1, 0.6),
        soft: 0.5,
        isTextured: false,
      });
  }
}

/** A ruler, letters, labels, wedges, bands, small marks and writing: all that lies about without being head. */
export function drawThingsBeside(canvas: XrayCanvas, perMm: number, random: Random): void {
  if (random.unit() < 0.45) drawRuler(canvas, perMm, random);
  for (let i = Math.floor(random.between(0, 4)); i > 0; i--) drawWriting(canvas, perMm, random);
  if (random.unit() < 0.3) drawLabel(canvas, perMm, random);
  for (let i = Math.floor(random.between(0, 2.6)); i > 0; i--) {
    const box = chooseBox(canvas, random, [8, 90], [8, 90], perMm);
    canvas.fill(turned(box, 0.03 * random.normal()), 0.16 * random.normal(), random.between(0.2, 3) * perMm);
  }
  for (let i = Math.floor(random.between(0, 6)); i > 0; i--) {
    const spot: Point2 = [random.between(0, canvas.columns), random.between(0, canvas.rows)];
    canvas.spot(spot, [0.6, 0.6], random.between(-0.5, 0.9));
  }
  if (random.unit() < 0.15) {
    const box = chooseBox(canvas, random, [5, 12], [30, 60], perMm);
    const [[left, top], , [right, bottom]] = box as [Point2, Point2, Point2];
    for (let step = 0; step < 7; step++) {
      const [from, to] = [top + ((bottom - top) * step) / 7, top + ((bottom - top) * (step + 1)) / 7];
      canvas.fill(
        [
          [left, from],
          [right, from],
          [right, to],
          [left, to],
        ],
        0.12 * (step + 1),
      );
    }
  }
}

function chooseBox(
  { columns, rows }: XrayCanvas,
  random: Random,
  wide: Point2,
  high: Point2,
  perMm: number,
): readonly Point2[] {
  const [w, h] = [random.between(...wide) * perMm, random.between(...high) * perMm];
  const [x, y] = [random.between(-0.1, 1) * columns, random.between(-0.1, 1) * rows];
  return [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ];
}

function turned(box: readonly Point2[], angle: number): Point2[] {
  const [x, y] = box[0];
  return box.map(([px, py]) => [x + (px - x) - angle * (py - y), y + (py - y) + angle * (px - x)]);
}

function drawRuler(canvas: XrayCanvas, perMm: number, random: Random): void {
  const [step, marks] = [10 * perMm * random.between(0.9, 1.1), Math.floor(random.between(4, 11))];
  const isUpright = random.unit() < 0.8;
  const [x, y] = [random.between(0.02, 0.97) * canvas.columns, random.between(0.02, 0.6) * canvas.rows];
  const value = random.between(0.2, 1);
  const at = (along: number, across: number): Point2 => (isUpright ? [x + across, y + along] : [y + along, x + across]);
  if (random.unit() < 0.6) canvas.line([at(0, 0), at(step * marks, 0)], value * 0.7, random.between(0.5, 3) * perMm);
  for (let mark = 0; mark <= marks; mark++)
    canvas.line([at(mark * step, 0), at(mark * step, (mark % 5 === 0 ? 5 : 3) * perMm)], value, 0.7 * perMm);
}

/** Strokes that look like letters. */
function drawWriting(canvas: XrayCanvas, perMm: number, random: Random): void {
  const [tall, count] = [random.between(2.5, 11) * perMm, Math.floor(random.between(1, 14))];
  const [left, top] = [
    random.between(-0.02, 0.9) * canvas.columns,
    (random.unit() < 0.7 ? random.pick([0.02, 0.9]) : random.unit()) * canvas.rows,
  ];
  const value = random.between(-0.3, 1);
  for (let letter = 0; letter < count; letter++) {
    const x = left + letter * tall * 0.85;
    const chain = Array.from({ length: 4 }, (): Point2 => [
      x + random.between(0, 0.6) * tall,
      top + random.between(0, 1) * tall,
    ]);
    canvas.line(chain, value, Math.max(0.9, 0.13 * tall));
  }
}

/** A stuck-on label, through which the head is seen, with lines of small print. */
function drawLabel(canvas: XrayCanvas, perMm: number, random: Random): void {
  const box = chooseBox(canvas, random, [25, 90], [12, 50], perMm);
  canvas.fill(box, random.between(-0.12, 0.12));
  const [[left, top], , [right, bottom]] = box as [Point2, Point2, Point2];
  const value = random.between(-0.5, 0.3);
  for (let y = top + 3 * perMm; y < bottom - 3 * perMm; y += 5 * perMm) {
    for (let x = left + 3 * perMm; x < right - 3 * perMm; x += 2.4 * perMm) {
      if (random.unit() < 0.2) continue;
      canvas.line(
        [
          [x, y + random.unit() * 2 * perMm],
          [x + 1.2 * perMm, y + random.unit() * 2 * perMm],
        ],
        value,
        0.8,
      );
    }
  }
}

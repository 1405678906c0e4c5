import type { Random } from "../math/random.ts";
import { blurPlate } from "../radiograph/plate.ts";
import type { XrayCanvas } from "./x-ray-canvas.ts";

/** Films that `hold back` keeps from training: other machines, so that a trial sees a look that it was not trained on. */
export type FilmLook = "usual" | "heldBack";

/**
 * Turns attenuation into the 8-bit film of some machine: exposure, curve, local flattening, edge enhancement, grain, the
 * fog and scratches of old films, and the frame of the collimator. Bright for high attenuation.
 */
export function developCephalogram({ data, columns, rows }: XrayCanvas, random: Random, look: FilmLook): Uint8Array {
  const plate = { columns, rows, data, pixel: 1, zero: [0, 0] as const };
  const broad = blurPlate(plate, Math.round(random.between(10, 34)));
  const isDigital = look === "heldBack" || random.unit() < 0.65;
  const flatten = isDigital ? random.between(0, 0.75) : random.between(0, 0.15);
  const scale = isDigital ? random.between(0.35, 1.2) : random.between(0.25, 0.7);
  const floor = random.between(-0.04, 0.1);
  const values = Float32Array.from(data, (value, at) => {
    const seen = value - floor - flatten * (broad[at] - 0.4);
    return seen <= 0 ? 0 : 1 - Math.exp(-seen / scale);
  });
  if (!isDigital) fog(values, columns, rows, random);
  const gamma = look === "heldBack" ? random.between(1.1, 1.9) : random.between(0.55, 1.5);
  const soft = blurPlate({ ...plate, data: values }, look === "heldBack" ? 2 : 1);
  const edge = isDigital ? random.between(-0.3, look === "heldBack" ? 3 : 2) : random.between(-0.8, 0.2);
  const grain = random.between(0.002, isDigital ? 0.03 : 0.02);
  const [bottom, top] = [random.between(0, isDigital ? 25 : 70), random.between(isDigital ? 205 : 190, 255)];
  const film = new Uint8Array(values.length);
  for (let at = 0; at < film.length; at++) {
    const level = Math.max(0, values[at] + edge * (values[at] - soft[at])) ** gamma + grain * random.normal();
    film[at] = Math.round(bottom + (top - bottom) * Math.min(1, Math.max(0, level)));
  }
  if (!isDigital) scratch(film, columns, rows, random);
  drawFrame(film, columns, rows, random);
  return film;
}

/** Uneven density, light that came in at an edge, and bands of a second exposure. */
function fog(values: Float32Array, columns: number, rows: number, random: Random): void {
  const [across, down, lift] = [0.1 * random.normal(), 0.1 * random.normal(), random.between(0, 0.2)];
  const leak = random.unit() < 0.3 ? random.between(0.1, 0.5) : 0;
  const [side, reach] = [random.unit() < 0.5 ? 0 : columns, random.between(6, 40)];
  const isBanded = random.unit() < 0.35;
  const [bandTop, bandLow, bandBy] = [
    random.between(0, 0.8) * rows,
    random.between(0.1, 1) * rows,
    0.06 * random.normal(),
  ];
  for (let at = 0; at < values.length; at++) {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const tilt = (across * (column - columns / 2)) / columns + (down * (row - rows / 2)) / rows;
    const light = leak > 0 ? leak * Math.exp(-Math.abs(column - side) / reach) : 0;
    const band = isBanded && row > bandTop && row < bandTop + bandLow ? bandBy : 0;
    values[at] = values[at] * (1 - lift) + lift * 0.6 + tilt + light + band;
  }
}

function scratch(film: Uint8Array, columns: number, rows: number, random: Random): void {
  for (let count = Math.floor(random.between(0, 7)); count > 0; count--) {
    let [x, y] = [random.between(0, columns), random.between(0, rows)];
    const [dx, dy, by] = [random.normal(), random.normal(), random.between(-60, 60)];
    for (let step = random.between(4, 60); step > 0; step--) {
      const [column, row] = [Math.floor(x), Math.floor(y)];
      if (column >= 0 && row >= 0 && column < columns && row < rows) {
        const at = row * columns + column;
        film[at] = Math.min(255, Math.max(0, film[at] + by));
      }
      x += dx * 0.7 + 0.1 * random.normal();
      y += dy * 0.7 + 0.1 * random.normal();
    }
  }
}

/** The edge that the collimator or the cassette leaves, dark or bright, with cut or round corners. */
function drawFrame(film: Uint8Array, columns: number, rows: number, random: Random): void {
  if (random.unit() < 0.45) return;
  const shade = random.unit() < 0.6 ? 0 : Math.floor(random.between(150, 255));
  const edges = Array.from({ length: 4 }, () => Math.max(0, random.between(-0.03, 0.05)));
  const corner = random.unit() < 0.5 ? random.between(0.02, 0.13) * columns : 0;
  const isRound = random.unit() < 0.5;
  const [left, right, top, bottom] = [edges[0] * columns, edges[1] * columns, edges[2] * rows, edges[3] * rows];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const dx = Math.min(column - left, columns - 1 - right - column);
      const dy = Math.min(row - top, rows - 1 - bottom - row);
      const [cx, cy] = [corner - dx, corner - dy];
      const isCut = cx > 0 && cy > 0 && (isRound ? cx * cx + cy * cy > corner * corner : cx + cy > corner);
      if (dx < 0 || dy < 0 || isCut) film[row * columns + column] = shade;
    }
  }
}

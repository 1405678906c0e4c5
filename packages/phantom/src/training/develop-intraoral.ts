import { createRandom, sampleSmoothNoise, type Random } from "../math/random.ts";
import { smoothStep } from "../math/shape-functions.ts";
import { blurPlate, type Plate } from "../radiograph/plate.ts";

/** Turns attenuation into the 8-bit film of some sensor, plate or scanned film. Bright for high attenuation. */
export function developIntraoral(plate: Plate, seed: string): Uint8Array {
  const random = createRandom("intraoral film", seed);
  const { columns, rows, data, pixel } = plate;
  const share = random.unit() < 0.6 ? random.between(0, 0.55) : 0;
  const local = blurPlate(plate, Math.max(2, Math.round(random.between(4, 10) / pixel)));
  const flat = Float32Array.from(data, (value, at) => value - share * local[at]);
  const [low, high] = findRange(flat, random.between(0.002, 0.1), random.between(0.955, 0.9995));
  const gamma = random.between(0.55, 1.5);
  const fog = random.between(0.1, 2.2);
  const values = Float32Array.from(flat, (value) => {
    const level = Math.max(0, (value - low) / (high - low));
    // Dense parts saturate: film and sensor stop counting where next to nothing comes through.
    return ((1 - Math.exp(-fog * level)) / (1 - Math.exp(-fog))) ** gamma;
  });
  exposeUnevenly(values, columns, rows, random);
  const blurred = blurPlate({ ...plate, data: values }, 1);
  const edge = random.unit() < 0.35 ? random.between(-0.9, 0) : random.between(0, 2);
  const grain = random.between(0.002, 0.035);
  const [floor, top] = [random.between(0, 35), random.between(205, 255)];
  const film = new Uint8Array(values.length);
  for (let i = 0; i < film.length; i++) {
    const sharp = values[i] + edge * (values[i] - blurred[i]) + grain * random.normal();
    film[i] = Math.round(floor + (top - floor) * Math.min(1, Math.max(0, sharp)));
  }
  addScratches(film, columns, rows, random);
  addFrame(film, columns, rows, random);
  return film;
}

function findRange(values: Float32Array, low: number, high: number): [number, number] {
  const count = 4000;
  const sample = Float32Array.from(
    { length: count },
    (_, i) => values[Math.floor((i * values.length) / count)],
  ).toSorted();
  const bottom = sample[Math.floor(low * count)];
  return [bottom, Math.max(bottom + 0.08, sample[Math.min(count - 1, Math.floor(high * count))])];
}

/** A brighter or darker side, and the white of a part that the tube's field missed. */
function exposeUnevenly(values: Float32Array, columns: number, rows: number, random: Random): void {
  const [slopeX, slopeY] = [0.12 * random.normal(), 0.12 * random.normal()];
  const layer = random.between(0, 900);
  const cloud = random.between(0, 0.08);
  const isCut = random.unit() < 0.12;
  const angle = random.between(0, 2 * Math.PI);
  const radius = random.between(0.75, 1.1) * Math.hypot(columns, rows) * 0.5;
  const shift = random.between(0.2, 0.45) * Math.hypot(columns, rows) * 0.5;
  const [cx, cy] = [columns / 2 + shift * Math.cos(angle), rows / 2 + shift * Math.sin(angle)];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const side = slopeX * (column / columns - 0.5) + slopeY * (row / rows - 0.5);
      values[at] += side + cloud * sampleSmoothNoise(column / 60, row / 60, layer);
      if (isCut) values[at] += 1.2 * smoothStep(radius - 3, radius + 3, Math.hypot(column - cx, row - cy));
    }
  }
}

/** Scratches, dust, and the rings that damage leaves on a plate. */
function addScratches(film: Uint8Array, columns: number, rows: number, random: Random): void {
  if (random.unit() < 0.5) return;
  const set = (x: number, y: number, shade: number) => {
    if (x >= 0 && y >= 0 && x < columns && y < rows) film[Math.floor(y) * columns + Math.floor(x)] = shade;
  };
  for (let left = random.between(0, 14); left > 1; left--) {
    const shade = random.unit() < 0.8 ? random.between(200, 255) : random.between(0, 40);
    const [x, y, angle] = [random.between(0, columns), random.between(0, rows), random.between(0, 2 * Math.PI)];
    const kind = random.unit();
    if (kind < 0.4)
      for (let t = random.between(4, 40); t > 0; t -= 0.7) set(x + t * Math.cos(angle), y + t * Math.sin(angle), shade);
    else if (kind < 0.75) for (let i = 0; i < 4; i++) set(x + (i & 1), y + (i >> 1), shade);
    else for (let t = 0; t < 6.3; t += 0.25) set(x + 3 * Math.cos(t), y + 3 * Math.sin(t), shade);
  }
}

/** Rounded corners, white or black edges, and the embossed dot of a film. */
function addFrame(film: Uint8Array, columns: number, rows: number, random: Random): void {
  if (random.unit() < 0.4) addDot(film, columns, rows, random);
  if (random.unit() < 0.4) return;
  const outer = random.unit() < 0.75 ? random.between(0, 25) : random.between(225, 255);
  const short = Math.min(columns, rows);
  const corner = random.unit() < 0.75 ? random.between(0.04, 0.24) * short : 0;
  const [side, end] = [random.between(0, 0.04) * short, random.between(0, 0.04) * short];
  const glow = random.unit() < 0.35 ? random.between(1, 12) : 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [dx, dy] = [Math.min(column, columns - 1 - column) - side, Math.min(row, rows - 1 - row) - end];
      const inCorner = dx < corner && dy < corner;
      const depth = inCorner ? corner - Math.hypot(corner - dx, corner - dy) : Math.min(dx, dy);
      const at = row * columns + column;
      if (depth < 0) film[at] = outer;
      else if (depth < glow) film[at] = Math.round(film[at] + (250 - film[at]) * (1 - depth / glow));
    }
  }
}

function addDot(film: Uint8Array, columns: number, rows: number, random: Random): void {
  const [x, y] = [random.unit() < 0.5 ? 14 : columns - 14, random.unit() < 0.5 ? 14 : rows - 14];
  const [radius, shade] = [random.between(2, 5), random.unit() < 0.5 ? 235 : 15];
  for (let dy = -5; dy <= 5; dy++)
    for (let dx = -5; dx <= 5; dx++) if (Math.hypot(dx, dy) < radius) film[(y + dy) * columns + x + dx] = shade;
}

/**
 * Develops a film as none of the training films is: a logarithmic curve, ranks instead of grey values, edges enhanced
 * over a wide radius, coarse grain and darkened sides. A finder that holds here does not depend on one way of drawing.
 */
export function developHeldBack({ columns, rows, data, ...plate }: Plate, seed: string): Uint8Array {
  const random = createRandom("held-back film", seed);
  const [steep, share] = [random.between(1.5, 6), random.between(0.2, 0.75)];
  const curved = Float32Array.from(data, (value) => Math.log1p(steep * Math.max(0, value)) / Math.log1p(steep));
  const ranks = rankValues(curved);
  const values = Float32Array.from(curved, (value, at) => (1 - share) * Math.min(1, value) + share * ranks[at]);
  const wide = blurPlate({ columns, rows, data: values, ...plate }, 5);
  const grain = blurPlate({ columns, rows, data: Float32Array.from(values, random.normal), ...plate }, 1);
  const [edge, noise, dark] = [random.between(0.4, 1.6), random.between(0.03, 0.16), random.between(0, 0.35)];
  const film = new Uint8Array(values.length);
  for (let at = 0; at < film.length; at++) {
    const [x, y] = [(at % columns) / columns - 0.5, Math.floor(at / columns) / rows - 0.5];
    const level = values[at] + edge * (values[at] - wide[at]) + noise * grain[at] - dark * 2 * (x * x + y * y);
    film[at] = Math.round(255 * Math.min(1, Math.max(0, level)));
  }
  return film;
}

/** The share of all values that are smaller, from a table of 1,024 steps. */
function rankValues(values: Float32Array): Float32Array {
  const top = values.reduce((most, value) => Math.max(most, value), 1e-6);
  const counts = new Float64Array(1025);
  const stepOf = (value: number): number => Math.floor((1023 * Math.max(0, value)) / top);
  for (const value of values) counts[stepOf(value) + 1] += 1;
  for (let step = 1; step < counts.length; step++) counts[step] += counts[step - 1];
  return Float32Array.from(values, (value) => counts[stepOf(value)] / values.length);
}

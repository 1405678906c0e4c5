import { createRandom, type Random } from "../math/random.ts";
import { blurPlate, type Plate } from "../radiograph/plate.ts";

/**
 * Turns attenuation into the 8-bit film of some machine: exposure, curve, local flattening, edge enhancement, blur and
 * noise differ; burnt-in letters and borders appear. Bright for high attenuation.
 */
export function developFilm(plate: Plate, seed: string): Uint8Array {
  const random = createRandom("film", seed);
  const { columns, rows, pixel } = plate;
  const limited = limitDensity(plate, random.between(0.9, 3));
  const flattened = flattenLocally(
    limited,
    random.unit() < 0.3 ? 0 : random.between(0.2, 0.9),
    random.between(7, 30) / pixel,
  );
  const range = findRange(flattened, random.between(0.002, 0.06), random.between(0.97, 0.9995));
  const gamma = random.between(0.55, 1.6);
  const curve = random.between(0, 3.5);
  const values = Float32Array.from(flattened, (value) => {
    const level = Math.min(1, Math.max(0, (value - range[0]) / (range[1] - range[0]))) ** gamma;
    return curve < 0.5 ? level : sigmoid(level, curve);
  });
  const blurred = blurPlate({ ...plate, data: values }, 1);
  const edge = random.unit() < 0.3 ? random.between(-0.8, 0) : random.between(0, 2.2);
  const grain = random.between(0.002, 0.035);
  const [floor, top] = [random.between(0, 30), random.between(215, 255)];
  const film = new Uint8Array(values.length);
  for (let i = 0; i < film.length; i++) {
    const sharp = values[i] + edge * (values[i] - blurred[i]) + grain * random.normal();
    film[i] = Math.round(floor + (top - floor) * Math.min(1, Math.max(0, sharp)));
  }
  drawBorder(film, columns, rows, random);
  return film;
}

const sigmoid = (level: number, steep: number): number => {
  const at = (x: number): number => 1 / (1 + Math.exp(-steep * (2 * x - 1)));
  return (at(level) - at(0)) / (at(1) - at(0));
};

/** Little light is left behind dense parts: `full` is the attenuation towards which every density tends. */
const limitDensity = (plate: Plate, full: number): Plate => ({
  ...plate,
  data: Float32Array.from(plate.data, (value) => full * (1 - Math.exp(-Math.max(0, value) / full))),
});

function flattenLocally(plate: Plate, share: number, radius: number): Float32Array {
  const local = blurPlate(plate, Math.max(2, Math.round(radius)));
  return Float32Array.from(plate.data, (value, at) => value - share * local[at]);
}

function findRange(values: Float32Array, low: number, high: number): [number, number] {
  const sample = Float32Array.from(
    { length: 4000 },
    (_, i) => values[Math.floor((i * values.length) / 4000)],
  ).toSorted();
  const at = (share: number): number => sample[Math.min(3999, Math.floor(share * 4000))];
  return [at(low), Math.max(at(low) + 0.05, at(high))];
}

/** Frames, cut corners and bright bars as machines and scanners leave them. */
function drawBorder(film: Uint8Array, columns: number, rows: number, random: Random): void {
  if (random.unit() < 0.55) return;
  const shade = random.unit() < 0.7 ? 0 : Math.floor(random.between(180, 255));
  const [side, end] = [random.between(0, 0.03) * columns, random.between(0, 0.05) * rows];
  const corner = random.unit() < 0.4 ? random.between(0.02, 0.1) * columns : 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [dx, dy] = [Math.min(column, columns - 1 - column) - side, Math.min(row, rows - 1 - row) - end];
      const isCut = dx < corner && dy < corner && (corner - dx) ** 2 + (corner - dy) ** 2 > corner ** 2;
      if (dx < 0 || dy < 0 || isCut) film[row * columns + column] = shade;
    }
  }
}

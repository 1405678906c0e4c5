import { createRandom } from "../math/random.ts";
import { blurPlate, type Plate } from "../radiograph/plate.ts";

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

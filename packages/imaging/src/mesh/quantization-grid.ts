import { computeBounds, type Mesh } from "./mesh.ts";

/** A cube of positions that 16 bits can count: `origin` and `step` in mm. */
export interface QuantizationGrid {
  origin: number[];
  step: number;
}

/** mm. A vertex moves by half the diagonal of a cell at most: 3.5 µm, a fraction of any scanner's error. */
const minStep = 0.004;

/** The finest grid that holds the whole surface: 4 µm up to 26 cm, coarser beyond. */
export function createQuantizationGrid(positions: Float32Array): QuantizationGrid {
  const { min, max } = computeBounds({ positions } as Mesh);
  const longest = Math.max(...max.map((high, axis) => high - min[axis]));
  return { origin: [...min], step: Math.max(minStep, longest / 0xffff) };
}

/** Each vertex's place, x y z and a zero, and the farthest that one has moved, in mm. */
export function quantizePositions(
  positions: Float32Array,
  { origin, step }: QuantizationGrid,
): { places: Uint16Array<ArrayBuffer>; error: number } {
  const places = new Uint16Array((positions.length / 3) * 4);
  let worst = 0;
  for (let v = 0; v < positions.length / 3; v++) {
    let off = 0;
    for (let i = 0; i < 3; i++) {
      const place = Math.min(0xffff, Math.round((positions[3 * v + i] - origin[i]) / step));
      places[4 * v + i] = place;
      off += (origin[i] + place * step - positions[3 * v + i]) ** 2;
    }
    worst = Math.max(worst, off);
  }
  return { places, error: Math.sqrt(worst) };
}

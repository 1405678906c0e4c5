import { createRandom } from "../math/random.ts";
import { clamp } from "../math/shape-functions.ts";

/**
 * An X-ray image before development: the attenuation at each pixel. x runs right and y up from `zero`, in mm of the
 * detector.
 */
export type Plate = {
  columns: number;
  rows: number;
  /** mm */
  pixel: number;
  /** The pixel where x and y are 0. */
  zero: readonly [column: number, row: number];
  data: Float32Array;
};

/** A plate that nothing has stopped yet; `pixel` in mm. */
export function createPlate(columns: number, rows: number, pixel: number, zero: readonly [number, number]): Plate {
  return { columns, rows, pixel, zero, data: new Float32Array(columns * rows) };
}

/** The value between four pixels, at `x` and `y` in pixels; beyond the edge it is that of the edge. */
export function readPlate({ columns, rows, data }: Plate, x: number, y: number): number {
  const cx = Math.min(columns - 1.001, Math.max(0, x));
  const cy = Math.min(rows - 1.001, Math.max(0, y));
  const [i, j] = [Math.floor(cx), Math.floor(cy)];
  const [fx, fy] = [cx - i, cy - j];
  const at = j * columns + i;
  const top = data[at] * (1 - fx) + data[at + 1] * fx;
  const bottom = data[at + columns] * (1 - fx) + data[at + columns + 1] * fx;
  return top * (1 - fy) + bottom * fy;
}

export type Box = { left: number; right: number; bottom: number; top: number };

/** All of the plate. */
export const getPlateBox = ({ columns, rows, pixel, zero }: Plate): Box => ({
  left: -zero[0] * pixel,
  right: (columns - zero[0]) * pixel,
  bottom: (zero[1] - rows) * pixel,
  top: zero[1] * pixel,
});

/** Adds `value(x, y)`, worked out every `step` mm and drawn smoothly between: an X-ray tube's spot blurs as much. */
export function addPatch(plate: Plate, box: Box, step: number, value: (x: number, y: number) => number): void {
  applyPatch(plate, computePatch(box, step, value), (old, own) => old + own);
}

/** Values every `step` mm in a box, row by row from below. */
export type Patch = { box: Box; step: number; across: number; up: number; values: Float32Array };

/** Works `value(x, y)` out every `step` mm of the box, one place beyond it to the right and above. */
export function computePatch(box: Box, step: number, value: (x: number, y: number, at: number) => number): Patch {
  const across = Math.ceil((box.right - box.left) / step) + 2;
  const up = Math.ceil((box.top - box.bottom) / step) + 2;
  const values = new Float32Array(across * up);
  for (let at = 0; at < values.length; at++) {
    values[at] = value(box.left + (at % across) * step, box.bottom + Math.floor(at / across) * step, at);
  }
  return { box, step, across, up, values };
}

/** Adds a patch to the plate, interpolated between its values; `combine` merges it with the existing values. */
export function applyPatch(
  plate: Plate,
  { box, step, across, up, values }: Patch,
  combine: (old: number, own: number) => number,
): void {
  const columns = clampSpan(
    plate.columns,
    plate.zero[0] + box.left / plate.pixel,
    plate.zero[0] + box.right / plate.pixel,
  );
  const rows = clampSpan(plate.rows, plate.zero[1] - box.top / plate.pixel, plate.zero[1] - box.bottom / plate.pixel);
  for (let row = rows[0]; row <= rows[1]; row++) {
    const y = ((plate.zero[1] - row) * plate.pixel - box.bottom) / step;
    const j = clamp(Math.floor(y), 0, up - 2);
    const fy = y - j;
    for (let column = columns[0]; column <= columns[1]; column++) {
      const x = ((column - plate.zero[0]) * plate.pixel - box.left) / step;
      const i = clamp(Math.floor(x), 0, across - 2);
      const fx = x - i;
      const at = j * across + i;
      const low = values[at] * (1 - fx) + values[at + 1] * fx;
      const high = values[at + across] * (1 - fx) + values[at + across + 1] * fx;
      const pixel = row * plate.columns + column;
      plate.data[pixel] = combine(plate.data[pixel], low * (1 - fy) + high * fy);
    }
  }
}

const clampSpan = (count: number, low: number, high: number): [number, number] => [
  clamp(Math.ceil(low), 0, count - 1),
  clamp(Math.floor(high), 0, count - 1),
];

/** Two passes of a running mean of `radius` pixels along rows and columns: near enough to a Gaussian. */
export function blurPlate({ columns, rows, data }: Plate, radius: number): Float32Array {
  let values = data;
  for (let pass = 0; pass < 2; pass++) {
    values = averageLine(values, columns, rows, 1, columns, radius);
    values = averageLine(values, rows, columns, columns, 1, radius);
  }
  return values;
}

function averageLine(
  values: Float32Array,
  count: number,
  lines: number,
  stride: number,
  next: number,
  radius: number,
): Float32Array {
  const out = new Float32Array(values.length);
  const width = 2 * radius + 1;
  for (let line = 0; line < lines; line++) {
    const start = line * next;
    const at = (i: number): number => values[start + (i < 0 ? 0 : i >= count ? count - 1 : i) * stride];
    let sum = 0;
    for (let i = -radius; i <= radius; i++) sum += at(i);
    for (let i = 0; i < count; i++) {
      out[start + i * stride] = sum / width;
      sum += at(i + radius + 1) - at(i - radius);
    }
  }
  return out;
}

export type DevelopmentSettings = {
  /** The attenuation up to which the image is black. */
  floor: number;
  /** The attenuation above `floor` at which the image is 63 % white. */
  scale: number;
  /** Share of the local mean that is taken away, as devices do to show dense and thin parts together. */
  flatten: number;
  /** Standard deviation of the noise, as a share of the whole range. */
  grain: number;
  seed: string;
};

export const plateBits = 12;

/** Turns attenuation into 12-bit values, bright for high attenuation (MONOCHROME2). */
export function developPlate(plate: Plate, { floor, scale, flatten, grain, seed }: DevelopmentSettings): Uint16Array {
  const local = blurPlate(plate, Math.round(9 / plate.pixel));
  const mean = plate.data.reduce((sum, value) => sum + value, 0) / plate.data.length;
  const random = createRandom("grain", seed);
  const noise = Float32Array.from({ length: 8191 }, random.normal);
  const top = 2 ** plateBits - 1;
  const out = new Uint16Array(plate.data.length);
  let place = 0;
  for (let i = 0; i < out.length; i++) {
    if (i % plate.columns === 0) place = Math.floor(random.unit() * noise.length);
    place = place + 1 < noise.length ? place + 1 : 0;
    const value = 1 - Math.exp(-Math.max(0, plate.data[i] - floor - flatten * (local[i] - mean)) / scale);
    out[i] = clamp(Math.round(top * (value + grain * noise[place] * (0.5 + value))), 0, top);
  }
  return out;
}

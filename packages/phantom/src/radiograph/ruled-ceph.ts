import { createCephAttenuation } from "./ceph-attenuation.ts";
import { addLeadMarker } from "./lead-marker.ts";
import {
  addPatch,
  blurPlate,
  createPlate,
  computePatch,
  plateBits,
  getPlateBox,
  type Patch,
  type Plate,
} from "./plate.ts";
import { getNormalTable, createRandom, type Random } from "../math/random.ts";
import { createRulerForm, getRulerLength, getRulerAttenuation, type RulerForm } from "./ruler.ts";

/** A lateral cephalogram as various manufacturers' devices take it, with or without a ruler. */
export interface RuledCeph {
  columns: number;
  rows: number;
  /** Row by row from the top. */
  data: Float32Array;
  /** Null: there is no ruler in it. */
  ruler: (RulerForm & { mmOfPixel: number; isVertical: boolean; place: string }) | null;
}

/** Columns, rows, and mm of the detector in a pixel. */
const sizes = [
  [1340, 1671, 0.127],
  [1935, 2400, 0.1],
  [640, 800, 0.3],
  [2000, 2500, 0.0975],
  [1804, 2136, 0.1178],
  [2064, 1764, 0.1323],
  [1487, 1836, 0.1437],
] as const;
/** The size that film scanners produce. It is drawn more rarely, since each image takes seconds. */
const largeSize = [4096, 5120, 0.0496] as const;

/**
 * Generates the same image for the same seed. Heads, devices, positions, contrast, blur, noise and objects next to the
 * head vary.
 */
export function createRuledCeph(seed: string, hasRuler = true): RuledCeph {
  const random = createRandom("ruled ceph", seed);
  const [columns, rows, pixel] = random.unit() < 0.06 ? largeSize : random.pick(sizes);
  const enlarged = random.between(1.05, 1.15);
  const zero = [columns * random.between(0.5, 0.6), rows * random.between(0.66, 0.74)] as const;
  const plate = createPlate(columns, rows, pixel, zero);
  addHead(plate, enlarged, random);
  addObjectsBeside(plate, random);
  const laid = hasRuler ? placeRuler(plate, enlarged, random) : null;
  if (laid && laid.form.kind !== "overlay") addRuler(plate, laid);
  const data = applyDevelopment(plate, random);
  if (laid?.form.kind === "overlay") writeRuler(plate, data, laid);
  return { columns, rows, data, ruler: laid && getRulerTruth(plate, laid) };
}

/** A head of another size, longer or shorter, tipped, with a face that leans forward or back. */
function addHead(plate: Plate, enlarged: number, random: Random): void {
  const size = random.between(0.82, 1.05);
  const [wide, high] = [random.between(0.94, 1.06), random.between(0.94, 1.06)];
  const [lean, tip] = [random.between(-0.08, 0.08), random.between(-0.12, 0.12)];
  const [c, s] = [Math.cos(tip), Math.sin(tip)];
  addPatch(plate, getPlateBox(plate), 0.6, (px, py) => {
    const [x, y] = [(px * c + (py - 60) * s) / enlarged / wide, (60 + (py - 60) * c - px * s) / enlarged / high];
    return getCachedTissue((x - lean * Math.max(0, 60 - y)) / size, y / size);
  });
}

let head: Patch | null = null;

/** Computed once: a head takes longer than all the rest of an image. */
function getCachedTissue(x: number, y: number): number {
  head ??= computePatch({ left: -130, right: 110, bottom: -120, top: 180 }, 0.5, createCephAttenuation(1));
  const { box, step, across, up, values } = head;
  const [u, v] = [(x - box.left) / step, (y - box.bottom) / step];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  if (i < 0 || j < 0 || i + 1 >= across || j + 1 >= up) return 0;
  const at = j * across + i;
  const low = values[at] + (u - i) * (values[at + 1] - values[at]);
  const high = values[at + across] + (u - i) * (values[at + across + 1] - values[at + across]);
  return low + (v - j) * (high - low);
}

/** Adds objects next to the head: a letter, a wedge of equal steps, writing. */
export function addObjectsBeside(plate: Plate, random: Random): void {
  const { left, right, bottom, top: upper } = getPlateBox(plate);
  if (random.unit() < 0.6)
    addLeadMarker(
      plate,
      random.unit() < 0.5 ? "R" : "L",
      left + random.between(5, 30),
      bottom + random.between(5, 25),
      10,
    );
  if (random.unit() < 0.25) addWedge(plate, random);
  if (random.unit() < 0.4) {
    const [x, y, across] = [
      random.between(left + 5, right - 60),
      upper - random.between(6, 16),
      random.between(1.2, 2),
    ];
    const letters = Array.from({ length: 24 }, () => random.between(-1, 1));
    addPatch(plate, { left: x, right: x + 24 * across, bottom: y - 3, top: y }, 0.15, (px, py) => {
      const at = Math.floor((px - x) / across);
      const wave =
        Math.sin(5 * (px - x) + 9 * letters[Math.min(23, Math.max(0, at))]) + Math.cos(3 * (py - y) * (1 + at / 9));
      return (px - x) % across < 0.8 * across && wave > 0.6 ? 1.2 : 0;
    });
  }
}

/** A wedge of aluminium in steps of equal height: equal distances, and no ruler. */
function addWedge(plate: Plate, random: Random): void {
  const { left, bottom } = getPlateBox(plate);
  const [x, y, tall, steps] = [left + 4, bottom + random.between(30, 60), random.between(3.5, 7), 9];
  addPatch(
    plate,
    { left: x, right: x + 12, bottom: y, top: y + tall * steps },
    0.15,
    (_, py) => 0.12 * Math.min(steps, Math.max(0, Math.ceil((py - y) / tall))),
  );
}

interface PlacedRuler {
  form: RulerForm;
  place: string;
  isVertical: boolean;
  /** The position of the first mark, in mm of the detector. */
  from: readonly [number, number];
  /** mm of the detector for each mm of the ruler. */
  enlarged: number;
  tilt: number;
  /** The side on which the marks protrude. */
  side: 1 | -1;
}

/** At an edge of the detector, on it or in the middle plane, or before the face. */
function placeRuler(plate: Plate, enlarged: number, random: Random): PlacedRuler {
  const { left, right, bottom, top: upper } = getPlateBox(plate);
  const place = random.pick(["left", "right", "nose", "nose", "top", "bottom"] as const);
  const isVertical = place === "left" || place === "right" || place === "nose";
  const isEnlarged = place === "nose" || random.unit() < 0.5;
  const scale = isEnlarged ? enlarged : 1;
  let form = createRulerForm(random);
  const room = (isVertical ? upper - bottom : right - left) - 24;
  while (getRulerLength(form) * scale > room) form = { ...form, marks: form.marks - 1 };
  const long = getRulerLength(form) * scale;
  const start = place === "nose" ? Math.min(upper - 10 - long, random.between(20, 60) * enlarged) : null;
  const along = start ?? random.between(12, 12 + room - long) + (isVertical ? bottom : left);
  const across = {
    left: left + 14,
    right: right - 14,
    nose: Math.min(right - 14, random.between(80, 90) * enlarged),
    top: upper - 14,
    bottom: bottom + 14,
  }[place];
  const from = isVertical ? ([across, along] as const) : ([along, across] as const);
  const tilt = form.kind === "overlay" || random.unit() < 0.4 ? 0 : random.between(-0.026, 0.026);
  return {
    form,
    place,
    isVertical,
    from,
    enlarged: form.kind === "overlay" ? 1 : scale,
    tilt,
    side: random.unit() < 0.5 ? 1 : -1,
  };
}

const getRulerTruth = (
  { pixel }: Plate,
  { form, isVertical, place, enlarged }: PlacedRuler,
): NonNullable<RuledCeph["ruler"]> => ({
  ...form,
  isVertical,
  place,
  mmOfPixel: pixel / enlarged,
});

function addRuler(plate: Plate, { form, isVertical, from, enlarged, tilt, side }: PlacedRuler): void {
  const long = (getRulerLength(form) + 8) * enlarged;
  const [x, y] = from;
  const box = isVertical
    ? { left: x - 16, right: x + 16, bottom: y - 8, top: y + long }
    : { left: x - 8, right: x + long, bottom: y - 16, top: y + 16 };
  const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
  addPatch(plate, box, plate.pixel * 0.8, (px, py) => {
    const [u, v] = isVertical ? [py - y, px - x] : [px - x, py - y];
    return getRulerAttenuation(form, (u * c + v * s) / enlarged, (side * (v * c - u * s)) / enlarged);
  });
}

/** Whole pixels of one grey, as software draws. */
function writeRuler(
  { columns, rows, pixel, zero }: Plate,
  data: Float32Array,
  { form, isVertical, from, side }: PlacedRuler,
): void {
  const thick = Math.max(1, Math.round(columns / 1500));
  for (let index = 0; index < form.marks; index++) {
    const rank = form.longer.filter((count) => index % count === 0).length;
    const at = index * form.every;
    const [x, y] = isVertical ? [from[0], from[1] + at] : [from[0] + at, from[1]];
    const [column, row] = [Math.round(zero[0] + x / pixel), Math.round(zero[1] - y / pixel)];
    const long = Math.round((form.size * (1 + 0.55 * rank)) / pixel);
    for (let u = 0; u < long; u++)
      for (let v = 0; v < thick; v++) {
        const [dx, dy] = isVertical ? [u * side, v] : [v, u * side];
        const [c, r] = [column + dx, row + dy];
        if (c >= 0 && c < columns && r >= 0 && r < rows) data[r * columns + c] = maxValue;
      }
  }
}

const maxValue = 2 ** plateBits - 1;

/** Grey values: broad changes flattened, with grain, another gamma, brighter to one side, sometimes dense matter dark. */
export function applyDevelopment(plate: Plate, random: Random): Float32Array {
  const { columns, rows, data } = plate;
  const [scale, flatten, grain] = [random.between(0.3, 0.6), random.between(0.1, 0.45), random.between(0.004, 0.03)];
  const [gamma, ramp, isTurned] = [random.between(0.7, 1.4), random.between(-0.1, 0.1), random.unit() < 0.15];
  const tones = Float32Array.from({ length: maxValue + 1 }, (_, value) => maxValue * (value / maxValue) ** gamma);
  const [noise, broad] = [getNormalTable(), createBroadMean(plate)];
  const out = new Float32Array(data.length);
  for (let row = 0, at = 0; row < rows; row++) {
    let grainAt = Math.floor(random.unit() * noise.length);
    for (let column = 0; column < columns; column++, at++) {
      grainAt = grainAt + 1 < noise.length ? grainAt + 1 : 0;
      const through = 1 - Math.exp(-Math.max(0, data[at] - 0.03 - flatten * broad(column, row)) / scale);
      const value = Math.round(maxValue * (through + grain * noise[grainAt] * (0.5 + through)));
      const lit = tones[Math.max(0, Math.min(maxValue, value))] + (maxValue * ramp * column) / columns;
      out[at] = isTurned ? maxValue - lit : lit;
    }
  }
  return random.unit() < 0.5 ? out : smoothImage(out, columns, rows);
}

/** Returns the local mean around a position less the overall mean, computed for each sixteenth pixel. */
function createBroadMean({ columns, rows, pixel, data }: Plate): (column: number, row: number) => number {
  const step = 16;
  const coarse = createPlate(Math.ceil(columns / step), Math.ceil(rows / step), pixel * step, [0, 0]);
  for (let at = 0; at < coarse.data.length; at++)
    coarse.data[at] = data[Math.floor(at / coarse.columns) * step * columns + (at % coarse.columns) * step];
  const local = blurPlate(coarse, Math.max(1, Math.round(9 / coarse.pixel)));
  const mean = coarse.data.reduce((sum, value) => sum + value, 0) / coarse.data.length;
  return (column, row) => local[(row >> 4) * coarse.columns + (column >> 4)] - mean;
}

/** 1 2 1 along both axes. */
function smoothImage(data: Float32Array, columns: number, rows: number): Float32Array {
  const across = Float32Array.from(data);
  for (let at = 1; at + 1 < data.length; at++) across[at] = (data[at - 1] + 2 * data[at] + data[at + 1]) / 4;
  const out = Float32Array.from(across);
  for (let at = columns; at < columns * (rows - 1); at++)
    out[at] = (across[at - columns] + 2 * across[at] + across[at + columns]) / 4;
  return out;
}

import { createCephAttenuation } from "./ceph-attenuation.ts";
import { cephTruth } from "./ceph-truth.ts";
import { addCephTeeth } from "./ceph-teeth.ts";
import { addObjectsBeside, applyDevelopment } from "./ruled-ceph.ts";
import { addPatch, computePatch, createPlate, getPlateBox, type Patch, type Plate } from "./plate.ts";
import { createRandom, type Random } from "../math/random.ts";
import { smoothStep, type Point2 } from "../math/shape-functions.ts";

/**
 * A lateral cephalogram of a head of another build, taken by another device and perhaps stored on its side, with the
 * positions of its landmarks.
 */
export interface VariedCeph {
  columns: number;
  rows: number;
  /** Row by row from the top. */
  data: Float32Array;
  /** mm of the head in a pixel. */
  mmOfPixel: number;
  /** Clockwise quarters until the head is upright. */
  turns: 0 | 1 | 2 | 3;
  faces: "left" | "right";
  /** Pixels of the image as stored, by the names of `cephTruth`. */
  landmarks: Record<string, [column: number, row: number]>;
}

/** Columns, rows, and mm of the detector in a pixel. */
const sizes = [
  [670, 835, 0.254],
  [774, 960, 0.25],
  [640, 800, 0.3],
  [902, 1068, 0.2356],
  [825, 705, 0.3],
  [743, 918, 0.2874],
] as const;

/** The same seed makes the same image. */
export function createVariedCeph(seed: string): VariedCeph {
  const random = createRandom("varied ceph", seed);
  const [columns, rows, pixel] = random.pick(sizes);
  const enlarged = random.between(1.05, 1.15);
  const zero = [columns * random.between(0.46, 0.62), rows * random.between(0.6, 0.74)] as const;
  const plate = createPlate(columns, rows, pixel, zero);
  const build = createBuild(random);
  const softness = random.between(0.7, 1.15);
  addPatch(plate, getPlateBox(plate), 0.6, (x, y) => {
    const value = sampleHead(...build([x / enlarged, y / enlarged]));
    return value <= 0 ? value : value ** softness;
  });
  addObjectsBeside(plate, random);
  const data = applyDevelopment(plate, random);
  addFrameAndLabel(plate, data, random);
  const landmarks = Object.fromEntries(
    Object.entries(cephTruth).map(([name, place]): [string, [number, number]] => {
      const [x, y] = invert(build, place);
      return [name, [zero[0] + (x * enlarged) / pixel, zero[1] - (y * enlarged) / pixel]];
    }),
  );
  const upright = { columns, rows, data, landmarks };
  const isMirrored = random.unit() < 0.35;
  const turns = random.unit() < 0.5 ? 0 : random.pick([1, 2, 3] as const);
  const faced = isMirrored ? mirror(upright) : upright;
  let stored = faced;
  // A film that needs `turns` quarters clockwise was turned as many the other way.
  for (let turn = 0; turn < turns; turn++) stored = turnLeft(stored);
  return { ...stored, mmOfPixel: pixel / enlarged, turns, faces: isMirrored ? "left" : "right" };
}

type Warp = (point: Point2) => Point2;

/**
 * Returns where in the drawn head (mm) a point of this head lies: size, proportions, position of the jaws, opening of
 * the lower jaw, nose, lips and chin vary about as published standard deviations do, and everything is bent a little.
 */
function createBuild(random: Random): Warp {
  const size = random.between(0.84, 1.06);
  const [wide, high] = [random.between(0.95, 1.05), random.between(0.95, 1.05)];
  const [lean, tip] = [random.between(-0.06, 0.06), random.between(-0.14, 0.14)];
  const [c, s] = [Math.cos(tip), Math.sin(tip)];
  const upper = [2.5 * random.normal(), 1.2 * random.normal()] as const;
  const lower = [3 * random.normal(), 2 * random.normal()] as const;
  const opening = (3.5 * random.normal() * Math.PI) / 180;
  const [nose, lips, chin] = [2 * random.normal(), 1.5 * random.normal(), 1.5 * random.normal()];
  const bumps = Array.from({ length: 9 }, () => ({
    at: [random.between(-60, 80), random.between(-55, 100)] as const,
    by: [1.3 * random.normal(), 1.3 * random.normal()] as const,
  }));
  return ([px, py]) => {
    let [x, y] = [(px * c + (py - 40) * s) / (size * wide), (40 + (py - 40) * c - px * s) / (size * high)];
    x -= lean * Math.max(0, 60 - y);
    const jaw = smoothStep(4, -8, y) * smoothStep(-34, -22, x) + smoothStep(24, 10, y) * smoothStep(-22, -34, x);
    const [dx, dy] = [x + 44, y - 37];
    x -= jaw * (lower[0] - opening * dy);
    y -= jaw * (lower[1] + opening * dx);
    const middle = smoothStep(66, 34, y) * smoothStep(-10, 2, y) * smoothStep(-14, 6, x);
    x -= middle * upper[0];
    y -= middle * upper[1];
    x -= nose * Math.exp(-(((x - 76) / 16) ** 2 + ((y - 36) / 20) ** 2));
    x -= lips * Math.exp(-(((x - 66) / 10) ** 2 + (y / 14) ** 2));
    x -= chin * Math.exp(-(((x - 59) / 10) ** 2 + ((y + 32) / 10) ** 2));
    for (const { at, by } of bumps) {
      const near = Math.exp(-(((x - at[0]) / 28) ** 2 + ((y - at[1]) / 28) ** 2));
      x -= near * by[0];
      y -= near * by[1];
    }
    return toDrawnProportions(x, y);
  };
}

/**
 * The drawn head has a short skull and a low angle of the jaw. A usual head has them where Björk (1947) and Jarabak
 * (1972) found them: articulare 17 mm and gonion 19 mm higher, the skull a fifth larger above and behind the sella.
 */
function toDrawnProportions(x: number, y: number): Point2 {
  const back = smoothStep(-4, -22, x);
  const lowered = 16.6 * smoothStep(66, 42, y) + 2.9 * smoothStep(42, -4, y);
  const jaw = Math.min(1, Math.max(0, (40 - x) / 70)) * Math.max(back, smoothStep(-8, -24, y));
  const vault = Math.max(smoothStep(84, 104, y), smoothStep(-54, -76, x) * smoothStep(50, 70, y));
  return [x + (x < -24 ? (vault * (-24 - x)) / 6 : 0), y - jaw * lowered - (y > 84 ? (vault * (y - 84)) / 6 : 0)];
}

/** The point that a warp brings to `target`, by repeated correction. */
function invert(warp: Warp, target: Point2): Point2 {
  let at: Point2 = target;
  for (let round = 0; round < 60; round++) {
    const [x, y] = warp(at);
    at = [at[0] + 0.8 * (target[0] - x), at[1] + 0.8 * (target[1] - y)];
  }
  return at;
}

let head: Patch | null = null;

/** Computed once: a head with its teeth takes longer than all the rest of an image. */
function sampleHead(x: number, y: number): number {
  head ??= drawHead();
  const { box, step, across, up, values } = head;
  const [u, v] = [(x - box.left) / step, (y - box.bottom) / step];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  if (i < 0 || j < 0 || i + 1 >= across || j + 1 >= up) return 0;
  const at = j * across + i;
  const low = values[at] + (u - i) * (values[at + 1] - values[at]);
  const high = values[at + across] + (u - i) * (values[at + across + 1] - values[at + across]);
  return low + (v - j) * (high - low);
}

function drawHead(): Patch {
  const tissue = createCephAttenuation(1);
  return computePatch({ left: -130, right: 110, bottom: -120, top: 180 }, 0.4, (x, y) =>
    addCephTeeth(tissue(x, y), x, y),
  );
}

/** The bright frame of a collimator, and a label over the skull, as films have them. */
function addFrameAndLabel({ columns, rows }: Plate, data: Float32Array, random: Random): void {
  const brightest = data.reduce((most, value) => Math.max(most, value), -Infinity);
  const fill = (left: number, top: number, right: number, bottom: number, blend: number) => {
    for (let row = Math.max(0, Math.round(top)); row < Math.min(rows, bottom); row++)
      for (let column = Math.max(0, Math.round(left)); column < Math.min(columns, right); column++) {
        const at = row * columns + column;
        data[at] = data[at] * (1 - blend) + brightest * blend;
      }
  };
  if (random.unit() < 0.3) {
    const [x, y] = [columns * random.between(0.01, 0.03), rows * random.between(0.01, 0.03)];
    fill(0, 0, columns, y, 1);
    fill(0, rows - y, columns, rows, 1);
    fill(0, 0, x, rows, 1);
    fill(columns - x, 0, columns, rows, 1);
  }
  if (random.unit() < 0.25) {
    const [left, top] = [columns * random.between(0.1, 0.35), rows * random.between(0.05, 0.15)];
    fill(left, top, left + columns * 0.3, top + rows * 0.14, 0.5);
  }
}

type Picture = Pick<VariedCeph, "columns" | "rows" | "data" | "landmarks">;

const mirror = (picture: Picture): Picture => ({
  ...picture,
  data: picture.data.map((_, at, all) => {
    const column = at % picture.columns;
    return all[at - column + picture.columns - 1 - column];
  }),
  landmarks: moveLandmarks(picture, ([x, y]) => [picture.columns - x, y]),
});

/** A quarter counter-clockwise. */
function turnLeft(picture: Picture): Picture {
  const { columns, rows, data } = picture;
  return {
    columns: rows,
    rows: columns,
    data: Float32Array.from(data, (_, at) => data[(at % rows) * columns + columns - 1 - Math.floor(at / rows)]),
    landmarks: moveLandmarks(picture, ([x, y]) => [y, columns - x]),
  };
}

const moveLandmarks = (
  { landmarks }: Picture,
  move: (point: readonly [number, number]) => [number, number],
): VariedCeph["landmarks"] => Object.fromEntries(Object.entries(landmarks).map(([name, point]) => [name, move(point)]));

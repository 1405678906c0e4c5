import {
  interpolateKnots,
  clamp,
  distanceToOutline,
  createSpline,
  smoothStep,
  type Point2,
} from "../math/shape-functions.ts";

/**
 * One half of the lower jaw, unrolled: u mm along the jaw from the chin to the condyle, z up.
 * From the crest at the midline over ramus, coronoid process and condyle, back along the lower border.
 */
export const mandibleOutline: readonly Point2[] = createSpline(
  [
    [0, -9.5],
    [20, -9.6],
    [45, -8.2],
    [60, -6.5],
    [64, -3],
    [67.5, 5],
    [70, 14],
    [72, 22],
    [73.5, 28],
    [75.5, 31],
    [78, 30],
    [81, 23],
    [84.5, 20],
    [87.5, 22],
    [88, 27],
    [86.8, 32],
    [88, 36],
    [91.5, 38],
    [95, 36.2],
    [96, 32],
    [94.5, 27],
    [93.6, 18],
    [93.5, 6],
    [92.5, -6],
    [90, -15],
    [86, -22],
    [80, -27],
    [72, -29.3],
    [60, -31],
    [45, -34],
    [30, -36.5],
    [15, -39],
    [6, -40],
    [0, -39.6],
  ],
  3,
);

/** The jaw's shape at a position (u, z), both in mm of a head of scale 1. */
export type MandibleTable = {
  /** The depth inside the outline, negative outside. */
  depth: (u: number, z: number) => number;
  /** Half the thickness from cheek to tongue. */
  half: (u: number, z: number) => number;
  /** The middle of the bone against the line of the teeth, positive to the cheek. */
  shift: (u: number, z: number) => number;
};

const cell = 0.5;
const reach = { u: 102, low: -50, high: 46 };
const columns = Math.ceil(reach.u / cell) + 2;
const rows = Math.ceil((reach.high - reach.low) / cell) + 2;
let cachedTable: MandibleTable | null = null;

/** Worked out once in steps of 0.5 mm, since a volume asks millions of times. */
export function getMandibleTable(): MandibleTable {
  if (cachedTable) return cachedTable;
  // The midline is no border: the outline is mirrored there.
  const whole = [...mandibleOutline, ...mandibleOutline.map(([u, z]): Point2 => [-u, z]).reverse()];
  const depth = fillTable((u, z) => -distanceToOutline(whole, u, z));
  cachedTable = {
    depth: createSampler(depth),
    half: createSampler(fillTable((u, z, at) => getHalfThickness(u, z, Math.max(0, depth[at])))),
    shift: createSampler(fillTable(getMiddleShift)),
  };
  return cachedTable;
}

function fillTable(value: (u: number, z: number, at: number) => number): Float32Array {
  return Float32Array.from({ length: columns * rows }, (_, at) =>
    value((at % columns) * cell, reach.low + Math.floor(at / columns) * cell, at),
  );
}

const createSampler =
  (values: Float32Array) =>
  (u: number, z: number): number => {
    const x = clamp(u / cell, 0, columns - 2);
    const y = clamp((z - reach.low) / cell, 0, rows - 2);
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - i, y - j];
    const at = j * columns + i;
    const top = values[at] * (1 - fx) + values[at + 1] * fx;
    const bottom = values[at + columns] * (1 - fx) + values[at + columns + 1] * fx;
    return top * (1 - fy) + bottom * fy;
  };

function getHalfThickness(u: number, z: number, depth: number): number {
  const crest = interpolateKnots(
    [
      [0, 4],
      [15, 4.6],
      [35, 6.4],
      [58, 7.4],
      [70, 5],
    ],
    u,
  );
  const base = interpolateKnots(
    [
      [0, 7.6],
      [10, 6.8],
      [30, 6.2],
      [58, 6],
      [72, 4.4],
    ],
    u,
  );
  const body = crest + (base - crest) * smoothStep(-12, -32, z);
  const ramus = 3.4 + 5.6 * smoothStep(24, 33, z) * smoothStep(80, 88, u);
  return (body + (ramus - body) * smoothStep(56, 72, u)) * Math.sqrt(clamp(depth / 4, 0, 1));
}

// The base is more to the tongue at the molars; the chin protrudes.
const getMiddleShift = (u: number, z: number): number =>
  smoothStep(-10, -34, z) *
  interpolateKnots(
    [
      [0, 3],
      [14, 2],
      [26, 0],
      [50, -1.8],
      [70, 0],
    ],
    u,
  );

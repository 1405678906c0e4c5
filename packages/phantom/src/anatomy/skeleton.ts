import { getMandibleTable } from "./mandible.ts";
import { smoothStep } from "../math/shape-functions.ts";

/**
 * The bones of a head. Every function returns the depth of a point under a bone's surface, in mm, negative outside it.
 * Bone is compact down to `compactDepth`; where it is thicker or thinner than that, the depth is stretched to match.
 * The sign of x is ignored: a head is the same on both sides.
 */
export type Skeleton = {
  /** u: along the lower jaw, d: offset to the cheek. */
  mandible: (u: number, d: number, z: number) => number;
  /** u and d along the upper teeth; d very low: behind them. */
  maxilla: (u: number, d: number, x: number, y: number, z: number) => number;
  skull: (x: number, y: number, z: number) => number;
  /** The same for the air of nose and sinuses. */
  cavity: (x: number, y: number, z: number) => number;
};

export const compactDepth = 1.5;

/** The bones of a head that is `scale` times the usual one; positions are in mm of that head. */
export function createSkeleton(scale: number): Skeleton {
  const table = getMandibleTable();
  return {
    mandible: (u, d, z) => {
      const [place, height] = [Math.abs(u) / scale, z / scale];
      const depth = table.depth(place, height);
      if (depth < -2) return depth;
      const inside = Math.min(table.half(place, height) - Math.abs(d / scale - table.shift(place, height)), depth);
      return inside > 0 ? (inside * compactDepth) / (1.6 + 1.4 * smoothStep(-26, -38, height)) : inside;
    },
    maxilla: (u, d, x, y, z) => maxilla(Math.abs(u) / scale, d / scale, Math.abs(x) / scale, y / scale, z / scale),
    skull: (x, y, z) => skull(Math.abs(x) / scale, y / scale, z / scale),
    cavity: (x, y, z) => cavity(Math.abs(x) / scale, y / scale, z / scale),
  };
}

const square = (value: number): number => value * value;

function maxilla(u: number, d: number, x: number, y: number, z: number): number {
  const sinus = sinusOutside(x, y, z);
  const crest = z - 9 - 1.2 * smoothStep(40, 58, u);
  const half =
    (4.4 + 2.6 * smoothStep(12, 45, u) - 0.6 * smoothStep(12, 22, z)) *
    Math.sqrt(crest < 0 ? 0 : crest > 3 ? 1 : crest / 3);
  const ridge = Math.min(half - Math.abs(d + 0.8), crest, 27 - z, 60 - u, sinus + 1.4);
  const front = Math.min(1.1 - Math.abs(sinus - 0.6), 49 - z, z - 12);
  let best = Math.max(ridge, front);
  if (z > 11 && z < 25 && x < 25) best = Math.max(best, palate(d, x, y, z));
  if (x < 15 && z > 17 && y < 20)
    best = Math.max(best, Math.min(0.9 - Math.abs(noseOutside(x, y, z) - 0.5), z - 18, 20 - y));
  if (x < 2 && z > 19) best = Math.max(best, Math.min(0.8 - x, 17 - y, y + 34 - Math.max(0, z - 30) * 0.2));
  return best;
}

function palate(d: number, x: number, y: number, z: number): number {
  const vault = 21 - 9 * smoothStep(6, 22, x) * smoothStep(20, 8, x - 6 - (y + 40) * 0.3);
  return Math.min(0.9 - Math.abs(z - vault - 0.4), y + 38, 14 - y, d < 0 ? 9 : -1);
}

/** Returns the approximate distance in mm outside the maxillary sinus. */
const sinusOutside = (x: number, y: number, z: number): number =>
  13 *
  (Math.sqrt(
    square((x - 28 - 0.8 * Math.sin(y / 5)) / (10.5 + 2 * smoothStep(22, 36, z))) +
      square((y + 1) / 17) +
      square((z - 34 - Math.sin(y / 4)) / 14.5),
  ) -
    1);

const noseOutside = (x: number, y: number, z: number): number =>
  12 *
  (Math.sqrt(
    square(x / (13 - 5 * smoothStep(34, 50, z))) + square(square((y + 8) / 27)) + square(square((z - 36) / 17)),
  ) -
    1);

function cavity(x: number, y: number, z: number): number {
  if (x > 45 || y < -40 || y > 24) return -9;
  const sinus = -sinusOutside(x, y, z);
  if (sinus > 0 || x > 16) return sinus;
  const lower = Math.hypot((x - 7.5) / 3.4, (y + 5) / 20, (z - 26.5) / 4.2);
  const middle = Math.hypot((x - 6) / 2.6, (y + 3) / 15, (z - 38) / 5);
  return Math.max(sinus, Math.min(-noseOutside(x, y, z), (Math.min(lower, middle) - 1) * 3));
}

function skull(x: number, y: number, z: number): number {
  const joint = z > 33 && x > 28 ? jointSocket(x, y, z) : -9;
  if (y > 44) return Math.max(joint, spine(x, y, z));
  let best = joint;
  if (z > 20 && x > 32) {
    const cheek = (1 - Math.hypot((x - 44) / 9, (y + 12) / 11, (z - 32) / 10)) * 9;
    const arch = Math.min(
      2.2 - Math.abs(x - (52 + 7 * smoothStep(-14, 12, y) - 2 * smoothStep(20, 42, y))),
      4 - Math.abs(z - 32),
      y + 14,
      46 - y,
    );
    best = Math.max(best, cheek, arch);
  }
  // The wings behind the upper jaw.
  if (x < 24 && y > 14 && z > 9)
    best = Math.max(best, Math.min(0.9 - Math.abs(x - 14 - (y - 20) * 0.25), 7 - Math.abs(y - 24), z - 10));
  return best;
}

const jointSocket = (x: number, y: number, z: number): number =>
  Math.min(Math.hypot(x - 46, y - 46, (z - 35) * 1.1) - 11, 14 - Math.hypot(x - 46, y - 46, z - 35), z - 34);

/** Second to fourth vertebra, the ring of the first around the dens, and the base of the skull above. */
function spine(x: number, y: number, z: number): number {
  if (x > 45) return -9;
  const floor = z < -12 ? (((z + 12) % 17) + 17) % 17 : 17;
  const waist = z < -12 ? 0.9 * Math.sin(((floor - 3.5) / 13.5) * Math.PI) : 0;
  const body = (1 - Math.hypot(x / (9.5 - waist), (y - 61) / (7.5 - waist))) * 7.5;
  let best = Math.min(body, 8 - z, floor - 3.5);
  if (z > 2) best = Math.max(best, Math.min((1 - Math.hypot(x / 5, (y - 58) / 5)) * 5, 24 - z));
  const ring = 2.2 - Math.abs(Math.hypot(x / 1.25, y - 74) - 10.5);
  best = Math.max(best, Math.min(ring, floor - 4, 22 - z, z > 10 ? 6 : y - 66));
  best = Math.max(best, Math.min((1 - Math.hypot((x - 17) / 7, (y - 62) / 7)) * 7, 20 - z, z + 6));
  const base = 3.2 - Math.abs((Math.hypot(x / 42, (y - 84) / 36, (z - 52) / 22) - 1) * 24);
  return Math.max(best, Math.min(base, z - 24));
}

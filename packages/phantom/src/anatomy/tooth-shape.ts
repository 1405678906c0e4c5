import { clamp, smoothUnion, mix, smoothIntersection, smoothStep } from "../math/shape-functions.ts";

/** Sizes in mm after the averages of dental anatomy (Wheeler's tables, rounded). */
export type ToothShape = {
  /** Across the tooth along the arch. */
  width: number;
  /** From cheek to tongue. */
  depth: number;
  crown: number;
  root: number;
  form: "incisor" | "canine" | "premolar" | "molar";
  cusps: readonly Cusp[];
  roots: readonly Root[];
};

/** Place of a cusp from the middle, and how much lower than the highest it is. */
type Cusp = { m: number; b: number; drop: number };

/** Middle of a root at the neck and at its tip, its half widths at the neck; `length` is that of the whole root. */
type Root = { from: readonly [number, number]; to: readonly [number, number]; m: number; b: number; length: number };

/**
 * Returns the rough distance in mm from a point in the tooth's own space to its surface, negative inside. m runs to the
 * midline along the arch, b to the cheek, h from the neck to the crown.
 */
export function distanceToTooth(shape: ToothShape, m: number, b: number, h: number): number {
  if (h > shape.crown + 3) return h - shape.crown;
  const root = h < 3 ? distanceToRoots(shape, m, b, h) : Infinity;
  const crown = h > -4 ? distanceToCrown(shape, m, b, h) : Infinity;
  return smoothUnion(root, crown, 0.7);
}

/** The crown alone, cut off flat just below the neck. */
export function distanceToCrown(shape: ToothShape, m: number, b: number, h: number): number {
  const t = clamp(h / shape.crown, 0, 1);
  const side = distanceToOutline(shape, t, m, b);
  return smoothIntersection(smoothIntersection(side, (h - getOcclusalHeight(shape, m, b)) * 0.85, 1.3), -h - 0.6, 0.6);
}

/**
 * Returns the distance from the crown's wall at a height, negative inside. The wall is a superellipse, rounder for
 * front teeth.
 */
function distanceToOutline(shape: ToothShape, t: number, m: number, b: number): number {
  const front = shape.form === "incisor" || shape.form === "canine";
  const neck = front ? 0.74 : 0.8;
  const bulge = front ? smoothStep(0, 0.85, t) : smoothStep(0, 0.6, t);
  const half = (shape.width / 2) * (mix(neck, 1, bulge) - 0.07 * smoothStep(0.7, 1, t));
  const thick = front
    ? getFrontThickness(shape, t)
    : (shape.depth / 2) * (0.9 + 0.1 * smoothStep(0, 0.25, t) - 0.2 * smoothStep(0.35, 1, t));
  // The lip side of a front tooth is nearly straight; it thins from the tongue's side.
  const shift = front ? (shape.depth / 2 - thick) * 0.55 : 0;
  const x = Math.abs(m) / half;
  const y = Math.abs(b - shift) / thick;
  // Powers are slow; far outside and deep inside a rough answer does.
  const larger = Math.max(x, y);
  if (larger > 1.6 || larger < 0.4) return (larger - 1) * Math.min(half, thick);
  const power = front ? 2.3 : 2.8;
  return ((x ** power + y ** power) ** (1 / power) - 1) * Math.min(half, thick);
}

function getFrontThickness(shape: ToothShape, t: number): number {
  const end = shape.form === "canine" ? 0.36 : 0.2;
  return (shape.depth / 2) * mix(0.94 + 0.06 * smoothStep(0, 0.15, t), end, smoothStep(0.12, 1, t) * 0.55 + t * 0.45);
}

/** Returns the height of the biting surface above a point. */
export function getOcclusalHeight(shape: ToothShape, m: number, b: number): number {
  if (shape.form === "incisor") return shape.crown - 0.035 * m * m - 0.05 * Math.max(0, -m) - 0.25 * Math.max(0, -b);
  if (shape.form === "canine") return shape.crown + 0.25 - 0.5 * Math.sqrt(m * m + 0.25);
  let height = -Infinity;
  for (const cusp of shape.cusps) {
    const [dm, db] = [m - cusp.m, b - cusp.b];
    const distance = Math.sqrt(dm * dm + db * db + 0.5);
    const top = shape.crown - cusp.drop - 0.06 * (distance * distance - 0.5) - 0.34 * (distance - 0.7);
    height = height === -Infinity ? top : -smoothUnion(-height, -top, 0.7);
  }
  return height;
}

/** The roots alone, in the same space. */
export function distanceToRoots(shape: ToothShape, m: number, b: number, h: number): number {
  let distance = Infinity;
  for (const root of shape.roots) {
    const one = distanceToRoot(root, m, b, h);
    distance = distance === Infinity ? one : smoothUnion(distance, one, 0.9);
  }
  if (shape.roots.length === 1 || h < -6) return distance;
  return smoothUnion(distance, distanceToTrunk(shape, m, b, h), 1.4);
}

function distanceToRoot(root: Root, m: number, b: number, h: number): number {
  const t = clamp(-h / root.length, 0, 1);
  const [x, y] = getRootMiddle(root, t);
  const taper = Math.max(0.02, Math.sqrt(1 - t) * (1 - 0.25 * t) + 0.02);
  const [ra, rb] = [root.m * taper, root.b * taper];
  const [dx, dy] = [(m - x) / ra, (b - y) / rb];
  const wall = (Math.sqrt(dx * dx + dy * dy) - 1) * Math.min(ra, rb);
  const below = -h - root.length;
  const above = h - 0.8;
  return Math.max(wall, below, above);
}

/** Roots leave the neck, spread, and bend a little backwards at the tip. */
export function getRootMiddle(root: Root, t: number): [number, number] {
  const spread = t * (1.6 - 0.6 * t);
  return [mix(root.from[0], root.to[0], spread) - 0.9 * t ** 3, mix(root.from[1], root.to[1], spread)];
}

/** The undivided part below the neck of a tooth with several roots. */
function distanceToTrunk(shape: ToothShape, m: number, b: number, h: number): number {
  const [x, y] = [Math.abs(m) / (shape.width * 0.4), Math.abs(b) / (shape.depth * 0.45)];
  const wall = ((x ** 2.6 + y ** 2.6) ** (1 / 2.6) - 1) * Math.min(shape.width * 0.4, shape.depth * 0.45);
  return smoothIntersection(smoothIntersection(wall, -h - 3.6, 1.2), h - 0.8, 0.5);
}

type Row = readonly [width: number, depth: number, crown: number, root: number];

// First to eighth tooth from the midline.
const upperRows: readonly Row[] = [
  [8.5, 7, 10.6, 13],
  [6.6, 6.1, 9.3, 13],
  [7.6, 8, 10.2, 16.5],
  [7.1, 9.1, 8.6, 14],
  [6.7, 9, 8.3, 14],
  [10.2, 11.2, 7.6, 12.5],
  [9.6, 10.9, 7.2, 11.5],
  [8.6, 10, 6.6, 10.5],
];
const lowerRows: readonly Row[] = [
  [5.3, 6, 8.9, 12.5],
  [5.8, 6.4, 9.3, 14],
  [6.8, 7.7, 10.6, 15.5],
  [7, 7.7, 8.6, 14],
  [7.2, 8.3, 8.1, 14.5],
  [11, 10.4, 7.6, 14],
  [10.5, 10, 7.1, 13],
  [10, 9.5, 6.9, 11],
];

/** Creates the usual tooth at a position counted from the midline (1 to 8), `scale` times as large. */
export function createToothShape(jaw: "upper" | "lower", place: number, scale: number): ToothShape {
  const row = (jaw === "upper" ? upperRows : lowerRows)[place - 1];
  const [width, depth, crown, root] = row.map((size) => size * scale);
  const form = place < 3 ? "incisor" : place === 3 ? "canine" : place < 6 ? "premolar" : "molar";
  const size = { width, depth, crown, root };
  return { ...size, form, cusps: createCusps(jaw, form, size), roots: createRoots(jaw, place, size) };
}

type Size = { width: number; depth: number; root: number };

function createCusps(jaw: "upper" | "lower", form: ToothShape["form"], { width: w, depth: d }: Size): Cusp[] {
  if (form === "premolar") {
    const lingual = jaw === "upper" ? 0.7 : 1.7;
    return [
      { m: 0, b: 0.25 * d, drop: 0 },
      { m: 0.04 * w, b: -0.25 * d, drop: lingual },
    ];
  }
  if (form !== "molar") return [];
  const buccal = jaw === "lower" ? 0.3 : 0;
  return [
    { m: 0.24 * w, b: 0.25 * d, drop: buccal },
    { m: -0.22 * w, b: 0.24 * d, drop: buccal + 0.2 },
    { m: 0.2 * w, b: -0.25 * d, drop: 0.3 - buccal },
    { m: -0.24 * w, b: -0.24 * d, drop: 0.9 - 2 * buccal },
  ];
}

function createRoots(jaw: "upper" | "lower", place: number, { width: w, depth: d, root }: Size): Root[] {
  if (place >= 6 && jaw === "lower") {
    return [
      { from: [0.2 * w, 0], to: [0.3 * w, 0.2], m: 0.19 * w, b: 0.36 * d, length: root },
      { from: [-0.2 * w, 0], to: [-0.28 * w, 0], m: 0.18 * w, b: 0.33 * d, length: root * 0.95 },
    ];
  }
  if (place >= 6) {
    return [
      { from: [0.19 * w, 0.2 * d], to: [0.27 * w, 0.3 * d], m: 0.19 * w, b: 0.22 * d, length: root * 0.97 },
      { from: [-0.19 * w, 0.2 * d], to: [-0.26 * w, 0.27 * d], m: 0.18 * w, b: 0.19 * d, length: root * 0.93 },
      { from: [0, -0.22 * d], to: [0, -0.46 * d], m: 0.21 * w, b: 0.2 * d, length: root * 1.03 },
    ];
  }
  if (place === 4 && jaw === "upper") {
    return [
      { from: [0, 0.2 * d], to: [0, 0.27 * d], m: 0.36 * w, b: 0.23 * d, length: root },
      { from: [0, -0.2 * d], to: [0, -0.27 * d], m: 0.34 * w, b: 0.23 * d, length: root * 0.96 },
    ];
  }
  const neck = place <= 3 ? 0.74 : 0.8;
  return [{ from: [0, 0], to: [-0.3, 0], m: (w / 2) * neck, b: (d / 2) * 0.92, length: root }];
}

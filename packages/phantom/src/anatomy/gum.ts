import type { Point } from "@arcada/imaging/mesh/mesh";
import { createArchCurve, type JawName } from "./arch-curve.ts";
import type { HeadTooth, HeadTruth } from "./head.ts";
import { smoothUnion, smoothIntersection, findSmallest, smoothStep } from "../math/shape-functions.ts";
import { sampleSmoothNoise } from "../math/random.ts";

export type Gum = {
  jaw: JawName;
  /**
   * Distance in mm to the gum's surface, negative inside, NaN beyond what a scanner records.
   * place: along the arch, positive to the left; d: offset to the cheek.
   */
  distance: (place: number, d: number, x: number, y: number, z: number) => number;
  /** Returns the height of a point above the neighbouring necks, towards the crowns. */
  above: (point: Point) => number;
};

/** Teeth that a scanner sees: not missing, and not lying under the gum. */
export const isErupted = (tooth: HeadTooth): boolean =>
  tooth.state !== "missing" && Math.abs(tooth.axes.crown[2]) > 0.8;

/** The gum around the teeth of one jaw. */
export function createGum(head: HeadTruth, jaw: JawName): Gum {
  const teeth = head.teeth.filter((tooth) => tooth.jaw === jaw).sort((a, b) => a.place - b.place);
  const table = Array.from({ length: 2 * reach + 1 }, (_, i) => getRidge(teeth, (i - reach) * segment));
  const up = jaw === "upper" ? -1 : 1;
  const ends = [-1, 1].map(
    (side) => 5 + Math.max(...teeth.filter(isErupted).map((tooth) => side * tooth.place + tooth.shape.width / 2)),
  );
  const back = Math.min(...ends.map((end) => createArchCurve(jaw, head.scale).at(end - 1).y));
  const ridge = (place: number): Ridge => table[Math.max(0, Math.min(2 * reach, Math.round(place / segment) + reach))];
  return {
    jaw,
    above: ([x, y, z]) => up * (z - nearest(teeth, x, y).neck[2]),
    distance: (place, d, x, y, z) => {
      const at = ridge(place);
      const height = up * (z - at.neck);
      const end = ends[place < 0 ? 0 : 1];
      const vaulted = jaw === "upper" && d < 0;
      if (vaulted && Math.abs(place) > end) return Number.NaN;
      if (height < (vaulted ? -13 : base(x, y))) return Number.NaN;
      const body = smoothIntersection(ridgeDistance(at, d, height), Math.abs(place) - end, 4);
      if (!vaulted) return body;
      if (-d > at.half + 1.5 && y > back + 1.5 * sampleSmoothNoise(x / 6, 0, 0)) return Number.NaN;
      return smoothUnion(body, palateDistance(at, -d, y / head.scale, height, x), 3);
    },
  };
}

const segment = 0.25;
const reach = 300;

/** The gum across the arch at one place: height of the necks, of the margin above them, half width, bulge over a root. */
type Ridge = { neck: number; margin: number; half: number; bulge: number };

// A scanner's border is ragged.
const base = (x: number, y: number): number => -9 + 1.3 * sampleSmoothNoise(x / 7, y / 7, 0.5);

function getRidge(teeth: readonly HeadTooth[], place: number): Ridge {
  let [weight, neck, half] = [0, 0, 0];
  for (const tooth of teeth) {
    const share = Math.exp(-(((tooth.place - place) / 4) ** 2)) + 1e-12;
    weight += share;
    neck += share * getNeckHeight(tooth, teeth);
    half += share * (tooth.shape.depth / 2) * (isErupted(tooth) ? 1 : 0.8);
  }
  const own = findSmallest(teeth, (tooth) => Math.abs(tooth.place - place) / tooth.shape.width);
  const off = Math.abs(own.place - place) / own.shape.width;
  const papilla = isErupted(own) ? smoothStep(0.22, 0.5, off) : 0;
  // Between teeth the gum rises to a point; over a gap it has sunk.
  const margin = isErupted(own) ? 0.5 + 2.4 * papilla : 0.5 - 1.6 * smoothStep(0.55, 0.2, off);
  return {
    neck: neck / weight,
    margin,
    half: half / weight + 0.9,
    bulge: isErupted(own) ? smoothStep(0.45, 0.05, off) : -0.4,
  };
}

/** A tooth under the gum does not pull the ridge down with it. */
const getNeckHeight = (tooth: HeadTooth, teeth: readonly HeadTooth[]): number =>
  isErupted(tooth)
    ? tooth.neck[2]
    : findSmallest(teeth.filter(isErupted), (other) => Math.abs(other.place - tooth.place)).neck[2];

function ridgeDistance(ridge: Ridge, d: number, height: number): number {
  const below = Math.max(0, -height);
  const cheek = d > 0;
  const fold = 2.6 * smoothStep(5.5, 10, below);
  const half = ridge.half + 0.16 * below + (cheek ? 0.55 * ridge.bulge * smoothStep(0, 2, below) + fold : 0.25 * below);
  return smoothIntersection(Math.abs(d) - half, (height - ridge.margin) * 0.9, 2.4);
}

/** The vault of the palate with its folds behind the incisors. */
function palateDistance(ridge: Ridge, inwards: number, y: number, height: number, x: number): number {
  const from = Math.max(0, inwards - ridge.half);
  const vault = -9.5 * (1 - Math.exp(-((from / 9) ** 1.5))) + 0.3;
  const folds = smoothStep(-8, -20, y) * smoothStep(1, 4, Math.abs(x)) * 0.55 * Math.sin(y * 1.5 + Math.abs(x) * 0.25);
  const seam = 0.35 * Math.exp(-((x / 1.2) ** 2));
  return (height - vault - folds - seam) * 0.8;
}

const nearest = (teeth: readonly HeadTooth[], x: number, y: number): HeadTooth =>
  findSmallest(teeth, ({ neck }) => (neck[0] - x) ** 2 + (neck[1] - y) ** 2);

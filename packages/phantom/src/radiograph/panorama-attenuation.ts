import type { HeadTruth } from "../anatomy/head.ts";
import { createJawCurve } from "../anatomy/arch-curve.ts";
import { getMandibleTable } from "../anatomy/mandible.ts";
import { sampleTrabecularNoise } from "../math/random.ts";
import {
  distanceToChain,
  clamp,
  distanceToOutline,
  createSpline,
  smoothStep,
  type Point2,
} from "../math/shape-functions.ts";

/**
 * Returns the attenuation by everything but the teeth, at a position along the jaw (mm, positive to the patient's left)
 * and a height.
 */
export type PanoramaAttenuation = (place: number, z: number) => number;

/** The tissue of this head. */
export function createPanoramaAttenuation(head: HeadTruth): PanoramaAttenuation {
  const mandible = getMandibleTable();
  const canal = createCanalChain(head);
  return (place, z) => {
    const [u, v] = [Math.abs(place) / head.scale, z / head.scale];
    let sum = softShadow(u, v);
    sum += mandibleShadow(mandible.depth(u, v), mandible.half(u, v), place, z, u, v);
    sum += upperShadow(u, v, place, z);
    return sum + canalShadow(canal, u, v);
  };
}

/** Spongy bone, coarser towards the base. */
const spongy = (x: number, y: number): number =>
  0.6 * sampleTrabecularNoise(x / 1.1, y / 1.25, 3) +
  0.35 * sampleTrabecularNoise(x / 0.55, y / 0.6, 7) +
  0.5 * sampleTrabecularNoise(x / 5, y / 5, 11);

/** Cheeks, tongue, throat and the blurred shadow of the spine. */
function softShadow(u: number, v: number): number {
  const face = smoothStep(122, 90, u) * (0.13 + 0.05 * smoothStep(60, 10, u)) * (1 - 0.25 * smoothStep(-36, -58, v));
  const spine = 0.15 * Math.exp(-((u / 17) ** 2)) * (0.7 + 0.3 * smoothStep(10, -40, v));
  // The neck's bones come into the layer at both ends.
  const wave = 0.6 + 0.4 * smoothStep(-0.5, 0.5, Math.sin(((v + 8) / 17) * 2 * Math.PI));
  const sideSpine = 0.06 * smoothStep(100, 112, u) * wave * smoothStep(126, 116, u);
  const tongue = 0.05 * smoothStep(19, 15, v + (u / 30) ** 2) * smoothStep(76, 56, u);
  const throatMiddle = 83 - 0.28 * (v + 20) + 3 * Math.sin(v / 14);
  const throat = -0.08 * smoothStep(9, 3, Math.abs(u - throatMiddle)) * smoothStep(38, 22, v) * smoothStep(-58, -38, v);
  const overTongue = -0.06 * smoothStep(2.6, 0.4, Math.abs(v - 20.5 + (u / 34) ** 2 - 0.5)) * smoothStep(72, 48, u);
  // The other side of the jaw, blurred and higher up.
  const ghost = 0.045 * Math.exp(-(((v - 14 - 0.12 * u) / 13) ** 2)) * smoothStep(46, 76, u) * smoothStep(108, 92, u);
  return face + spine + sideSpine + tongue + throat + overTongue + ghost;
}

function mandibleShadow(depth: number, half: number, x: number, z: number, u: number, v: number): number {
  if (depth < -1) return 0;
  const share = clamp(0.5 + depth / 1.2, 0, 1);
  const border = clamp(smoothStep(-14, -26, v) + smoothStep(80, 90, u), 0, 1);
  const rim =
    (0.05 + 0.13 * border) *
    smoothStep(3.6, 0.9, depth) *
    (1 - 0.4 * smoothStep(0, 26, v)) *
    (1 - 0.35 * smoothStep(22, 0, u));
  const body = 0.05 + 0.012 * 2 * half;
  // The oblique line runs from the ramus' front edge down over the molars.
  const oblique =
    0.06 * Math.exp(-(((v + 14 - (u - 48) * 0.62) / 1.5) ** 2)) * smoothStep(40, 54, u) * smoothStep(70, 62, u);
  const mental = 0.05 * smoothStep(5, 1, Math.hypot(u / 2.2, v + 31));
  return share * (body + rim + oblique + mental + (0.02 + 0.022 * smoothStep(78, 45, u)) * spongy(x, z));
}

function createCanalChain(head: HeadTruth): Point2[] {
  const curve = createJawCurve(head.scale);
  return head.canals.left.map(([x, y, z]): Point2 => {
    let [best, place] = [Infinity, 0];
    for (let u = 0; u < 100; u += 0.5) {
      const at = curve.at(u);
      const square = (at.x - x) ** 2 + (at.y - y) ** 2;
      if (square < best) [best, place] = [square, u];
    }
    return [place / head.scale, z / head.scale];
  });
}

function canalShadow(canal: readonly Point2[], u: number, v: number): number {
  const distance = distanceToChain(canal, u, v, 4);
  if (distance >= 4) return 0;
  const [endU, endV] = canal[canal.length - 1];
  const foramen = -0.07 * smoothStep(2.4, 0.9, Math.hypot(u - endU, (v - endV) * 1.2));
  const wall =
    0.045 * Math.exp(-(((distance - 1.8) / 0.45) ** 2)) * smoothStep(25, 34, u) * (0.75 + 0.25 * Math.sin(u * 0.8));
  return -0.05 * smoothStep(1.9, 0.8, distance) * smoothStep(20, 32, u) + wall + foramen;
}

const sinusOutline = createSpline(
  [
    [21, 30],
    [24, 24],
    [29, 20.5],
    [35, 19],
    [40, 20.5],
    [45, 18.5],
    [51, 19],
    [56, 23],
    [58.5, 30],
    [57, 38],
    [50, 43],
    [38, 44],
    [27, 42],
    [21.5, 37],
    [21, 30],
  ],
  4,
);
const palateLine = createSpline(
  [
    [0, 24.5],
    [15, 25],
    [32, 26.5],
    [50, 29],
    [68, 33],
  ],
  5,
);
const cheekLine = createSpline(
  [
    [44, 40],
    [45.5, 33],
    [49, 28.5],
    [53, 29.5],
    [56, 33.5],
    [66, 34.5],
    [78, 36],
  ],
  5,
);
const eminence = createSpline(
  [
    [70, 36],
    [77, 33],
    [81, 30.5],
    [84, 34],
    [86, 40],
    [91, 43],
    [97, 40.5],
    [100, 35],
  ],
  5,
);
const styloid = createSpline(
  [
    [99, 22],
    [97.5, 8],
    [95, -6],
  ],
  4,
);
const orbit = createSpline(
  [
    [14, 52],
    [20, 48],
    [32, 46.5],
    [45, 48.5],
    [52, 54],
  ],
  5,
);
const hyoid = createSpline(
  [
    [50, -47],
    [58, -44],
    [68, -43],
    [77, -45],
  ],
  4,
);

/** Upper jaw, sinuses, nose, palate, cheek bone and the joint's socket. */
function upperShadow(u: number, v: number, x: number, z: number): number {
  const low = 0.06 * getLineIntensity(styloid, u, v, 1.5) + 0.08 * getLineIntensity(hyoid, u, v, 2.4);
  if (v < 5) return low;
  const alveolar =
    smoothStep(7.6, 11.5, v - 1.2 * smoothStep(40, 58, u) - 3.5 * smoothStep(53, 64, u)) *
    smoothStep(65, 57, u + Math.max(0, v - 22) * 0.2);
  let sum = low + alveolar * (0.16 - 0.07 * smoothStep(18, 34, v) + 0.04 * spongy(x, z));
  const sinus = distanceToOutline(sinusOutline, u, v, 4);
  sum +=
    -0.11 * smoothStep(0.8, -2.5, sinus) +
    0.085 * Math.exp(-(((sinus - 0.2) / 0.7) ** 2)) * (0.6 + 0.4 * smoothStep(34, 24, v));
  const nose = Math.hypot((u - 6.8) / 5.6, (v - 38) / 11.5) - 1;
  sum +=
    -0.14 * smoothStep(0.14, -0.2, nose) +
    0.05 * Math.exp(-((nose / 0.1) ** 2)) +
    0.06 * smoothStep(0.5, -0.3, Math.hypot((u - 8) / 3.2, (v - 31.5) / 5) - 1);
  sum += 0.12 * getLineIntensity(palateLine, u, v, 1.5) + 0.045 * getLineIntensity(palateLine, u, v - 3.4, 1.3);
  sum +=
    0.11 * getLineIntensity(cheekLine, u, v, 1.7) +
    0.05 * getLineIntensity(cheekLine, u, v, 4.5) * smoothStep(52, 62, u);
  sum +=
    0.13 * getLineIntensity(eminence, u, v, 1.7) +
    0.1 * smoothStep(0, 7, v - eminenceHeight(u)) * smoothStep(66, 82, u) * smoothStep(110, 98, u);
  sum += 0.07 * getLineIntensity(orbit, u, v, 1.6);
  // The gap between upper jaw and wing.
  const fissure = Math.hypot((u - 62.5 - (v - 30) * 0.1) / 2.2, (v - 31) / 8);
  return sum - 0.05 * smoothStep(1.15, 0.5, fissure) + 0.03 * Math.exp(-(((fissure - 1.2) / 0.12) ** 2));
}

const eminenceHeights = Float32Array.from({ length: 120 }, (_, u) => {
  const near = eminence.filter(([eu]) => Math.abs(eu - u) < 1.2).map(([, ev]) => ev);
  return near.length > 0 ? Math.max(...near) : u > 97 ? 36 : 37;
});

function eminenceHeight(u: number): number {
  const i = clamp(Math.floor(u), 0, eminenceHeights.length - 2);
  return eminenceHeights[i] + (u - i) * (eminenceHeights[i + 1] - eminenceHeights[i]);
}

/** Returns 1 on a line, fading out to both sides. */
function getLineIntensity(chain: readonly Point2[], u: number, v: number, width: number): number {
  const distance = distanceToChain(chain, u, v, 2.5 * width);
  return distance >= 2.5 * width ? 0 : Math.exp(-((distance / (0.72 * width)) ** 2));
}

import { createJawCurve } from "../anatomy/arch-curve.ts";
import * as form from "./ceph-anatomy.ts";
import { mandibleOutline } from "../anatomy/mandible.ts";
import { sampleTrabecularNoise } from "../math/random.ts";
import {
  distanceToChain,
  clamp,
  mix,
  distanceToOutline,
  createSpline,
  smoothStep,
  type Point2,
} from "../math/shape-functions.ts";

/**
 * Returns the attenuation by everything but the teeth, from ear to ear, at a point of the side view (mm of the head).
 */
export function createCephAttenuation(scale: number): (x: number, z: number) => number {
  const jaw = jawOutline();
  return (x, z) => {
    const [a, b] = [x / scale, z / scale];
    const skin = distanceToOutline(face, a, b, 1);
    if (skin > 0.5) return 0;
    return soft(skin, a, b) + vault(a, b) + base(a, b) + middleFace(a, b) + lowerJaw(jaw, a, b) + neck(a, b);
  };
}

/**
 * Returns the attenuation by the ruler before the nose at a point of the side view (mm): a bar, a mark every 10 mm, a
 * longer one every 50 mm.
 */
export function getRulerAttenuation(x: number, z: number): number {
  const { x: middle, low, length } = form.ruler;
  const along = z - low;
  if (along < -0.4 || along > length + 0.4) return 0;
  const bar = smoothStep(1.5, 1.3, Math.abs(x - middle - 3)) * 0.35;
  const nearest = Math.round(along / 10) * 10;
  const long = nearest % 50 === 0 ? 5 : 3.2;
  const mark =
    smoothStep(0.4, 0.25, Math.abs(along - nearest)) * smoothStep(long, long - 0.2, Math.abs(x - middle - 1));
  return Math.max(bar, 0.9 * mark);
}

const scalp = form.vaultOuter
  .filter(([x, z]) => z > 104 || x < -104)
  .map(([x, z]): Point2 => [-28 + (x + 28) * 1.07, 95 + (z - 95) * 1.08])
  .reverse();
const nape = createSpline(
  [
    [-104, -110],
    [-100, -70],
    [-97, -30],
    [-98, 10],
    [-104, 42],
    [-112, 66],
  ],
  6,
);
const face: readonly Point2[] = [...form.facialProfile, ...nape, ...scalp];
const palate: readonly Point2[] = [...form.palateTop, ...[...form.palateBottom].reverse()];
const brain: readonly Point2[] = [...form.vaultInner, ...[...form.skullBase].reverse()];
const clivus: readonly Point2[] = [...form.skullBase.filter(([x]) => x < -28), ...[...form.clivusFront].reverse()];

/** Returns 1 on a line, fading out to both sides. */
function getLineIntensity(chain: readonly Point2[], x: number, z: number, width: number): number {
  const distance = distanceToChain(chain, x, z, 2 * width);
  return distance >= 2 * width ? 0 : Math.exp(-((distance / (0.7 * width)) ** 2));
}

/** Thin at the edge of the face, thick in the middle. */
function soft(skin: number, x: number, z: number): number {
  const thick =
    0.17 * Math.sqrt(clamp(-skin / 40, 0, 1)) * (1 - 0.3 * smoothStep(20, 60, x)) + 0.02 * smoothStep(0.3, -0.8, skin);
  const behind = x < -8 && x > throatEdge(z) ? Math.abs(distanceToChain(form.throatBack, x, z, 20) - 6.5) : 9;
  const throat = -0.09 * smoothStep(7, 3, behind) * smoothStep(54, 40, z) * smoothStep(-88, -60, z);
  const mouth =
    -0.035 * Math.exp(-(((distanceToChain(form.tongueTop, x, z, 8) - 1) / 1.2) ** 2)) * smoothStep(-28, -18, x);
  return thick + throat + mouth + 0.04 * getLineIntensity(form.softPalate, x, z, 5);
}

const throatEdge = (z: number): number => {
  for (let i = 0; i + 1 < form.throatBack.length; i++) {
    const [[x0, z0], [x1, z1]] = [form.throatBack[i], form.throatBack[i + 1]];
    if (z <= z0 && z >= z1) return mix(x0, x1, (z0 - z) / (z0 - z1 || 1));
  }
  return 99;
};

function vault(x: number, z: number): number {
  if (z < 38) return 0;
  const outer = distanceToChain(form.vaultOuter, x, z, 10);
  const inner = distanceToChain(form.vaultInner, x, z, 10);
  const between = 0.15 * smoothStep(11, 8.6, outer + inner) * (1 + 0.12 * sampleTrabecularNoise(x / 1.6, z / 1.6, 3));
  const tables = 0.13 * Math.exp(-((outer / 0.9) ** 2)) + 0.13 * Math.exp(-((inner / 0.9) ** 2));
  const inside =
    smoothStep(0.5, -3, distanceToOutline(brain, x, z, 4)) *
    (0.13 + 0.02 * sampleTrabecularNoise(x / 12, z / 12, 2) + 0.012 * sampleTrabecularNoise(x / 4, z / 4, 4));
  const frontSinus = -0.1 * smoothStep(1.2, 0.5, Math.hypot((x - 48.5) / 3, (z - 93) / 9));
  const seam = 0.03 * getLineIntensity(coronalSeam, x + 0.9 * Math.sin(z * 1.3), z, 0.8);
  return between + tables + inside + frontSinus - seam;
}

const coronalSeam: readonly Point2[] = [
  [12, 157],
  [6, 140],
  [-2, 120],
  [-8, 104],
];

function base(x: number, z: number): number {
  if (z < 22 || z > 92) return 0;
  let sum = 0.26 * getLineIntensity(form.skullBase, x, z, 1.5);
  sum += 0.1 * getLineIntensity(form.skullBase, x, z - 3.5, 1.2) * smoothStep(-12, -4, x);
  if (distanceToOutline(clivus, x, z, 1) < 0) sum += 0.12;
  sum += 0.12 * getLineIntensity(form.clivusFront, x, z, 1.2);
  // The air-filled bone under the sella, the dense bone around the ear, the rod in it.
  sum -= 0.07 * smoothStep(1.25, 0.4, Math.hypot((x + 13) / 10, (z - 69) / 8));
  const petrous = Math.hypot((x + 50) / 17, (z - 53) / 12);
  sum +=
    0.3 * smoothStep(1.15, 0.55, petrous) +
    0.05 * sampleTrabecularNoise(x / 2.2, z / 2.2, 6) * smoothStep(1.2, 0.8, petrous);
  sum +=
    0.14 *
    smoothStep(1.1, 0.7, Math.hypot((x + 64) / 11, (z - 40) / 13)) *
    (0.7 + 0.4 * sampleTrabecularNoise(x / 2, z / 2, 9));
  const rod = Math.hypot(x + 46, z - 52);
  return sum + 0.5 * smoothStep(4.2, 3.8, rod) - 0.2 * smoothStep(2, 1.6, rod);
}

function middleFace(x: number, z: number): number {
  if (z < 6 || z > 90 || x < -12) return 0;
  let sum =
    0.16 * getLineIntensity(form.noseBone, x, z, 1.7) +
    0.11 * getLineIntensity(form.orbitRim, x, z, 1.6) +
    0.09 * getLineIntensity(form.orbitFloor, x, z, 1.2);
  sum +=
    0.22 * getLineIntensity(form.palateTop, x, z, 1.2) +
    0.16 * getLineIntensity(form.palateBottom, x, z, 1) +
    0.14 * getLineIntensity(form.cheekRidge, x, z, 1.8);
  sum += 0.09 * smoothStep(0.4, -0.6, distanceToOutline(palate, x, z, 2));
  sum += 0.12 * getLineIntensity(form.jawFront, x, z, 1.1);
  const cavity = distanceToOutline(form.sinus, x, z, 3);
  sum += -0.06 * smoothStep(0, -3, cavity) + 0.06 * clamp(1 - Math.abs(cavity) / 0.9, 0, 1);
  const alveolar = smoothStep(8.5, 11, z) * smoothStep(26, 20, z) * smoothStep(49.5, 47.5, x) * smoothStep(-4, 2, x);
  sum += alveolar * (0.13 + 0.03 * sampleTrabecularNoise(x / 1.1, z / 1.1, 3));
  const gap = distanceToOutline(form.fissure, x, z, 3);
  sum += -0.08 * smoothStep(0, -1, gap) + 0.09 * clamp(1 - Math.abs(gap) / 0.8, 0, 1);
  const orbit = Math.hypot((x - 24) / 18, (z - 70) / 13);
  return sum - 0.03 * smoothStep(1, 0.8, orbit);
}

/** The unrolled half jaw seen from the side: place along the jaw becomes distance to the back. */
function jawOutline(): Point2[] {
  const curve = createJawCurve(1);
  return mandibleOutline.filter(([u]) => u > 3).map(([u, z]): Point2 => [-curve.at(u).y, z]);
}

function lowerJaw(jaw: readonly Point2[], x: number, z: number): number {
  if (z > 42 || z < -48) return 0;
  // The side nearer to the tube is thrown a little larger: two outlines that meet at the chin.
  const chin = distanceToOutline(form.chin, x, z, 3);
  const first = Math.min(chin, distanceToOutline(jaw, x, z, 3));
  const second = Math.min(chin, distanceToOutline(jaw, 40 + (x - 40) / 1.04, -30 + (z + 30) / 1.04, 3));
  let sum = 0;
  for (const distance of [first, second]) {
    sum +=
      smoothStep(0.5, -0.8, distance) * (0.07 + 0.018 * sampleTrabecularNoise(x / 1.3, z / 1.3, 5)) +
      0.085 * Math.exp(-(((distance + 0.9) / 0.9) ** 2));
  }
  return sum + smoothStep(0.5, -3, chin) * 0.09;
}

function neck(x: number, z: number): number {
  if (x > 10 || z > 34) return 0;
  let sum = 0.14 * smoothStep(1.1, 0.8, Math.hypot((x + 9) / 7, (z + 50 - x * 0.12) / 2.6));
  for (const { middle, half } of form.vertebrae) sum += vertebra(x - middle[0], z - middle[1], half);
  // First vertebra: front arch, dens, back arch.
  sum +=
    0.2 * smoothStep(1.1, 0.7, Math.hypot((x + 49.5) / 3, (z - 14) / 5)) +
    0.15 * smoothStep(1.1, 0.75, Math.hypot((x + 57) / 4.2, (z - 12) / 9.5));
  return sum + 0.13 * smoothStep(1.1, 0.75, Math.hypot((x + 84) / 9, (z - 13 - (x + 84) * 0.12) / 3.4));
}

function vertebra(x: number, z: number, [wide, high]: Point2): number {
  const waist = 0.8 * Math.cos((clamp(z / high, -1, 1) * Math.PI) / 2);
  const [qx, qz] = [Math.abs(x - 0.12 * z) - wide + waist + 1.5, Math.abs(z) - high + 1.5];
  const body = Math.hypot(Math.max(qx, 0), Math.max(qz, 0)) + Math.min(Math.max(qx, qz), 0) - 1.5;
  const spine = Math.hypot((x + 27) / 10, (z + 4 - (x + 27) * 0.35) / 3.3);
  const joint = Math.hypot((x + 11.5) / 4.5, (z - 1 + (x + 11.5) * 0.5) / 6);
  const inside =
    smoothStep(0.4, -0.5, body) * (0.13 + 0.02 * sampleTrabecularNoise(x, z, wide)) +
    0.1 * clamp(1 - Math.abs(body + 0.6) / 0.8, 0, 1);
  return inside + 0.12 * smoothStep(1.1, 0.7, spine) + 0.1 * smoothStep(1.1, 0.7, joint);
}

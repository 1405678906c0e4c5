import type { HeadTruth } from "./head.ts";
import { jawCurve } from "./arch.ts";
import { mandibleTable } from "./mandible.ts";
import { smoothNoise } from "./random.ts";
import { chainDistance, clamp, outlineDistance, spline, step, type Point2 } from "./shaping.ts";

/** What everything but the teeth stops, at a place along the jaw (mm, positive to the patient's left) and a height. */
export type PanoramaTissue = (place: number, z: number) => number;

export function panoramaTissue(head: HeadTruth): PanoramaTissue {
  const mandible = mandibleTable();
  const canal = canalChain(head);
  return (place, z) => {
    const [u, v] = [Math.abs(place) / head.scale, z / head.scale];
    let sum = softShadow(u, v);
    sum += mandibleShadow(mandible.depth(u, v), mandible.half(u, v), place, z, u, v);
    sum += upperShadow(u, v, place, z);
    return sum + canalShadow(canal, u, v);
  };
}

/** Spongy bone: a net of fine bright lines, coarser towards the base. */
function spongy(x: number, y: number, fine: number): number {
  const net = 1 - Math.abs(smoothNoise(x * 1.05, y * 0.85, 3)) * 2 + smoothNoise(x * 2.1, y * 1.9, 7) * 0.6;
  return fine * (0.55 * net + 0.6 * smoothNoise(x / 4, y / 4, 11));
}

/** Cheeks, tongue, throat and the blurred shadow of the spine. */
function softShadow(u: number, v: number): number {
  const face = step(116, 96, u) * (0.16 + 0.06 * step(60, 10, u));
  const spine = 0.13 * Math.exp(-((u / 15) ** 2)) * (0.75 + 0.25 * step(-5, -40, v));
  const sideSpine = u > 100 ? 0.13 * step(101, 105, u) * (0.75 + 0.25 * Math.sin(((v + 8) / 17) * 2 * Math.PI)) : 0;
  const tongue = 0.05 * step(19, 16, v + (u / 30) ** 2) * step(74, 60, u);
  const throatMiddle = 83 - 0.28 * (v + 20) + 3 * Math.sin(v / 14);
  const throat = -0.075 * step(7.5, 4, Math.abs(u - throatMiddle)) * step(34, 24, v) * step(-52, -40, v);
  const overTongue = -0.06 * step(2.2, 0.6, Math.abs(v - 20.5 + (u / 34) ** 2 - 0.5)) * step(70, 52, u);
  const lips = -0.05 * step(11, 5, Math.hypot(u / 1.6, v + 0.5));
  return face + spine + sideSpine + tongue + throat + overTongue + lips;
}

function mandibleShadow(depth: number, half: number, x: number, z: number, u: number, v: number): number {
  if (depth < -1) return -0.02 * step(-6, -1, depth) * step(-34, -38, v);
  const share = clamp(0.5 + depth / 0.8, 0, 1);
  const border = step(-14, -26, v) + step(80, 90, u);
  const rim = (0.05 + 0.12 * clamp(border, 0, 1)) * step(3.4, 1.4, depth) * (1 - 0.3 * step(0, 26, v));
  const body = 0.06 + 0.0125 * 2 * half;
  // The oblique line runs from the ramus' front edge down over the molars.
  const oblique = 0.06 * step(2.4, 0.4, Math.abs(v + 14 - (u - 48) * 0.62)) * step(42, 54, u) * step(70, 62, u);
  const mental = 0.05 * step(5, 1, Math.hypot(u / 2.2, v + 31));
  return share * (body + rim + oblique + mental + spongy(x, z, 0.022 + 0.012 * step(70, 40, u)));
}

function canalChain(head: HeadTruth): Point2[] {
  const curve = jawCurve(head.scale);
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
  if (u < 18 || u > 84 || v < -34 || v > 10) return 0;
  const distance = chainDistance(canal, u, v);
  const [endU, endV] = canal[canal.length - 1];
  const foramen = -0.075 * step(2.3, 1.2, Math.hypot(u - endU, (v - endV) * 1.2));
  const wall = 0.045 * clamp(1 - Math.abs(distance - 1.75) / 0.5, 0, 1) * step(24, 32, u);
  return -0.06 * step(1.7, 1.1, distance) + wall + foramen;
}

const sinusOutline = spline([[21, 30], [24, 24], [29, 20.5], [35, 19], [40, 20.5], [45, 18.5], [51, 19], [56, 23], [58.5, 30], [57, 38], [50, 43], [38, 44], [27, 42], [21.5, 37], [21, 30]], 4);
const palateLine = spline([[0, 24.5], [15, 25], [32, 26.5], [50, 29], [68, 33]], 5);
const cheekLine = spline([[44, 40], [45.5, 33], [49, 28.5], [53, 29.5], [56, 33.5], [66, 34.5], [78, 36]], 5);
const eminence = spline([[70, 36], [77, 33], [81, 30.5], [84, 34], [86, 40], [91, 43], [97, 40.5], [100, 35]], 5);
const styloid = spline([[99, 22], [97.5, 8], [95, -6]], 4);
const orbit = spline([[14, 52], [20, 48], [32, 46.5], [45, 48.5], [52, 54]], 5);
const hyoid = spline([[50, -47], [58, -44], [68, -43], [77, -45]], 4);

/** Upper jaw, sinuses, nose, palate, cheek bone and the joint's socket. */
function upperShadow(u: number, v: number, x: number, z: number): number {
  if (v < 6) return 0.07 * line(styloid, u, v, 1.4) + 0.09 * line(hyoid, u, v, 2.6);
  const alveolar = step(8.6, 10.5, v - 1.2 * step(40, 58, u)) * step(64, 59, u + Math.max(0, v - 22) * 0.2);
  let sum = alveolar * (0.15 - 0.05 * step(20, 32, v) + spongy(x, z, 0.02));
  const sinus = outlineDistance(sinusOutline, u, v);
  sum += -0.1 * step(0.6, -2, sinus) + 0.1 * clamp(1 - Math.abs(sinus - 0.3) / 0.8, 0, 1);
  const nose = Math.hypot((u - 6.6) / 5.6, (v - 37) / 11.5) - 1;
  sum += -0.13 * step(0.12, -0.15, nose) + 0.06 * clamp(1 - Math.abs(nose) / 0.12, 0, 1);
  sum += 0.06 * step(0.4, -0.1, Math.hypot((u - 7.5) / 3, (v - 31) / 5) - 1);
  sum += 0.12 * line(palateLine, u, v, 1.5) + 0.05 * line(palateLine, u, v - 3.4, 1.1);
  sum += 0.12 * line(cheekLine, u, v, 1.9) + 0.05 * step(4, 1, chainDistance(cheekLine, u, v)) * step(54, 60, u);
  sum += 0.17 * line(eminence, u, v, 1.5) + 0.1 * step(0, 4, v - eminenceHeight(u)) * step(72, 80, u);
  sum += 0.09 * line(orbit, u, v, 1.4) + 0.07 * line(styloid, u, v, 1.4);
  // The gap between upper jaw and wing.
  const fissure = Math.hypot((u - 62.5 - (v - 30) * 0.1) / 2, (v - 31) / 8);
  return sum - 0.05 * step(1.1, 0.7, fissure) + 0.03 * step(0.15, 0.05, Math.abs(fissure - 1.15));
}

function eminenceHeight(u: number): number {
  let height = 60;
  for (const [eu, ev] of eminence) if (Math.abs(eu - u) < 1.2) height = ev;
  return height;
}

/** 1 on a line, fading out at `width` mm beside it. */
const line = (chain: readonly Point2[], u: number, v: number, width: number): number => step(width, width * 0.25, chainDistance(chain, u, v));

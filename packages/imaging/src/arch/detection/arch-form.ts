import { sampleMass, type TissueMap } from "./tissue-map.ts";

/** A dental arch in a few numbers: the place and direction of its front, its width and depth; mm and degrees. */
export interface ArchForm {
  x: number;
  y: number;
  turn: number;
  /** Half its width where it is `depth` mm behind its front. */
  half: number;
  depth: number;
  /** 2 is a parabola; higher is more of a horseshoe. */
  bend: number;
}

export interface ArchFormPoint {
  x: number;
  y: number;
  /** Outwards, to lips and cheeks; of length 1. */
  out: readonly [number, number];
}

/** Returns points along the form, every `step` mm, from `reach` mm on the patient's right to as much on the left. */
export function sampleArchForm(form: ArchForm, reach: number, step: number): ArchFormPoint[] {
  const side = sampleLeftHalf(form, reach, step);
  const places = [...side.slice(1).map(mirrorPoint).toReversed(), ...side];
  const [cos, sin] = [Math.cos((form.turn * Math.PI) / 180), Math.sin((form.turn * Math.PI) / 180)];
  return places.map(({ x, y, out }) => ({
    x: form.x + x * cos - y * sin,
    y: form.y + x * sin + y * cos,
    out: [out[0] * cos - out[1] * sin, out[0] * sin + out[1] * cos],
  }));
}

const mirrorPoint = ({ x, y, out }: ArchFormPoint): ArchFormPoint => ({ x: -x, y, out: [-out[0], out[1]] });

/** From the front to the patient's left. */
function sampleLeftHalf({ half, depth, bend }: ArchForm, reach: number, step: number): ArchFormPoint[] {
  const out: ArchFormPoint[] = [];
  const fine = 0.5;
  let [x, y, arcLength] = [0, 0, 0];
  for (let next = 0; next <= reach + 1e-9; next += step) {
    while (arcLength < next - 1e-9) {
      const mm = Math.min(fine, next - arcLength);
      const slope = computeSlope(x, half, depth, bend);
      x += mm / Math.hypot(1, slope);
      y += (mm * slope) / Math.hypot(1, slope);
      arcLength += mm;
    }
    const slope = computeSlope(x, half, depth, bend);
    out.push({ x, y, out: [slope / Math.hypot(1, slope), -1 / Math.hypot(1, slope)] });
  }
  return out;
}

const computeSlope = (x: number, half: number, depth: number, bend: number): number =>
  ((bend * depth) / half) * (x / half) ** (bend - 1);

/** Returns how well an arch of hard tissue, with none on either side of it, matches the form; at most 1. */
export const scoreArchForm = (map: TissueMap, form: ArchForm, full: number, least = -Infinity): number =>
  scoreArchFormAt(map, sampleArchForm(form, 50, 5), 0, 0, full, least);

/**
 * Works as `fitOf`, for points that are moved by (x, y).
 * @param least a fit that is certain to be worse than this is not computed to the end, and returns −Infinity
 */
export function scoreArchFormAt(
  map: TissueMap,
  places: readonly ArchFormPoint[],
  x: number,
  y: number,
  full: number,
  least = -Infinity,
): number {
  const needed = least * full * places.length;
  let on = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at];
    on += Math.min(full, sampleMass(map, place.x + x, place.y + y));
    if (on + full * (places.length - 1 - at) < needed) return -Infinity;
  }
  let beside = 0;
  for (const place of places) {
    const [px, py] = [place.x + x, place.y + y];
    const [sx, sy] = [sideDistance * place.out[0], sideDistance * place.out[1]];
    beside += Math.min(full, Math.max(sampleMass(map, px + sx, py + sy), sampleMass(map, px - sx, py - sy)));
    if (on - beside < needed) return -Infinity;
  }
  return (on - beside) / (full * places.length);
}

const sideDistance = 11;

/** The best form near this one, by small steps in each of its numbers. */
export function refineArchForm(map: TissueMap, start: ArchForm, full: number): ArchForm {
  let best = start;
  let fit = scoreArchForm(map, best, full);
  for (let scale = 1; scale > 0.06; scale /= 2) {
    for (let rounds = 0, better = true; better && rounds < 6; rounds++) {
      better = false;
      for (const [key, step] of searchSteps) {
        for (const sign of [-1, 1]) {
          const tried = clampForm({ ...best, [key]: best[key] + sign * step * scale });
          const found = scoreArchForm(map, tried, full, fit);
          if (found <= fit + 1e-6) continue;
          [best, fit, better] = [tried, found, true];
        }
      }
    }
  }
  return best;
}

const searchSteps: readonly (readonly [keyof ArchForm, number])[] = [
  ["x", 4],
  ["y", 4],
  ["turn", 6],
  ["half", 3],
  ["depth", 6],
  ["bend", 0.3],
];

const clampForm = (form: ArchForm): ArchForm => ({
  ...form,
  turn: Math.min(30, Math.max(-30, form.turn)),
  half: Math.min(36, Math.max(18, form.half)),
  depth: Math.min(60, Math.max(28, form.depth)),
  bend: Math.min(3, Math.max(1.8, form.bend)),
});

import { scoreArchFormAt, scoreArchForm, sampleArchForm, refineArchForm, type ArchForm } from "./arch-form.ts";
import type { HardTissue } from "../../volume/hard-tissue.ts";
import { createTissueMap, type TiltedPlane, type TissueMap } from "./tissue-map.ts";

/** The plane on which the two rows of teeth meet, and the form of the arch there. */
export interface Occlusion {
  tilt: TiltedPlane;
  form: ArchForm;
  /** The quality of the fit, at most 1. */
  fit: number;
}

const minHardness = 0.85;
/** Crowns of both jaws, from the plane where they meet. */
const crownLayer = [-11, 11] as const;

/** Searches the height and the tilt at which hard tissue forms a dental arch. Null if there is none. */
export function findOcclusion(tissue: HardTissue): Occlusion | null {
  let best: Occlusion | null = null;
  const [low, high] = getHeightRange(tissue);
  for (let level = low; level <= high; level += 4) {
    best = searchFormAt(tissue, { level, left: 0, back: 0 }, best);
  }
  for (let round = 0; best && round < 3; round++) best = refineOcclusion(tissue, best);
  return best && best.fit > minFit ? best : null;
}

/** The lowest accepted fit of an arch. */
const minFit = 0.45;

function getHeightRange({ voxels, count }: HardTissue): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 2; at < count * 4; at += 4) {
    low = Math.min(low, voxels[at]);
    high = Math.max(high, voxels[at]);
  }
  return [low + 4, high - 4];
}

/** The best of a grid of forms over one height, if it is better than the one found before. */
function searchFormAt(tissue: HardTissue, tilt: TiltedPlane, found: Occlusion | null): Occlusion | null {
  const map = createTissueMap(tissue, tilt, crownLayer, 2, 3, minHardness);
  const full = estimateFullMass(map);
  if (full === 0) return found;
  const [width, height] = [map.columns * map.cell, map.rows * map.cell];
  let best = found;
  for (let y = map.y + 14; y < map.y + height - 30; y += 6) {
    for (let x = map.x + 30; x < map.x + width - 30; x += 6) {
      for (const { form, places } of commonForms) {
        const fit = scoreArchFormAt(map, places, x, y, full, best?.fit);
        if (!best || fit > best.fit) best = { tilt, form: { ...form, x, y }, fit };
      }
    }
  }
  return best;
}

const commonForms = [-14, 0, 14].flatMap((turn) =>
  [23, 29].map((half) => {
    const form: ArchForm = { x: 0, y: 0, turn, half, depth: 46, bend: 2.3 };
    return { form, places: sampleArchForm(form, 50, 5) };
  }),
);

/** The mass of a full row of teeth in this map. */
function estimateFullMass({ mass }: TissueMap): number {
  const sorted = mass.filter((value) => value > 0.2).sort();
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}

function refineOcclusion(tissue: HardTissue, { tilt, form }: Occlusion): Occlusion {
  const level = fitPlane(tissue, tilt, form);
  const map = createTissueMap(tissue, level, crownLayer, 1, 2.5, minHardness);
  const full = estimateFullMass(map);
  const better = refineArchForm(map, form, full);
  return { tilt: level, form: better, fit: scoreArchForm(map, better, full) };
}

/** The plane that contains most of the hardest tissue of the arch. */
function fitPlane(tissue: HardTissue, tilt: TiltedPlane, form: ArchForm): TiltedPlane {
  const near = collectHardestNear(tissue, tilt, form);
  const middle = near.reduce(([x, y], [px, py]) => [x + px / near.length, y + py / near.length], [0, 0]);
  const score = ({ level, left, back }: TiltedPlane): number =>
    near.reduce((sum, [x, y, z]) => sum + Math.exp(-(((z - level - left * x - back * y) / spread) ** 2)), 0);
  let best = { ...tilt, most: score(tilt) };
  for (let scale = 1; scale > 0.1; scale /= 2) {
    for (let rounds = 0, better = true; better && rounds < 8; rounds++) {
      better = false;
      for (const [level, left, back] of moves) {
        const tried = tiltAbout(middle, best, scale * level, scale * left, scale * back);
        const most = score(tried);
        if (most <= best.most) continue;
        best = { ...tried, most };
        better = true;
      }
    }
  }
  return { level: best.level, left: best.left, back: best.back };
}

const spread = 7;
const moves = [
  [4, 0, 0],
  [-4, 0, 0],
  [0, 0.1, 0],
  [0, -0.1, 0],
  [0, 0, 0.1],
  [0, 0, -0.1],
] as const;

const steepest = 0.32;

function tiltAbout([x, y]: number[], tilt: TiltedPlane, level: number, left: number, back: number): TiltedPlane {
  const clampSlope = (value: number) => Math.min(steepest, Math.max(-steepest, value));
  const turned = { left: clampSlope(tilt.left + left), back: clampSlope(tilt.back + back) };
  const held = tilt.level + (tilt.left - turned.left) * x + (tilt.back - turned.back) * y;
  return { ...turned, level: held + level };
}

/** Enamel is the hardest tissue in an arch. */
const hardestShare = 0.4;

/** The hardest voxels within reach of the form, thinned out where there are many. */
function collectHardestNear(
  { voxels, count }: HardTissue,
  tilt: TiltedPlane,
  form: ArchForm,
): [number, number, number, number][] {
  const places = sampleArchForm(form, 52, 4);
  const near: [number, number, number, number][] = [];
  for (let at = 0; at < count * 4; at += 4) {
    if (voxels[at + 3] < 1) continue;
    const [x, y, z] = [voxels[at], voxels[at + 1], voxels[at + 2]];
    if (Math.abs(z - tilt.level - tilt.left * x - tilt.back * y) > 20) continue;
    if (places.some((place) => (place.x - x) ** 2 + (place.y - y) ** 2 < 90)) near.push([x, y, z, voxels[at + 3]]);
  }
  const hardest = near.sort((one, other) => other[3] - one[3]).slice(0, Math.ceil(near.length * hardestShare));
  const step = Math.ceil(hardest.length / 2000);
  return hardest.filter((_, at) => at % step === 0);
}

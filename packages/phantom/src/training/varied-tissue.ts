import type { HeadTruth } from "../anatomy/head.ts";
import { sampleSmoothNoise, type Random } from "../math/random.ts";
import { clamp, smoothStep } from "../math/shape-functions.ts";
import { createPanoramaAttenuation, type PanoramaAttenuation } from "../radiograph/panorama-attenuation.ts";
import type { PlacedTooth } from "./place-varied-teeth.ts";

interface TissueVariety {
  /** Strength of the bone's shadow. */
  strength: number;
  /** Attenuation by the soft tissue all over the film. */
  base: number;
  spine: number;
  air: number;
  ghost: number;
  palate: number;
  open: number;
  /** The noise field that bends the anatomy. */
  layer: number;
  bend: number;
  haze: number;
  /** Upright bands of the spine in front: place and half width in mm, attenuation. */
  bands: readonly (readonly [number, number, number])[];
}

/** Everything but the teeth, with the anatomy bent and the ghosts of other parts as they differ between people. */
export function createVariedTissue(
  head: HeadTruth,
  teeth: readonly PlacedTooth[],
  open: number,
  random: Random,
): PanoramaAttenuation {
  const usual = createPanoramaAttenuation(head);
  const variety: TissueVariety = {
    strength: random.between(0.8, 2.6),
    base: random.between(0.02, 0.5),
    spine: random.unit() < 0.75 ? random.between(0.05, 0.55) : random.between(-0.1, 0.08),
    air: random.unit() < 0.6 ? random.between(0.05, 0.3) : 0,
    ghost: random.unit() < 0.85 ? random.between(0.08, 0.6) : 0,
    palate: random.unit() < 0.7 ? random.between(0.05, 0.5) : 0,
    open,
    layer: random.between(0, 1000),
    bend: random.between(1, 6),
    haze: random.between(0, 0.2),
    bands: chooseBands(random),
  };
  const ridge = createRidge(head.scale, teeth, random);
  return (place, z) => {
    const bent = variety.bend * smoothStep(12, 34, Math.abs(z + 4));
    const u = place + bent * sampleSmoothNoise(place / 38, z / 38, variety.layer);
    const lower = smoothStep(3, -7, z);
    const v = z + bent * 0.7 * sampleSmoothNoise(place / 38, z / 38, variety.layer + 40) + variety.open * lower;
    const near = smoothStep(26, 12, Math.abs(v)) * smoothStep(64, 54, Math.abs(u) / head.scale);
    const sunk = smoothStep(-1, -5, v) * ridge.lower(u) - smoothStep(1, 5, v) * ridge.upper(u);
    const level = v + near * sunk;
    return variety.strength * usual(u, level) + getGhosts(variety, place, z);
  };
}

/** Machines that move fast past the neck leave bright and dark bands beside the midline. */
function chooseBands(random: Random): TissueVariety["bands"] {
  if (random.unit() < 0.35) return [];
  const [apart, half] = [random.between(5, 18), random.between(2.5, 9)];
  const level = random.between(0.08, 0.45);
  const dark = -random.between(0, 0.25);
  return [
    [-apart, half, level],
    [apart, half * random.between(0.7, 1.4), level * random.between(0.5, 1.3)],
    [random.between(-4, 4), random.between(2, 8), dark],
  ];
}

/** Shadows of parts out of the layer: spine, air above the tongue, the other side's jaw, the hard palate. */
function getGhosts(
  { base, spine, air, ghost, palate, haze, layer, bands }: TissueVariety,
  place: number,
  z: number,
): number {
  const u = Math.abs(place);
  const wave = 0.8 + 0.2 * Math.sin(z / 3.3 + layer);
  const pillar = spine * smoothStep(20 + (layer % 14), 12, u) * smoothStep(22, -18, z) * wave;
  const tongue = -air * smoothStep(5, 0.5, Math.abs(z - 16 + (u / 32) ** 2 - (layer % 6))) * smoothStep(78, 50, u);
  // The body of the other side's jaw: wide, blurred, with a straight lower edge.
  const edge = -16 - (layer % 15);
  const across = ghost * smoothStep(22, 44, u) * smoothStep(edge - 4, edge + 1, z) * smoothStep(34, 8, z);
  const roof = palate * smoothStep(4.5, 1, Math.abs(z - 22 - (layer % 5) + (u / 45) ** 2 * 4)) * smoothStep(85, 60, u);
  const soft = base * (0.75 + 0.25 * smoothStep(-45, -15, z)) * smoothStep(125, 90, u);
  let upright = 0;
  for (const [middle, half, level] of bands)
    upright += level * smoothStep(half + 2.5, half - 2.5, Math.abs(place - middle)) * smoothStep(45, 10, z);
  return soft + pillar + upright + tongue + across + roof + haze * sampleSmoothNoise(place / 45, z / 45, layer + 7);
}

/** Height in mm by which the ridge has sunk at each place: much where teeth are missing for long. */
function createRidge(scale: number, teeth: readonly PlacedTooth[], random: Random) {
  const general = random.between(0, 3.5);
  const loss = random.between(1, 9);
  const build = (jaw: "upper" | "lower") => {
    const values = Float32Array.from({ length: 141 }, (_, at) => {
      const place = (at - 70) * scale;
      const nearest = Math.min(
        30,
        ...teeth
          .filter((tooth) => tooth.jaw === jaw && !tooth.isUnerupted && tooth.condition !== "pontic")
          .map((tooth) => Math.max(0, Math.abs(tooth.place - place) - tooth.shape.width / 2)),
      );
      return general + loss * smoothStep(1, 7, nearest);
    });
    return (u: number): number => {
      const at = clamp(u / scale + 70, 0, 139);
      const low = Math.floor(at);
      return values[low] + (values[low + 1] - values[low]) * (at - low);
    };
  };
  return { upper: build("upper"), lower: build("lower") };
}

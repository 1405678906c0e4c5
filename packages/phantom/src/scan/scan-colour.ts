import type { Point } from "@arcada/imaging/mesh/mesh";
import type { HeadTooth } from "../anatomy/head.ts";
import { sampleSmoothNoise } from "../math/random.ts";
import { mix, smoothStep } from "../math/shape-functions.ts";
import { getToothMaterial } from "../anatomy/tooth-material.ts";
import { getOcclusalHeight } from "../anatomy/tooth-shape.ts";

type Colour = readonly [red: number, green: number, blue: number];

const gumPale: Colour = [226, 152, 146];
const gumDeep: Colour = [189, 92, 94];
const enamel: Colour = [233, 222, 198];
const neckTint: Colour = [216, 190, 146];
const edgeTint: Colour = [222, 221, 216];
const metal: Colour = [150, 152, 158];
const ceramic: Colour = [240, 233, 216];
const filling: Colour = [118, 118, 124];

/**
 * sRGB of a scanned point.
 * @param share how much of it is tooth, 0…1
 * @param above mm over the necks of the teeth
 */
export function computeScanColour(place: Point, tooth: HeadTooth | null, share: number, above: number): number[] {
  const gum = blend(
    gumDeep,
    gumPale,
    smoothStep(-6, 1.5, above + 1.2 * sampleSmoothNoise(place[0] / 3, place[1] / 3, place[2] / 3)),
  );
  const grain = 1 + 0.035 * sampleSmoothNoise(place[0] * 1.3, place[1] * 1.3, place[2] * 1.3);
  const colour = tooth ? blend(gum, computeToothColour(place, tooth), share) : gum;
  return colour.map((value) => Math.max(0, Math.min(255, Math.round(value * grain))));
}

function computeToothColour(place: Point, { neck, axes, shape, state }: HeadTooth): Colour {
  const offset = place.map((value, axis) => value - neck[axis]);
  const [m, b, h] = [axes.mesial, axes.buccal, axes.crown].map((axis) =>
    offset.reduce((sum, value, i) => sum + value * axis[i], 0),
  );
  if (state === "implant") return ceramic;
  const material = getToothMaterial(shape, state, -0.3, m, b, h - 0.3);
  if (material === "metal") return metal;
  if (material === "filling") return filling;
  const t = h / shape.crown;
  const base = blend(blend(neckTint, enamel, smoothStep(0, 0.45, t)), edgeTint, 0.7 * smoothStep(0.82, 1, t));
  // Fissures gather stain and shadow.
  const deep =
    shape.form === "molar" || shape.form === "premolar"
      ? smoothStep(1, 2.6, shape.crown - getOcclusalHeight(shape, m, b)) * smoothStep(0.45, 0.65, t)
      : 0;
  return blend(base, [176, 146, 112], 0.4 * deep);
}

const blend = (a: Colour, b: Colour, t: number): Colour => [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];

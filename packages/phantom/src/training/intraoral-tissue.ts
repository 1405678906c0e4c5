import type { JawName } from "../anatomy/arch-curve.ts";
import { sampleSmoothNoise, sampleTrabecularNoise, type Random } from "../math/random.ts";
import { clamp, smoothStep } from "../math/shape-functions.ts";
import { projectPoint, type IntraoralView } from "./intraoral-view.ts";
import type { PlacedTooth } from "./place-varied-teeth.ts";

/** Attenuation by bone and soft tissue at a point of the detector, mm. */
export type IntraoralTissue = (x: number, y: number) => number;

interface BoneVariety {
  strength: number;
  trabeculae: number;
  mesh: number;
  /** Distance of the bone's edge from the necks: 1 to 2 mm, more after periodontitis. */
  level: number;
  uneven: number;
  rim: number;
  gum: number;
  layer: number;
}

/** Spongy bone up to a crest that follows the necks, gum above it, and the landmarks of the region. */
export function createIntraoralTissue(
  view: IntraoralView,
  teeth: readonly PlacedTooth[],
  random: Random,
): IntraoralTissue {
  const [base, slope, lean] = [random.between(0.02, 0.22), 0.004 * random.normal(), 0.004 * random.normal()];
  const cheek = random.between(0, 0.12);
  const layer = random.between(0, 500);
  const jaws = (["upper", "lower"] as const).map((jaw) => createJawBone(jaw, view, teeth, random));
  return (x, y) => {
    let sum = Math.max(0, base + slope * x + lean * y) + cheek * (0.5 + 0.5 * sampleSmoothNoise(x / 22, y / 22, layer));
    for (const bone of jaws) sum += bone(x, y);
    return sum;
  };
}

function createJawBone(
  jaw: JawName,
  view: IntraoralView,
  teeth: readonly PlacedTooth[],
  random: Random,
): IntraoralTissue {
  const up = jaw === "lower" ? 1 : -1;
  const isDiseased = random.unit() < 0.3;
  const variety: BoneVariety = {
    strength: random.between(0.1, 0.32),
    trabeculae: random.between(0.012, 0.055),
    mesh: random.between(0.4, 1),
    level: isDiseased ? random.between(2, 6) : random.between(0.6, 1.8),
    uneven: isDiseased ? random.between(0.5, 3) : random.between(0, 0.6),
    rim: random.between(0, 0.1),
    gum: random.between(0.01, 0.1),
    layer: random.between(0, 500),
  };
  const crest = createCrest(jaw, view, teeth, random);
  const landmarks = jaw === "upper" ? createUpperLandmarks(view, random) : createLowerLandmarks(view, random);
  return (x, y) => {
    const loss = variety.level + variety.uneven * sampleSmoothNoise(x / 7, 0, variety.layer);
    const under = up * (crest(x) - y) - loss;
    const soft = variety.gum * smoothStep(-loss - 3, -loss - 1, under);
    if (under < -0.6) return soft;
    const spongy = variety.strength * (0.8 + 0.35 * smoothStep(0, 12, under));
    const bone = Math.max(0, spongy + variety.trabeculae * getTrabeculae(x, y, variety));
    const rim = variety.rim * clamp(1 - Math.abs(under - 0.5) / 0.7, 0, 1);
    return (
      soft +
      rim +
      Math.max(0, smoothStep(-0.4, 0.5, under) * bone * landmarks.share(x, under) + landmarks.add(x, under))
    );
  };
}

const getTrabeculae = (x: number, y: number, { mesh, layer }: BoneVariety): number =>
  sampleTrabecularNoise(x / mesh, y / (mesh * 1.15), layer) +
  0.4 * sampleTrabecularNoise(x / (mesh * 0.5), y / (mesh * 0.5), layer + 5) +
  0.6 * sampleTrabecularNoise(x / 3.2, y / 3.2, layer + 8);

/** The height of the necks along the film; it sinks where teeth are missing. */
function createCrest(
  jaw: JawName,
  view: IntraoralView,
  teeth: readonly PlacedTooth[],
  random: Random,
): (x: number) => number {
  const up = jaw === "lower" ? 1 : -1;
  const sunk = random.between(0, 5);
  const own = teeth.filter((tooth) => tooth.jaw === jaw);
  const standing = own.filter((tooth) => !tooth.isUnerupted && tooth.condition !== "pontic");
  const necks = (standing.length > 0 ? standing : own).map((tooth) => ({
    ...projectPoint(view, tooth.neck),
    half: tooth.shape.width / 2,
  }));
  const fallback = up * -9;
  const heights = Float32Array.from({ length: 161 }, (_, at) => {
    const x = at - 80;
    let [weight, sum, nearest] = [1e-9, 1e-9 * fallback, 30];
    for (const neck of necks) {
      const share = Math.exp(-(((neck.x - x) / 5) ** 2)) + 1e-6;
      weight += share;
      sum += share * neck.y;
      nearest = Math.min(nearest, Math.max(0, Math.abs(neck.x - x) - neck.half));
    }
    return sum / weight - up * sunk * smoothStep(1.5, 6, nearest);
  });
  return (x) => {
    const at = clamp(x + 80, 0, 159.99);
    const low = Math.floor(at);
    return heights[low] + (heights[low + 1] - heights[low]) * (at - low);
  };
}

/** The share of the bone that is left at a place, and what is drawn on top of it. */
interface JawLandmarks {
  share: (x: number, under: number) => number;
  add: (x: number, under: number) => number;
}

/** The sinus and the cheekbone over back teeth; nose, suture and foramen over front teeth. */
function createUpperLandmarks(view: IntraoralView, random: Random): JawLandmarks {
  const side = Math.sign(view.place) || 1;
  const [floor, wave, phase] = [random.between(5, 15), random.between(0.4, 2.5), random.between(0, 9)];
  const [front, air, line] = [random.between(14, 24), random.between(0.35, 0.95), random.between(0.03, 0.14)];
  const cheekbone = random.unit() < 0.6 ? random.between(0.08, 0.45) : 0;
  const [zx, zy] = [random.between(27, 38), random.between(11, 20)];
  const [suture, nose] = [random.unit() < 0.6 ? 0.5 : 0, random.between(11, 19)];
  const foramen = random.unit() < 0.5 ? random.between(0.2, 0.6) : 0;
  const sinusAt = (place: number): number =>
    floor + wave * Math.sin(place / 3.4 + phase) + 9 * smoothStep(front + 4, front - 2, place);
  return {
    share: (x, under) => {
      const place = (view.place + x) * side;
      const sinus = smoothStep(front - 4, front, place) * smoothStep(0, 0.8, under - sinusAt(place)) * air;
      const cavity =
        air *
        smoothStep(0, 1, under - nose - 0.08 * (Math.abs(place) - 5) ** 2) *
        smoothStep(0.4, 1.2, Math.abs(place));
      const slit = suture * Math.exp(-((place / 0.35) ** 2)) * smoothStep(1, 3, under);
      const hole = foramen * Math.exp(-((place / 1.6) ** 2) - ((under - 7) / 2.6) ** 2);
      return (1 - sinus) * (1 - cavity * smoothStep(12, 8, Math.abs(place))) * (1 - slit) * (1 - hole);
    },
    add: (x, under) => {
      const place = (view.place + x) * side;
      const rim = line * smoothStep(front - 4, front, place) * clamp(1 - Math.abs(under - sinusAt(place)) / 0.5, 0, 1);
      const bow = under - zy + 0.09 * (place - zx) ** 2;
      return rim + cheekbone * smoothStep(0, 2.5, bow) * smoothStep(12, 7, Math.abs(place - zx));
    },
  };
}

/** The canal, the mental foramen, the oblique ridge and the lower edge of the jaw. */
function createLowerLandmarks(view: IntraoralView, random: Random): JawLandmarks {
  const side = Math.sign(view.place) || 1;
  const [depth, width, dark] = [random.between(12, 19), random.between(1, 1.7), random.between(0.1, 0.55)];
  const foramen = random.unit() < 0.5 ? random.between(0.2, 0.6) : 0;
  const [fx, fy] = [random.between(19, 27), random.between(11, 16)];
  const ridge = random.unit() < 0.6 ? random.between(0.05, 0.25) : 0;
  const [rx, slope] = [random.between(30, 44), random.between(0.4, 0.9)];
  const chin = random.unit() < 0.6 ? random.between(0.04, 0.2) : 0;
  const edge = random.between(20, 34);
  const canal = (place: number): number => depth - 0.012 * (place - 22) ** 2;
  return {
    share: (x, under) => {
      const place = (view.place + x) * side;
      const inCanal = dark * smoothStep(18, 24, place) * smoothStep(width, width * 0.6, Math.abs(under - canal(place)));
      const hole = foramen * smoothStep(1, 0.6, Math.hypot((place - fx) / 1.7, (under - fy) / 1.4));
      return (1 - inCanal) * (1 - hole) * smoothStep(edge, edge - 0.8, under);
    },
    add: (x, under) => {
      const place = (view.place + x) * side;
      const walls =
        0.05 * smoothStep(18, 24, place) * clamp(1 - Math.abs(Math.abs(under - canal(place)) - width) / 0.35, 0, 1);
      const oblique =
        ridge * smoothStep(1.6, 0, Math.abs(under - 2 - slope * (rx - place))) * smoothStep(18, 26, place);
      const bow =
        chin * smoothStep(2, 0, Math.abs(under - 13 - 0.06 * place ** 2)) * smoothStep(16, 10, Math.abs(place));
      const cortex = 0.25 * smoothStep(edge - 3, edge - 1.5, under) * smoothStep(edge, edge - 0.5, under);
      return walls + oblique + bow + cortex;
    },
  };
}

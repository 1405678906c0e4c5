import { distanceToTooth } from "../anatomy/tooth-shape.ts";
import { sampleSmoothNoise, type Random } from "../math/random.ts";
import { smoothStep } from "../math/shape-functions.ts";
import { addPatch, type Plate } from "../radiograph/plate.ts";
import type { ToothSight } from "./draw-varied-tooth.ts";
import type { PlacedTooth } from "./place-varied-teeth.ts";

const step = 0.2;

/** Fillings, a post and calculus of one tooth, drawn on the film rather than in the tooth: their edges are sharp. */
export function addToothDetails(plate: Plate, tooth: PlacedTooth, sight: ToothSight, random: Random): void {
  const { condition } = tooth;
  const isFilled = condition === "filled" || (condition === "rootFilled" && random.unit() < 0.7);
  if (isFilled)
    for (let left = 1 + Math.floor(random.between(0, 2.4)); left > 0; left--) addFilling(plate, tooth, sight, random);
  const takesPost = condition === "rootFilled" || condition === "metalCrown" || condition === "ceramicCrown";
  if (takesPost && random.unit() < 0.35) addPost(plate, tooth, sight, random);
  if (condition === "sound" && !tooth.isUnerupted && random.unit() < 0.08) addCalculus(plate, tooth, sight, random);
}

/** The point of the detector on which a point of the tooth is drawn; m along the arch, h to the crown, mm. */
const place = ({ across, upward, at }: ToothSight, m: number, h: number): [number, number] => [
  at[0] + m * across[0] + h * across[2],
  at[1] + m * upward[0] + h * upward[2],
];

/** Amalgam is as dense as metal, composite a little denser than enamel; the outline is uneven. */
function addFilling(plate: Plate, { shape }: PlacedTooth, sight: ToothSight, random: Random): void {
  const isMetal = random.unit() < 0.5;
  const strength = isMetal ? random.between(0.7, 2) : random.between(0.12, 0.6);
  const isFront = shape.form === "incisor" || shape.form === "canine";
  const h = shape.crown * (isFront ? random.between(0.2, 0.85) : random.between(0.35, 0.85));
  const [x, y] = place(sight, shape.width * random.between(-0.38, 0.38), h);
  const [wide, high] = [shape.width * random.between(0.1, 0.34), shape.crown * random.between(0.1, 0.3)];
  const [layer, rough] = [random.between(0, 900), random.between(0.1, 0.6)];
  const reach = Math.max(wide, high) * 1.7;
  const isInCrown = (px: number, py: number): boolean => {
    const m = (px - sight.at[0]) / sight.across[0];
    return distanceToTooth(shape, m, 0, (py - sight.at[1] - m * sight.upward[0]) / sight.upward[2]) < 0.1;
  };
  addPatch(plate, { left: x - reach, right: x + reach, bottom: y - reach, top: y + reach }, step, (px, py) => {
    if (!isInCrown(px, py)) return 0;
    const [u, v] = [(px - x) / wide, (py - y) / high];
    const power = (Math.abs(u) ** 2.6 + Math.abs(v) ** 2.6) ** (1 / 2.6);
    return strength * smoothStep(1.08, 0.95, power + rough * sampleSmoothNoise(px / 1.1, py / 1.1, layer));
  });
}

function addPost(plate: Plate, { shape }: PlacedTooth, sight: ToothSight, random: Random): void {
  const root = random.pick(shape.roots);
  const [top, bottom] = [shape.crown * random.between(0.2, 0.5), -root.length * random.between(0.4, 0.75)];
  const half = random.between(0.45, 0.9);
  const strength = random.between(0.4, 1.2);
  const [x0, y0] = place(sight, root.from[0], top);
  const [x1, y1] = place(sight, root.from[0] + (root.to[0] - root.from[0]) * 0.5, bottom);
  const square = (x1 - x0) ** 2 + (y1 - y0) ** 2 + 1e-6;
  const box = {
    left: Math.min(x0, x1) - 1.5,
    right: Math.max(x0, x1) + 1.5,
    bottom: Math.min(y0, y1) - 1.5,
    top: Math.max(y0, y1) + 1.5,
  };
  addPatch(plate, box, step, (x, y) => {
    const t = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / square;
    if (t < 0 || t > 1) return 0;
    const off = Math.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0));
    return strength * smoothStep(half * (1.1 - 0.4 * t), half * (0.8 - 0.4 * t), off);
  });
}

/** A spur at the neck, between the teeth. */
function addCalculus(plate: Plate, { shape }: PlacedTooth, sight: ToothSight, random: Random): void {
  const side = random.unit() < 0.5 ? -1 : 1;
  const [x, y] = place(sight, side * shape.width * 0.42, random.between(-1.5, 0.5));
  const [size, strength] = [random.between(0.5, 1.3), random.between(0.1, 0.4)];
  addPatch(
    plate,
    { left: x - size, right: x + size, bottom: y - size, top: y + size },
    step,
    (px, py) => strength * smoothStep(1, 0.5, Math.hypot((px - x) / size, (py - y) / (size * 0.6))),
  );
}

/** The block or tab that the patient bites on, or the metal arm of a holder; at the height of the occlusal plane. */
export function addBiteBlock(plate: Plate, height: number, random: Random): void {
  if (random.unit() < 0.45) return;
  const isArm = random.unit() < 0.15;
  const [wide, high] = isArm ? [random.between(0.6, 1.5), 30] : [random.between(7, 40), random.between(1, 9)];
  const strength = isArm ? random.between(0.5, 1.5) : random.between(0.04, 0.3);
  const [x, y] = [8 * random.normal(), height + random.normal()];
  const box = { left: x - wide / 2 - 1, right: x + wide / 2 + 1, bottom: y - high / 2 - 1, top: y + high / 2 + 1 };
  addPatch(plate, box, step, (px, py) => {
    const inside =
      smoothStep(wide / 2, wide / 2 - 0.6, Math.abs(px - x)) * smoothStep(high / 2, high / 2 - 0.5, Math.abs(py - y));
    return strength * inside * (1 - 0.25 * Math.abs((py - y) / high));
  });
}

import { sampleArchForm, type ArchForm, type ArchFormPoint } from "./arch-form.ts";
import { sampleMass, type TissueMap } from "./tissue-map.ts";

/** The offset of the middle of the teeth from the form, and the amount of teeth found there. */
interface ToothRidge {
  places: readonly ArchFormPoint[];
  /** mm outwards. */
  offsets: Float64Array;
  /** 0 to 1. */
  found: Float64Array;
}

const ridgeStep = 1.5;
const reach = 61.5;
const widest = 9;
export const sideStep = 0.5;

/**
 * The middle line of the teeth over a map, from right to left: the path along the form with the most tissue that does
 * not jump, smoothed, with gaps bridged from their neighbourhood. It ends with the teeth.
 */
export function traceToothLine(map: TissueMap, form: ArchForm): { x: number; y: number }[] | null {
  const ridge = traceRidge(map, sampleArchForm(form, reach, ridgeStep));
  const [from, to] = findEnds(ridge);
  if (computeFoundShare(ridge.found, from, to) < minFoundShare) return null;
  const offsets = smoothOffsets(ridge);
  return ridge.places.slice(from, to + 1).map(({ x, y, out }, at) => {
    const offset = offsets[from + at];
    return { x: x + offset * out[0], y: y + offset * out[1] };
  });
}

/** Less of an arch with teeth or bone in it is none. */
const minFoundShare = 0.45;

function traceRidge(map: TissueMap, places: readonly ArchFormPoint[]): ToothRidge {
  const masses = sampleMassesAcross(map, places, widest);
  const full = estimateFullMass(masses);
  const chosen = findBestPath(masses, full);
  return {
    places,
    offsets: Float64Array.from(chosen, (choice) => choice * sideStep - widest),
    found: Float64Array.from(chosen, (choice, at) => Math.min(1, masses[at][choice] / full)),
  };
}

/** The masses at each place from `reach` mm inwards to as much outwards, every `grain` mm. */
export const sampleMassesAcross = (map: TissueMap, places: readonly ArchFormPoint[], reach: number): Float64Array[] =>
  places.map(({ x, y, out }) =>
    Float64Array.from({ length: (2 * reach) / sideStep + 1 }, (_, choice) => {
      const offset = choice * sideStep - reach;
      return sampleMass(map, x + offset * out[0], y + offset * out[1]);
    }),
  );

/** Returns the mass over the middle of most teeth. */
function estimateFullMass(masses: readonly Float64Array[]): number {
  const most = Float64Array.from(masses, (row) => Math.max(...row)).sort();
  return most[Math.floor(most.length * 0.6)] || 1;
}

const jumpPenalty = 0.35;

/**
 * The choice at each place that collects the most, each step sideways having its price (dynamic programming).
 * @param start the choice at the first place; any where it is left out
 */
export function findBestPath(masses: readonly Float64Array[], full: number, start?: number): Uint8Array {
  const choices = masses[0].length;
  const back = masses.map(() => new Uint8Array(choices));
  let best = Float64Array.from(masses[0], (mass, choice) =>
    start === undefined || choice === start ? computeGain(mass, full) : -Infinity,
  );
  for (let at = 1; at < masses.length; at++) {
    const next = new Float64Array(choices).fill(-Infinity);
    for (let choice = 0; choice < choices; choice++) {
      for (let from = Math.max(0, choice - 3); from <= Math.min(choices - 1, choice + 3); from++) {
        const sum = best[from] - jumpPenalty * ((choice - from) * sideStep) ** 2;
        if (sum <= next[choice]) continue;
        next[choice] = sum;
        back[at][choice] = from;
      }
      next[choice] += computeGain(masses[at][choice], full);
    }
    best = next;
  }
  const path = new Uint8Array(masses.length);
  path[path.length - 1] = best.indexOf(Math.max(...best));
  for (let at = path.length - 1; at > 0; at--) path[at - 1] = back[at][path[at]];
  return path;
}

// Metal must not pull the line towards itself.
const computeGain = (mass: number, full: number): number => Math.min(1.4, mass / full);

/** An arch is shown for 48 mm to each side at least, and further as long as there are teeth. */
function findEnds({ found }: ToothRidge): [number, number] {
  const middle = (found.length - 1) / 2;
  const end = (side: number): number => {
    let last = Math.round(48 / ridgeStep);
    for (let at = last; at < middle; at++) if (found[middle + side * at] > 0.35) last = at;
    return middle + side * last;
  };
  return [end(-1), end(1)];
}

const computeFoundShare = (found: Float64Array, from: number, to: number): number =>
  found.subarray(from, to + 1).filter((value) => value > 0.3).length / (to + 1 - from);

const stiffness = 60;

/** Smooths the offsets: near those found, closer where more tissue was found, with little bending. */
function smoothOffsets({ offsets, found }: ToothRidge): Float64Array {
  const weights = found.map((value) => 0.02 + value * value);
  const out = offsets.slice();
  // Each value is settled in turn (Gauss-Seidel) on weight · (o − found)² + stiffness · Σ (second difference)².
  for (let run = 0; run < 400; run++) {
    for (let at = 0; at < out.length; at++) {
      let [pull, hold] = [weights[at] * offsets[at], weights[at]];
      for (const middle of [at - 1, at, at + 1]) {
        if (middle < 1 || middle > out.length - 2) continue;
        const own = middle === at ? -2 : 1;
        const rest = out[middle - 1] - 2 * out[middle] + out[middle + 1] - own * out[at];
        pull -= stiffness * own * rest;
        hold += stiffness * own * own;
      }
      out[at] = pull / hold;
    }
  }
  return out;
}

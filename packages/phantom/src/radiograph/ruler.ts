import type { Random } from "../math/random.ts";
import { smoothStep } from "../math/shape-functions.ts";

/** The form of a drawn ruler. Lengths in mm as the ruler itself counts them. */
export interface RulerForm {
  /** Bright lines, balls, dark holes in a bright bar, or lines that software wrote over the finished image. */
  kind: "lines" | "balls" | "holes" | "overlay";
  every: number;
  /** The hierarchy of longer marks: every so many marks, the finer ones first. */
  longer: readonly number[];
  marks: number;
  /** The length of a short mark; the diameter of a ball or hole. */
  size: number;
  /** Along the ruler. */
  thick: number;
  hasBar: boolean;
  hasNumbers: boolean;
  /** Its attenuation; for an overlay, the share of the grey range. */
  dense: number;
}

type RulerKind = readonly [
  kind: RulerForm["kind"],
  every: number,
  longer: readonly number[],
  least: number,
  most: number,
];

/** Typical rulers: kind, distance of the marks, hierarchy, smallest and greatest length in mm. */
const rulerKinds: readonly RulerKind[] = [
  ["lines", 1, [5, 10], 40, 150],
  ["lines", 1, [10], 45, 120],
  ["lines", 1, [5], 40, 100],
  ["lines", 5, [2], 50, 150],
  ["lines", 5, [], 50, 120],
  ["lines", 10, [], 70, 150],
  ["lines", 10, [5], 60, 150],
  ["lines", 2, [5], 50, 100],
  ["balls", 5, [], 45, 120],
  ["balls", 10, [], 70, 150],
  ["balls", 5, [2], 50, 100],
  ["holes", 5, [], 45, 110],
  ["holes", 10, [], 70, 150],
  ["overlay", 10, [], 80, 180],
  ["overlay", 1, [5, 10], 60, 200],
  ["overlay", 5, [2], 80, 200],
];

export function createRulerForm(random: Random): RulerForm {
  const [kind, every, longer, least, most] = random.pick(rulerKinds);
  const isRound = kind === "balls" || kind === "holes";
  return {
    kind,
    every,
    longer,
    marks: Math.floor(random.between(least, most) / every) + 1,
    size: isRound ? random.between(1, 2.2) : random.between(2, 4.5),
    thick: every === 1 ? random.between(0.2, 0.45) : random.between(0.25, 0.9),
    hasBar: kind === "holes" || (kind === "lines" && random.unit() < 0.5),
    hasNumbers: random.unit() < 0.4,
    dense: kind === "overlay" ? 1 : random.between(0.12, 0.9),
  };
}

export const getRulerLength = ({ every, marks }: RulerForm): number => every * (marks - 1);

/**
 * Returns the attenuation by a ruler at a position: `along` it from its first mark, `across` from the base of its
 * marks, in the ruler's own mm.
 */
export function getRulerAttenuation(form: RulerForm, along: number, across: number): number {
  const length = getRulerLength(form);
  if (along < -form.every || along > length + form.every) return 0;
  const mark = getMarkAttenuation(form, along, across);
  const bar = form.hasBar ? 0.35 * getBarAttenuation(form, along, across, length) : 0;
  if (form.kind === "holes") return form.dense * Math.max(0, 2 * bar - mark);
  return form.dense * Math.max(bar, mark, form.hasNumbers ? 0.8 * getNumberAttenuation(form, along, across) : 0);
}

const getBarAttenuation = ({ kind, size }: RulerForm, along: number, across: number, length: number): number => {
  const [from, to] = kind === "holes" ? [-1.6 * size, 1.6 * size] : [-2.2, 0];
  return (
    smoothStep(from - 0.1, from + 0.1, across) *
    smoothStep(to + 0.1, to - 0.1, across) *
    smoothStep(-3, -2.6, along) *
    smoothStep(length + 3, length + 2.6, along)
  );
};

function getMarkAttenuation(
  { kind, every, longer, marks, size, thick }: RulerForm,
  along: number,
  across: number,
): number {
  const index = Math.round(along / every);
  if (index < 0 || index >= marks) return 0;
  const off = Math.abs(along - index * every);
  const rank = longer.filter((count) => index % count === 0).length;
  if (kind === "balls" || kind === "holes") {
    const radius = (size * (1 + 0.45 * rank)) / 2;
    const far = Math.hypot(off, across);
    return far >= radius ? 0 : kind === "holes" ? 1 : Math.sqrt(1 - (far / radius) ** 2);
  }
  const soft = 0.1;
  return (
    smoothStep(thick / 2 + soft, thick / 2 - soft, off) *
    smoothStep(-soft, soft, across) *
    smoothStep(size * (1 + 0.55 * rank) + soft, size * (1 + 0.55 * rank) - soft, across)
  );
}

/** Draws blots of the size of a digit beyond the mark of each tenth millimetre. */
function getNumberAttenuation({ every, size }: RulerForm, along: number, across: number): number {
  const tens = Math.round(along / 10) * 10;
  const [u, v] = [along - tens, across - size * 2.6 - (every === 10 ? 1 : 0)];
  if (Math.abs(u) > 1.2 || v < 0 || v > 3) return 0;
  const wave = Math.sin(3.1 * v + tens) + Math.cos(4.3 * u - tens);
  return wave > 0.5 ? 1 : 0;
}

import type { JawName } from "../anatomy/arch-curve.ts";
import type { Random } from "../math/random.ts";

/** The treatment of a tooth, or the rest that is left of it. */
export type ToothCondition =
  | "sound"
  | "filled"
  | "rootFilled"
  | "metalCrown"
  | "ceramicCrown"
  | "implant"
  | "pontic"
  | "rootRemains";

/** One tooth of a varied mouth, before it is placed. */
export interface PlannedTooth {
  /** FDI number, 11 to 48 and 51 to 85. */
  fdi: number;
  jaw: JawName;
  /** From the midline, 1 to 8. */
  place: number;
  isDeciduous: boolean;
  condition: ToothCondition;
  /** Depth below its place in the row, mm: 0 for a tooth that has erupted. */
  depth: number;
  /** Share of the root that has grown, or is not yet resorbed. */
  rootShare: number;
  /** Leans to the midline by so many degrees more than usual. */
  lean: number;
}

/** A mouth: its teeth, and whether brackets are bonded to them. */
export interface VariedDentition {
  /** Years; decides what has erupted. */
  age: number;
  teeth: PlannedTooth[];
  hasBrackets: boolean;
}

const quadrants = [1, 2, 3, 4] as const;
const jawOf = (quadrant: number): JawName => (quadrant < 3 ? "upper" : "lower");

/** A child with a mixed dentition, an adult with most teeth, or an old mouth with few. */
export function chooseDentition(random: Random): VariedDentition {
  const kind = random.unit();
  if (kind < 0.16) return chooseMixedDentition(random);
  return chooseAdultDentition(kind, random);
}

// Years at which the teeth erupt and the deciduous ones fall out, first to eighth from the midline.
const erupts: Record<JawName, readonly number[]> = {
  upper: [7.2, 8.2, 11.2, 10.3, 11, 6.3, 12.3, 19],
  lower: [6.3, 7.4, 10.2, 10.6, 11.4, 6.1, 11.8, 19],
};

function chooseMixedDentition(random: Random): VariedDentition {
  const age = random.between(5.8, 14);
  const teeth = quadrants.flatMap((quadrant) => {
    const jaw = jawOf(quadrant);
    return erupts[jaw].flatMap((usual, at) => {
      const place = at + 1;
      const when = usual + 0.7 * random.normal();
      return [
        ...growSuccessor(quadrant, place, age - when, random),
        ...keepDeciduous(quadrant, place, when - age, random),
      ];
    });
  });
  return { age, teeth, hasBrackets: age > 10.5 && random.unit() < 0.2 };
}

/** `since`: years since it came through; negative before. */
function growSuccessor(quadrant: number, place: number, since: number, random: Random): PlannedTooth[] {
  // The crown is calcified enough to be seen about five years before it erupts, a wisdom tooth's nine.
  if (since < (place === 8 ? -9.5 : -5.5) || random.unit() < (place === 8 ? 0.2 : 0.015)) return [];
  const waiting = Math.max(0, -since);
  const depth = place === 8 ? Math.min(9, waiting) : Math.min(place > 5 ? 10 : 15, waiting * 4.5);
  return [
    {
      ...blankTooth(quadrant, place),
      depth,
      rootShare: Math.min(1, Math.max(0.06, 0.68 + since * 0.16)),
      lean: depth > 0 ? 9 * random.normal() + (place === 8 ? random.between(5, 50) : 0) : 3 * random.normal(),
      condition: depth === 0 && place === 6 && random.unit() < 0.2 ? "filled" : "sound",
    },
  ];
}

/** `left`: years until its successor comes through. */
function keepDeciduous(quadrant: number, place: number, left: number, random: Random): PlannedTooth[] {
  if (place > 5 || left < 0 || random.unit() < 0.06) return [];
  const blank = blankTooth(quadrant, place);
  return [
    {
      ...blank,
      fdi: (quadrant + 4) * 10 + place,
      isDeciduous: true,
      rootShare: Math.min(1, 0.15 + left * 0.25),
      condition: place > 3 && random.unit() < 0.25 ? "filled" : random.unit() < 0.03 ? "metalCrown" : "sound",
      lean: 4 * random.normal(),
    },
  ];
}

const blankTooth = (quadrant: number, place: number): PlannedTooth => ({
  fdi: quadrant * 10 + place,
  jaw: jawOf(quadrant),
  place,
  isDeciduous: false,
  condition: "sound",
  depth: 0,
  rootShare: 1,
  lean: 0,
});

function chooseAdultDentition(kind: number, random: Random): VariedDentition {
  // Share of teeth lost: none to a few in most mouths, many in some.
  const lost = kind > 0.8 ? random.between(0.2, 0.75) : random.unit() < 0.35 ? 0.015 : random.between(0.03, 0.25);
  const treated = random.unit() < 0.3 ? 0.05 : random.between(0.1, 0.55);
  const extracted = chooseExtractions(random);
  const teeth = quadrants.flatMap((quadrant) => {
    const kept = Array.from({ length: 8 }, (_, at) => at + 1).filter(
      (place) =>
        place === 8 || (random.unit() > lost * lossRisk[place - 1] && !extracted.includes(quadrant * 10 + place)),
    );
    return kept.flatMap((place) =>
      place === 8 ? chooseWisdomTooth(quadrant, lost, random) : [chooseAdultTooth(quadrant, place, treated, random)],
    );
  });
  const remains = restoreGaps(teeth, lost, random);
  const isYoung = lost < 0.05 && treated < 0.15;
  return { age: isYoung ? 20 : 45, teeth: remains, hasBrackets: isYoung && random.unit() < 0.15 };
}

/** Premolars that were taken out to make room: of both jaws, or of the upper one. */
function chooseExtractions(random: Random): number[] {
  const kind = random.unit();
  if (kind > 0.1) return [];
  const place = random.unit() < 0.8 ? 4 : 5;
  return (kind < 0.06 ? quadrants : quadrants.slice(0, 2)).map((quadrant) => quadrant * 10 + place);
}

const lossRisk = [0.6, 0.7, 0.4, 1, 1.1, 1.7, 1.5];

function chooseAdultTooth(quadrant: number, place: number, treated: number, random: Random): PlannedTooth {
  const isTreated = random.unit() < treated * (place > 3 ? 1.3 : 0.6);
  const blank = { ...blankTooth(quadrant, place), lean: 4 * random.normal() };
  if (place === 3 && random.unit() < 0.012)
    return { ...blank, depth: random.between(8, 14), lean: random.between(25, 70) };
  if (!isTreated) return blank;
  const pick = random.unit();
  const condition: ToothCondition =
    pick < 0.5
      ? "filled"
      : pick < 0.68
        ? "rootFilled"
        : pick < 0.82
          ? "metalCrown"
          : pick < 0.94
            ? "ceramicCrown"
            : "rootRemains";
  return { ...blank, condition };
}

function chooseWisdomTooth(quadrant: number, lost: number, random: Random): PlannedTooth[] {
  if (random.unit() < 0.45 + lost * 0.5) return [];
  const blank = blankTooth(quadrant, 8);
  const kind = random.unit();
  if (kind < 0.45) return [{ ...blank, lean: 8 * random.normal(), depth: random.between(0, 1.5) }];
  // Impacted: tipped over the second molar in the lower jaw, backwards or high up in the upper one.
  const lean = quadrant > 2 ? random.between(10, 95) : random.between(-40, 15);
  return [
    {
      ...blank,
      lean,
      depth: random.between(2, quadrant > 2 ? 8 : 7),
      rootShare: random.unit() < 0.35 ? random.between(0.1, 0.8) : 1,
    },
  ];
}

/** Puts implants and the units of bridges into some of the gaps. */
function restoreGaps(teeth: PlannedTooth[], lost: number, random: Random): PlannedTooth[] {
  const known = new Set(teeth.map(({ fdi }) => fdi));
  const chance = lost < 0.02 ? 0 : random.between(0, 0.6);
  const added = quadrants.flatMap((quadrant) =>
    Array.from({ length: 7 }, (_, at) => at + 1)
      .filter((place) => !known.has(quadrant * 10 + place) && random.unit() < chance)
      .map((place): PlannedTooth => {
        const between = known.has(quadrant * 10 + place - 1) && known.has(quadrant * 10 + place + 1);
        const condition: ToothCondition = between && random.unit() < 0.5 ? "pontic" : "implant";
        return { ...blankTooth(quadrant, place), condition, lean: 4 * random.normal() };
      }),
  );
  const pontics = new Set(added.filter(({ condition }) => condition === "pontic").map(({ fdi }) => fdi));
  const isAbutment = (fdi: number) => pontics.has(fdi - 1) || pontics.has(fdi + 1);
  return [
    ...teeth.map((tooth) =>
      isAbutment(tooth.fdi) && tooth.condition !== "rootRemains" && tooth.place < 8
        ? { ...tooth, condition: "metalCrown" as const }
        : tooth,
    ),
    ...added,
  ];
}

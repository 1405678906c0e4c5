import type { BoneFinding, uncheckedParts } from "@arcada/contract/implant/plan-report.schema";
import { toothName } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { BoneCoverage } from "@arcada/imaging/implant/bone-coverage";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { NearestPoints } from "@arcada/imaging/implant/convex-shape-distance";
import { formatNumber } from "../../../../i18n/format.ts";
import type { Translate } from "../../../../i18n/texts.ts";
import { readUncertain } from "../canal/hidden-stretches.ts";
import { isUpper, type Implant, type Plan } from "./implant-plan.ts";

/**
 * Safety distances in mm. Canal: 2 mm (G. Greenstein, D. Tarnow, "The mental foramen and nerve", J Periodontol 2006);
 * between implants: 3 mm (D. Tarnow, S. Cho, S. Wallace, "The effect of inter-implant distance on the height of
 * inter-implant bone crest", J Periodontol 2000); to a root: 1.5 mm, the upper of the 1 to 1.5 mm that are required at
 * the shoulder (D. Buser, W. Martin, U. Belser, "Optimizing esthetics for implant restorations in the anterior
 * maxilla", Int J Oral Maxillofac Implants 2004). To the floor of the sinus there is no agreed value: 1 mm is about the
 * error of drawing it in voxels of 0.3 mm. 15 degrees between two implants is what the smallest angled abutment corrects.
 */
export const defaultSafetyDistances = { canal: 2, implants: 3, root: 1.5, sinus: 1, parallel: 15 } as const;
/** The structures from which implants keep a distance. */
export const safetyDistanceKinds = ["canal", "implants", "root", "sinus"] as const;
/** Distances in mm, and in `parallel` the degrees above which two implants are not parallel. */
export type SafetyDistances = Record<(typeof safetyDistanceKinds)[number] | "parallel", number>;

/**
 * The result of the check of the bone around an implant. `arriving`: not all slices are loaded; `unjudged`: the grey
 * values do not separate bone from what surrounds it.
 */
export type BoneState = BoneCoverage | "arriving" | "unjudged";

/**
 * The least share of an implant's surface outside bone that is reported. Measured: implants within bone reach 3 % at
 * most.
 */
const minOutsideShare = 0.05;
/** The least share of a side that is named. */
const minSideShare = 0.02;

type MeasuredDistance = NearestPoints & {
  kind: (typeof safetyDistanceKinds)[number];
  /** True if the structure was found by measurement, and nobody has confirmed it. */
  isSuggested: boolean;
  text: (t: Translate, scheme: ToothScheme) => string;
};

/**
 * The shortest distances from an implant to structures that it must not touch, with their texts; collisions in words,
 * not in mm. A drawn root and a suggested tooth have an entry each: the doubtful one must not hide the other. A suggested
 * tooth is listed only as a warning: its apex may be off by several millimetres, so that its distance is no figure to
 * plan by.
 */
export function listDistances(
  { toCanal, toImplant, toRoot, toSuggestedTooth, toSinus }: Implant,
  safetyDistances: Pick<SafetyDistances, "root">,
): MeasuredDistance[] {
  const distances: (MeasuredDistance | null)[] = [
    toCanal && {
      ...toCanal,
      kind: "canal",
      text: (t) => nameSource(t, toCanal, formatDistance(t, "Canal", toCanal.mm)),
    },
    toSinus && {
      ...toSinus,
      kind: "sinus",
      text: (t) =>
        toSinus.mm <= 0 ? t("implant.sinus.in") : t("implant.sinus.to", { mm: formatSafetyDistance(toSinus.mm) }),
    },
    toRoot && {
      ...toRoot,
      kind: "root",
      isSuggested: false,
      text: (t, scheme) =>
        toRoot.tooth === null
          ? formatDistance(t, "UnnamedRoot", toRoot.mm, { number: toRoot.number })
          : formatDistance(t, "Root", toRoot.mm, { tooth: toothName(toRoot.tooth, scheme) }),
    },
    toSuggestedTooth && toSuggestedTooth.mm < safetyDistances.root
      ? {
          ...toSuggestedTooth,
          kind: "root",
          isSuggested: true,
          text: (t) =>
            nameSource(t, { isSuggested: true }, formatToothDistance(t, toSuggestedTooth.mm, safetyDistances.root)),
        }
      : null,
    toImplant && {
      ...toImplant,
      isSuggested: false,
      kind: "implants",
      text: (t) => formatDistance(t, "Implant", toImplant.mm, { number: toImplant.number }),
    },
  ];
  return distances.filter((gap) => gap !== null);
}

/** A structure that nobody has confirmed is named so wherever its distance is. */
const nameSource = (t: Translate, { isSuggested }: { isSuggested: boolean }, warning: string): string =>
  isSuggested ? t("implant.suggested.about", { warning }) : warning;

const formatToothDistance = (t: Translate, mm: number, limit: number): string =>
  mm <= 0 ? t("implant.suggested.inTooth") : t("implant.suggested.toTooth", { limit: formatUpperLimit(limit) });

const formatDistance = (
  t: Translate,
  what: "Canal" | "Implant" | "Root" | "UnnamedRoot",
  mm: number,
  more: Record<string, string | number> = {},
): string =>
  mm <= 0
    ? t(`viewer.arch.implant.in${what}`, more)
    : t(`viewer.arch.implant.to${what}`, { mm: formatSafetyDistance(mm), ...more });

/** Rounds down: 1.97 mm shown as 2.0 mm would contradict the warning that it is below 2 mm. */
export const formatSafetyDistance = (mm: number): string => formatNumber(Math.floor(mm * 10 + 1e-6) / 10, 1);

/** Rounds up, so that "less than" stays true. */
const formatUpperLimit = (mm: number): string => formatNumber(Math.ceil(mm * 10 - 1e-6) / 10, 1);

/** Returns the figure beside the line of a distance: to a suggested tooth only that it is below the limit. */
export const formatGapFigure = (
  { kind, isSuggested, mm }: MeasuredDistance,
  safetyDistances: Pick<SafetyDistances, "root">,
): string =>
  kind === "root" && isSuggested ? `< ${formatUpperLimit(safetyDistances.root)}` : formatSafetyDistance(mm);

export const isTooNear = (
  { mm, kind }: Pick<MeasuredDistance, "mm" | "kind">,
  safetyDistances: SafetyDistances,
): boolean => mm < safetyDistances[kind];

/** Returns the result of the bone check as a finding, with the sides at which the implant may leave the bone. */
export function classifyBone(bone: BoneState, isUpper: boolean): BoneFinding {
  if (typeof bone === "string") return { state: bone };
  const { outside, unseen, buccal, inner, apex } = bone;
  if (outside < minOutsideShare) return { state: "within" };
  const sides = [
    ["buccal", buccal],
    [isUpper ? "palatal" : "lingual", inner],
    ["apex", apex],
    ["unseen", unseen],
  ] as const;
  const where = sides.flatMap(([side, share]) => (share > minSideShare ? [side] : []));
  return { state: "leaves", percent: Math.round(outside * 100), where };
}

/** Words the result of the bone check, as a warning or as a note that it could not be judged. */
export function describeBone(t: Translate, bone: BoneState, isUpper: boolean): { text: string; isWarning: boolean } {
  const finding = classifyBone(bone, isUpper);
  const about = (text: string) => t("implant.bone.about", { finding: text });
  if (finding.state !== "leaves") return { text: about(t(`implant.bone.${finding.state}`)), isWarning: false };
  const where = finding.where.map((side) => t(`implant.bone.side.${side}`)).join(", ");
  const text = where === "" ? "implant.bone.leaves" : "implant.bone.leavesAt";
  return { text: about(t(text, { percent: formatNumber(finding.percent, 0), where })), isWarning: true };
}

/**
 * mm of an implant outside the suggested bone from which it is reported: the surface of a suggested jaw is off by about
 * 1 mm on average, and by several in places.
 */
const leastOutsideJaw = 2;

export const leavesSuggestedJaw = ({ outsideJaw }: Pick<Implant, "outsideJaw">): boolean =>
  outsideJaw !== null && outsideJaw >= leastOutsideJaw;

/**
 * Words the length of an implant outside the suggested bone of its jaw; null where it is in it, or nothing is suggested.
 * It states no figure: the surface is too coarse.
 */
export const describeOutsideJaw = (t: Translate, implant: Pick<Implant, "outsideJaw">): string | null =>
  leavesSuggestedJaw(implant) ? nameSource(t, { isSuggested: true }, t("implant.suggested.outsideJaw")) : null;

type CheckedPlan = Pick<Plan, "canals" | "roots" | "implants"> &
  Partial<Pick<Plan, "suggestedCanals" | "suggestedTeeth" | "suggestedJaws">>;

/** Lists the checks that were not possible because nobody has drawn the structure. */
export const listUnchecked = (t: Translate, plan: CheckedPlan, up: Vector): string[] =>
  listUncheckedParts(plan, up).map((part) => t(`implant.unchecked.${part}`));

/**
 * The structures that nobody has drawn at an implant's side; the sinus concerns implants of the upper jaw only. A
 * suggestion is nobody's drawing.
 */
export const listUncheckedParts = (
  { canals, roots, implants, suggestedCanals = [], suggestedTeeth = [], suggestedJaws = [] }: CheckedPlan,
  up: Vector,
): (typeof uncheckedParts)[number][] => [
  ...(canals.length === 0 || implants.some((one) => !isUpper(one, up) && (one.toCanal?.isSuggested ?? true))
    ? (["canals"] as const)
    : []),
  ...(canals.some(({ annotation }) => readUncertain(annotation).length > 0) ? (["hiddenCanal"] as const) : []),
  roots.length === 0 ? "roots" : "otherRoots",
  ...(implants.some((one) => isUpper(one, up) && !one.toSinus) ? (["sinus"] as const) : []),
  ...(suggestedCanals.length + suggestedTeeth.length + suggestedJaws.length > 0 ? (["suggested"] as const) : []),
];

/** All warnings of an implant, the nearest first. */
export function listWarnings(
  t: Translate,
  scheme: ToothScheme,
  implant: Implant,
  safetyDistances: SafetyDistances,
  bone: BoneState | null,
  isUpper: boolean,
): string[] {
  const near = listDistances(implant, safetyDistances).filter((gap) => isTooNear(gap, safetyDistances));
  const boneWarning = bone && describeBone(t, bone, isUpper);
  const jawWarning = describeOutsideJaw(t, implant);
  return [
    ...near.toSorted((one, other) => one.mm - other.mm).map((gap) => gap.text(t, scheme)),
    ...(jawWarning === null ? [] : [jawWarning]),
    ...(boneWarning?.isWarning ? [boneWarning.text] : []),
  ];
}

import { toothName } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { BoneCoverage } from "@arcada/imaging/implant/bone-coverage";
import type { NearestPoints } from "@arcada/imaging/implant/convex-shape-distance";
import { formatNumber } from "../../../../i18n/format.ts";
import type { Translate } from "../../../../i18n/texts.ts";
import type { Implant, Plan } from "./implant-plan.ts";

/**
 * Safety distances in mm. Canal: 2 mm (G. Greenstein, D. Tarnow, "The mental foramen and nerve", J Periodontol 2006);
 * between implants: 3 mm (D. Tarnow, S. Cho, S. Wallace, "The effect of inter-implant distance on the height of
 * inter-implant bone crest", J Periodontol 2000); to a root: 1.5 mm, the upper of the 1 to 1.5 mm that are required at
 * the shoulder (D. Buser, W. Martin, U. Belser, "Optimizing esthetics for implant restorations in the anterior
 * maxilla", Int J Oral Maxillofac Implants 2004).
 */
export const defaultSafetyDistances = { canal: 2, implants: 3, root: 1.5 } as const;
export const safetyDistanceKinds = ["canal", "implants", "root"] as const;
export type SafetyDistances = Record<(typeof safetyDistanceKinds)[number], number>;

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
  text: (t: Translate, scheme: ToothScheme) => string;
};

/**
 * The shortest distances from an implant to structures that it must not touch, with their texts; collisions in words,
 * not in mm.
 */
export function listDistances({ toCanal, toImplant, toRoot }: Implant): MeasuredDistance[] {
  const distances: (MeasuredDistance | null)[] = [
    toCanal && {
      ...toCanal,
      kind: "canal",
      text: (t) => formatDistance(t, "Canal", toCanal.mm),
    },
    toRoot && {
      ...toRoot,
      kind: "root",
      text: (t, scheme) =>
        toRoot.tooth === null
          ? formatDistance(t, "UnnamedRoot", toRoot.mm, { number: toRoot.number })
          : formatDistance(t, "Root", toRoot.mm, { tooth: toothName(toRoot.tooth, scheme) }),
    },
    toImplant && {
      ...toImplant,
      kind: "implants",
      text: (t) => formatDistance(t, "Implant", toImplant.mm, { number: toImplant.number }),
    },
  ];
  return distances.filter((gap) => gap !== null);
}

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

export const isTooNear = (
  { mm, kind }: Pick<MeasuredDistance, "mm" | "kind">,
  safetyDistances: SafetyDistances,
): boolean => mm < safetyDistances[kind];

/** Words the result of the bone check, as a warning or as a note that it could not be judged. */
export function describeBone(t: Translate, bone: BoneState, isUpper: boolean): { text: string; isWarning: boolean } {
  if (typeof bone === "string") return { text: t(`viewer.arch.bone.${bone}`), isWarning: false };
  const { outside, unseen, buccal, inner, apex } = bone;
  if (outside < minOutsideShare) return { text: t("viewer.arch.bone.within"), isWarning: false };
  const where = [
    buccal > minSideShare && t("viewer.arch.bone.buccal"),
    inner > minSideShare && t(`viewer.arch.bone.${isUpper ? "palatal" : "lingual"}`),
    apex > minSideShare && t("viewer.arch.bone.apex"),
    unseen > minSideShare && t("viewer.arch.bone.unseen"),
  ].filter(Boolean);
  const percent = formatNumber(outside * 100, 0);
  const text = where.length > 0 ? "viewer.arch.bone.leavesAt" : "viewer.arch.bone.leaves";
  return { text: t(text, { percent, where: where.join(", ") }), isWarning: true };
}

/** Lists the checks that were not possible because nobody has drawn the structure. */
export const listUnchecked = (t: Translate, { canals, roots }: Pick<Plan, "canals" | "roots">): string[] =>
  [
    canals.length === 0 && t("viewer.arch.unchecked.canals"),
    roots.length === 0 ? t("viewer.arch.unchecked.roots") : t("viewer.arch.unchecked.otherRoots"),
  ].filter((text) => text !== false);

/** All warnings of an implant, the nearest first. */
export function listWarnings(
  t: Translate,
  scheme: ToothScheme,
  implant: Implant,
  safetyDistances: SafetyDistances,
  bone: BoneState | null,
  isUpper: boolean,
): string[] {
  const near = listDistances(implant).filter((gap) => isTooNear(gap, safetyDistances));
  const boneWarning = bone && describeBone(t, bone, isUpper);
  return [
    ...near.toSorted((one, other) => one.mm - other.mm).map((gap) => gap.text(t, scheme)),
    ...(boneWarning?.isWarning ? [boneWarning.text] : []),
  ];
}

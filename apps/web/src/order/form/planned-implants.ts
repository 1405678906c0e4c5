import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { formatNumber } from "../../i18n/format.ts";
import type { Translate } from "../../i18n/texts.ts";
import { applyDefaults } from "../templates/fill-from-template.ts";
import type { ItemDefaults } from "../templates/fill-from-template.ts";
import { changeCaseType } from "./order-draft.ts";
import type { Draft, DraftFile } from "./order-draft.ts";
import { addItem } from "./prescription-items.ts";

/** A planned implant, as an order needs it. Lengths are in mm. */
export interface PlannedImplant {
  /** In FDI notation; null if the plan does not name it. */
  tooth: number | null;
  /** Maker and line; null for a generic implant. */
  system: string | null;
  diameter: number;
  length: number;
  /** Degrees of its abutment; null without one. */
  abutmentAngle: number | null;
  /** The distances to what must not be touched. */
  distances: readonly { to: "canal" | "implant" | "root" | "sinus"; mm: number }[];
}

/** The implants that are planned in a study. The page provides the loader, since orders do not depend on viewers. */
export type LoadPlan = (studyId: string) => Promise<Omit<ImplantPlan, "studyId">>;

export interface ImplantPlan {
  studyId: string;
  implants: readonly PlannedImplant[];
  /** The plan's report, its pictures and its guide, as uploads for the order. */
  files: readonly DraftFile[];
  /** Documents of an earlier state of the plan, which do not go along. */
  outdated: readonly ("report" | "guide")[];
  /** True if the report and the guide could not be fetched. */
  isFailed?: boolean;
}

/** Returns the fields of an order that an implant plan fills: its images, its teeth, its system and its numbers. */
export function fillFromPlan(t: Translate, draft: Draft, plan: ImplantPlan, item: ItemDefaults): Partial<Draft> {
  const teeth = plan.implants.flatMap(({ tooth }) => (tooth !== null && allTeeth.includes(tooth) ? [tooth] : []));
  const isCovered = draft.items.some((one) => one.teeth.some((tooth) => teeth.includes(tooth)));
  const added =
    isCovered || teeth.length === 0 ? draft.items : addItem({ items: draft.items, active: -1 }, teeth).items;
  const changed = changeCaseType({ ...draft, items: added }, "implant");
  const lines = plan.implants.map((implant, at) => describeImplant(t, implant, at + 1));
  return {
    ...changed,
    items: applyDefaults(changed.items ?? added, item, "implant"),
    implantSystem: draft.implantSystem ?? plan.implants.find(({ system }) => system !== null)?.system ?? null,
    studies: [...new Set([...draft.studies, plan.studyId])],
    uploads: [...draft.uploads, ...plan.files],
    instructions: [draft.instructions, ...lines].filter(Boolean).join("\n"),
  };
}

/** "Implant 1 (46): ⌀ 4.1 × 10 mm; nerve canal 2.3 mm": teeth in FDI notation, since the text is stored. */
function describeImplant(
  t: Translate,
  { tooth, system, diameter, length, abutmentAngle, distances }: PlannedImplant,
  at: number,
): string {
  const name = [t("orderDetail.plan.implant", { number: at }), tooth === null ? null : `(${tooth})`]
    .filter(Boolean)
    .join(" ");
  const size = t("orderDetail.plan.size", { diameter: formatNumber(diameter, 1), length: formatNumber(length, 1) });
  // Rounded down, as in the viewer: a distance must not look greater than it is.
  const gaps = distances.map(({ to, mm }) =>
    t(`orderDetail.plan.distance.${to}`, { mm: formatNumber(Math.floor(mm * 10) / 10, 1) }),
  );
  const abutment =
    abutmentAngle === null ? null : t("orderDetail.plan.abutment", { degrees: formatNumber(abutmentAngle, 1) });
  return `${name}: ${[system, size, abutment, ...gaps].filter(Boolean).join("; ")}`;
}

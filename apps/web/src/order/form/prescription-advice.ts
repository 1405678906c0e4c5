import { hasShade, needsStumpShade } from "@arcada/contract/order/prescription.choices";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import type { NameUnder } from "../../i18n/texts.ts";
import { dayAfter } from "./order-draft.ts";
import type { Draft, FileRole } from "./order-draft.ts";

/** The files and studies of the order, as far as they are known. */
interface OrderMaterial {
  roles: readonly { role: FileRole }[];
  studies: readonly Pick<StudyRow, "id" | "kind">[];
}

export type AdviceName = NameUnder<"order.advice">;
/** Returns optional additions that a lab would like to have. Names are keys of order.json under `advice`. */
export function findAdvice(draft: Draft, material: OrderMaterial, now: Date = new Date()): AdviceName[] {
  const soon = Boolean(draft.dueDate) && draft.dueDate! < dayAfter(now, 3);
  return [...byType[draft.caseType](draft, material), ...adviseIf(soon, "dueSoon")];
}

type Advice = (draft: Draft, material: OrderMaterial) => AdviceName[];
const adviseIf = (applies: boolean, name: AdviceName): AdviceName[] => (applies ? [name] : []);
const hasRole = ({ roles }: OrderMaterial, ...wanted: FileRole[]): boolean =>
  roles.some(({ role }) => wanted.includes(role));

const adviseScans: Advice = (draft, material) => {
  const both = hasRole(material, "upperScan") && hasRole(material, "lowerScan");
  if (draft.noDigitalFiles || !hasRole(material, "upperScan", "lowerScan")) return [];
  return [
    ...adviseIf(!both && draft.antagonist === null, "antagonist"),
    ...adviseIf(both && !hasRole(material, "bite"), "bite"),
  ];
};
const adviseShades: Advice = ({ items }) => [
  ...adviseIf(
    items.some(({ shade, kind }) => !shade && hasShade(kind)),
    "shade",
  ),
  ...adviseIf(
    items.some((item) => !item.stumpShade && needsStumpShade(item)),
    "stumpShade",
  ),
];
const hasCeph = (draft: Draft, { studies }: OrderMaterial): boolean =>
  studies.some(({ id, kind }) => kind === "lateralCeph" && draft.studies.includes(id));

const byType: Record<Draft["caseType"], Advice> = {
  restoration: (draft, material) => [...adviseShades(draft, material), ...adviseScans(draft, material)],
  implant: (draft, material) => [
    ...adviseShades(draft, material),
    ...adviseScans(draft, material),
    ...adviseIf(!hasRole(material, "ct"), "ct"),
    ...adviseIf(draft.gingiva === null, "gingiva"),
    ...adviseIf(draft.fixType === "screw" && draft.torque === null, "torque"),
  ],
  orthodontics: (draft, material) => [
    ...adviseIf(!hasRole(material, "bite"), "bite"),
    ...adviseIf(!hasCeph(draft, material), "ceph"),
    ...adviseIf(!hasRole(material, "photo"), "photo"),
  ],
  other: (_, { roles }) => adviseIf(roles.length === 0, "files"),
};

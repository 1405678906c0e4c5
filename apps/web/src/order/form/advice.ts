import { hasShade, showsStump } from "@arcada/contract/order/order.choices";
import type { StudyRow } from "@arcada/contract/study/study.calls";
import { dayAfter } from "./draft.ts";
import type { Draft, FileRole } from "./draft.ts";

/** The files and studies of the order, as far as they are known. */
interface Along {
  roles: readonly { role: FileRole }[];
  studies: readonly Pick<StudyRow, "id" | "kind">[];
}

/** Returns optional additions that a lab would like to have. Names are keys of order.json under `advice`. */
export function adviceFor(draft: Draft, along: Along, now: Date = new Date()): string[] {
  const soon = Boolean(draft.dueDate) && draft.dueDate! < dayAfter(now, 3);
  return [...byType[draft.caseType](draft, along), ...when(soon, "dueSoon")];
}

type Advice = (draft: Draft, along: Along) => string[];
const when = (holds: boolean, name: string): string[] => (holds ? [name] : []);
const has = ({ roles }: Along, ...wanted: FileRole[]): boolean => roles.some(({ role }) => wanted.includes(role));

const scans: Advice = (draft, along) => {
  const both = has(along, "upperScan") && has(along, "lowerScan");
  if (draft.noDigitalFiles || !has(along, "upperScan", "lowerScan")) return [];
  return [...when(!both && draft.antagonist === null, "antagonist"), ...when(both && !has(along, "bite"), "bite")];
};
const shades: Advice = ({ items }) => [
  ...when(
    items.some(({ shade, kind }) => !shade && hasShade(kind)),
    "shade",
  ),
  ...when(
    items.some((item) => !item.stumpShade && showsStump(item)),
    "stumpShade",
  ),
];
const hasCeph = (draft: Draft, { studies }: Along): boolean =>
  studies.some(({ id, kind }) => kind === "lateralCeph" && draft.studies.includes(id));

const byType: Record<Draft["caseType"], Advice> = {
  restoration: (draft, along) => [...shades(draft, along), ...scans(draft, along)],
  implant: (draft, along) => [
    ...shades(draft, along),
    ...scans(draft, along),
    ...when(!has(along, "ct"), "ct"),
    ...when(draft.gingiva === null, "gingiva"),
    ...when(draft.fixType === "screw" && draft.torque === null, "torque"),
  ],
  orthodontics: (draft, along) => [
    ...when(!has(along, "bite"), "bite"),
    ...when(!hasCeph(draft, along), "ceph"),
    ...when(!has(along, "photo"), "photo"),
  ],
  other: (_, { roles }) => when(roles.length === 0, "files"),
};

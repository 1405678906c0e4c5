import type { z } from "zod";
import type { Input } from "@arcada/contract/kernel/call";
import { daysAfter } from "@arcada/contract/kernel/time-zone";
import type { Order, fileRoles, orderCalls, prescription } from "@arcada/contract/order/order.calls";
import { implantKinds, itemKinds, restorationKinds } from "@arcada/contract/order/order.choices";
import { missingFor, orderRules, schemeByDefault } from "@arcada/contract/order/order.rules";
import type { CaseType } from "@arcada/contract/order/order.rules";
import type { StudyRow } from "@arcada/contract/study/study.calls";
import { today } from "../../kernel/zone.ts";
import { ofKind } from "./items.ts";

type Rx = z.output<typeof prescription>;
export type Item = Rx["items"][number];
export type FileRole = (typeof fileRoles)[number];
export interface AddedFile {
  upload: string;
  role: FileRole;
  name: string;
  /** Why the server did not take it; it stays here to be read and is not sent again. */
  refused?: string;
}
/** What the form holds. Without a patient `patientId` is empty, and nothing can be saved yet. */
export interface Draft extends Omit<Rx, "uploads"> {
  uploads: AddedFile[];
  /** Undefined: whoever makes the order. */
  responsibleId?: string | undefined;
}

export const emptyDraft = (patientId: string, now: Date = new Date()): Draft => ({
  patientId,
  caseType: "restoration",
  items: [],
  workKinds: ["design", "machining"],
  jaws: [],
  implantSystem: null,
  fixType: null,
  torque: null,
  gingiva: null,
  antagonist: null,
  sourceOrder: null,
  instructions: null,
  schemeRequired: schemeByDefault("restoration"),
  targetIid: null,
  dueDate: dayAfter(now, orderRules.dueDays),
  maskName: false,
  mayForward: null,
  namePasses: false,
  labShares: false,
  noDigitalFiles: false,
  studies: [],
  uploads: [],
});

/** The organisation's calendar day, so many days from now. */
export const dayAfter = (now: Date, days: number): string => daysAfter(today(now), days);

export function draftOf(order: Order): Draft {
  const own = order.files.filter(({ revisionId }) => revisionId === null);
  return {
    ...order.prescription,
    patientId: order.patientId ?? "",
    responsibleId: order.responsibleId ?? undefined,
    studies: [...new Set(own.flatMap(({ studyId }) => studyId ?? []))],
    uploads: own.flatMap(({ id, role, name, studyId }) =>
      studyId === null && role !== "message" ? [{ upload: id, role, name }] : [],
    ),
  };
}

export const inputOf = (
  draft: Draft,
  saved: { id: string; version: number } | null,
): Input<typeof orderCalls.save> => ({
  ...draft,
  instructions: draft.instructions?.trim() || null,
  implantSystem: draft.implantSystem?.trim() || null,
  sourceOrder: draft.sourceOrder?.trim() || null,
  items: draft.items.map((item) => ({ ...item, remark: item.remark?.trim() || null })),
  uploads: draft.uploads.filter(({ refused }) => !refused).map(({ upload, role }) => ({ upload, role })),
  ...(saved && { id: saved.id, version: saved.version }),
});

export const kindsOf = (caseType: CaseType): readonly Item["kind"][] =>
  caseType === "implant" ? implantKinds : caseType === "restoration" ? restorationKinds : itemKinds;
export const hasItems = (caseType: CaseType): boolean => caseType === "restoration" || caseType === "implant";

/** Another case type: what it does not know becomes what is usual for it. */
export function withCase(draft: Draft, caseType: CaseType): Partial<Draft> {
  const kinds = kindsOf(caseType);
  return {
    caseType,
    schemeRequired: schemeByDefault(caseType),
    items: hasItems(caseType)
      ? draft.items.map((item) => (kinds.includes(item.kind) ? item : { ...item, ...ofKind(item, "crown") }))
      : draft.items,
  };
}

type Held = Pick<Order["files"][number], "role" | "studyId">;
/**
 * What the files are, for the rules. The server tells what the models of a study are once it has seen the draft; until
 * then a study of models counts as both arches, so that nothing is asked for that may be there.
 */
export function rolesOf(
  draft: Pick<Draft, "studies" | "uploads">,
  held: readonly Held[],
  studies: readonly Pick<StudyRow, "id" | "kind">[],
): { role: FileRole }[] {
  const ofStudies = draft.studies.flatMap((id): FileRole[] => {
    const known = held.flatMap(({ studyId, role }) => (studyId === id && role !== "message" ? role : []));
    const kind = studies.find((study) => study.id === id)?.kind;
    return known.length > 0 ? known : guessed(kind);
  });
  const ofUploads = draft.uploads.filter(({ refused }) => !refused).map(({ role }) => role);
  return [...ofStudies, ...ofUploads].map((role) => ({ role }));
}
const guessed = (kind: StudyRow["kind"] | undefined): FileRole[] =>
  kind === "model" ? ["upperScan", "lowerScan"] : kind === "ct" ? ["ct"] : kind === "photo" ? ["photo"] : ["image"];

/** What is still needed; a missing scan says already that files are missing. */
export function missingIn(draft: Draft, files: { role: string }[]): string[] {
  const all = [...(draft.patientId ? [] : ["patientId"]), ...missingFor(draft, files)];
  const saysMore = all.some((name) => name === "scan" || name === "bothArches" || name === "scanOrNote");
  return saysMore ? all.filter((name) => name !== "files") : all;
}

/** What a file most likely is, by its name; a person may say otherwise. */
export function roleByName(name: string): FileRole {
  if (/\.(stl|ply|obj)$/i.test(name)) {
    if (/bite|occlus|buccal|咬合/i.test(name)) return "bite";
    return /lower|mandib|下/i.test(name) ? "lowerScan" : "upperScan";
  }
  if (/\.(dcm|dicom|zip)$/i.test(name)) return "image";
  if (/\.(jpe?g|png|webp|heic|bmp|tiff?)$/i.test(name)) return "photo";
  return "document";
}

import type { z } from "zod";
import type { Input } from "@arcada/contract/kernel/call";
import { addDays } from "@arcada/contract/kernel/time-zone";
import type { Order, fileRoles, orderCalls, prescription } from "@arcada/contract/order/order.calls";
import { implantKinds, itemKinds, restorationKinds } from "@arcada/contract/order/prescription.choices";
import type { MissingField } from "@arcada/contract/order/order.rules";
import { missingFor, orderRules, needsSchemeByDefault } from "@arcada/contract/order/order.rules";
import type { CaseType } from "@arcada/contract/order/order.rules";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { getToday } from "../../i18n/time-zone.ts";
import { changeKind, type Item } from "./prescription-items.ts";

type Prescription = z.output<typeof prescription>;
export type FileRole = (typeof fileRoles)[number];
export interface DraftFile {
  upload: string;
  role: FileRole;
  name: string;
  /** The server's reason for rejecting the file. The rejected file stays visible here and is not sent again. */
  refused?: string;
}
/** The values of the order form. Without a patient `patientId` is empty, and nothing can be saved yet. */
export interface Draft extends Omit<Prescription, "uploads"> {
  uploads: DraftFile[];
  /** Undefined: the creator of the order. */
  responsibleId?: string | undefined;
}

export const createEmptyDraft = (patientId: string, now: Date = new Date()): Draft => ({
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
  schemeRequired: needsSchemeByDefault("restoration"),
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

/** Returns the calendar day in the institution's time zone, so many days from now. */
export const dayAfter = (now: Date, days: number): string => addDays(getToday(now), days);

export function toDraft(order: Order): Draft {
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

export const toSaveInput = (
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

export const getItemKinds = (caseType: CaseType): readonly Item["kind"][] =>
  caseType === "implant" ? implantKinds : caseType === "restoration" ? restorationKinds : itemKinds;
export const hasItems = (caseType: CaseType): boolean => caseType === "restoration" || caseType === "implant";

/** Changes the case type. Item kinds that the new type does not have become crowns. */
export function changeCaseType(draft: Draft, caseType: CaseType): Partial<Draft> {
  const kinds = getItemKinds(caseType);
  return {
    caseType,
    schemeRequired: needsSchemeByDefault(caseType),
    items: hasItems(caseType)
      ? draft.items.map((item) => (kinds.includes(item.kind) ? item : { ...item, ...changeKind(item, "crown") }))
      : draft.items,
  };
}

type ServerFile = Pick<Order["files"][number], "role" | "studyId">;
/**
 * Returns the roles of the files, for the rules. The server determines the models of a study once it has seen the
 * draft. Until then a study of models counts as both arches, so that no existing file is reported as missing.
 */
export function collectRoles(
  draft: Pick<Draft, "studies" | "uploads">,
  serverFiles: readonly ServerFile[],
  studies: readonly Pick<StudyRow, "id" | "kind">[],
): { role: FileRole }[] {
  const studyRoles = draft.studies.flatMap((id): FileRole[] => {
    const known = serverFiles.flatMap(({ studyId, role }) => (studyId === id && role !== "message" ? role : []));
    const kind = studies.find((study) => study.id === id)?.kind;
    return known.length > 0 ? known : guessStudyRoles(kind);
  });
  const uploadRoles = draft.uploads.filter(({ refused }) => !refused).map(({ role }) => role);
  return [...studyRoles, ...uploadRoles].map((role) => ({ role }));
}
function guessStudyRoles(kind: StudyRow["kind"] | undefined): FileRole[] {
  if (kind === "model") return ["upperScan", "lowerScan"];
  if (kind === "video") return ["document"];
  return kind === "ct" || kind === "photo" ? [kind] : ["image"];
}

export type DraftGap = MissingField | "patientId";
/** Returns the missing fields. A missing scan already implies missing files, so "files" is omitted then. */
export function findMissing(draft: Draft, files: { role: string }[]): DraftGap[] {
  const all: DraftGap[] = [...(draft.patientId ? [] : (["patientId"] as const)), ...missingFor(draft, files)];
  const isScanMissing = all.some((name) => name === "scan" || name === "bothArches" || name === "scanOrNote");
  return isScanMissing ? all.filter((name) => name !== "files") : all;
}

/** Guesses the role of a file by its name. The user may change it. */
export function guessRole(name: string): FileRole {
  if (/\.(stl|ply|obj|3mf)$/i.test(name)) {
    if (/bite|occlus|buccal|咬合/i.test(name)) return "bite";
    return /lower|mandib|下/i.test(name) ? "lowerScan" : "upperScan";
  }
  if (/\.(dcm|dicom|zip)$/i.test(name)) return "image";
  if (/\.(jpe?g|png|webp|heic|bmp|tiff?)$/i.test(name)) return "photo";
  return "document";
}

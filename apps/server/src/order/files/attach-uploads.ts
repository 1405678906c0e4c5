import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import type { fileRoles } from "@arcada/contract/order/order.calls";
import { jawOf } from "@arcada/contract/kernel/tooth-numbers";
import type { FileKind } from "@arcada/imaging/file-kind";
import type { Db } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { finishUploads } from "../../platform/upload/finish-uploads.ts";
import type { FinishedUpload } from "../../platform/upload/finish-uploads.ts";
import type { Rx, OrderSide } from "../../tables/order-columns.ts";
import type { InstanceTable, StudyTable } from "../../tables/schema.generated.ts";
import { isMesh } from "./mesh-check.ts";
import { requestStreamingCopy } from "./make-streaming-copies.ts";
import { requestDisplayImages } from "./make-display-images.ts";
import { isImage } from "../../platform/storage/image-copy.ts";
import { inspectUpload, cachedInspection } from "./inspect-uploads.ts";
import type { NewFile } from "../core/order.store.ts";

export type FileRole = (typeof fileRoles)[number];
export interface Attachment {
  upload: string;
  role: FileRole;
}
type Study = Selectable<StudyTable>;
type Instance = Selectable<InstanceTable>;

/** Attaches finished uploads of the caller to an order; each has been inspected, and scans have been read through. */
export async function attachUploads(
  context: { db: Db; principal: { uid: string; iid: string } },
  attachments: readonly Attachment[],
  as: { side: OrderSide; revisionId: string | null },
): Promise<NewFile[]> {
  const { iid, uid } = context.principal;
  const wanted = uniqueUploads(attachments);
  const finished = await finishUploads(
    context,
    iid,
    wanted.map(({ upload }) => upload),
  );
  const common = { owner_id: iid, side: as.side, study_id: null, revision_id: as.revisionId, added_by: uid };
  const newFiles: NewFile[] = [];
  for (const [place, file] of finished.entries()) {
    const { role } = wanted[place]!;
    newFiles.push({ ...common, ...file, role, content: await inspect(iid, file, role) });
  }
  for (const { sha256, content } of newFiles.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))) {
    if (isImage(content)) await requestDisplayImages(context.db, { iid, original: sha256 });
    if (isMesh(content)) await requestStreamingCopy(context.db, { iid, original: sha256, kind: content });
  }
  return newFiles;
}
const uniqueUploads = (attachments: readonly Attachment[]): Attachment[] => [
  ...new Map(attachments.map((each) => [each.upload, each])).values(),
];

const scanRoles: readonly FileRole[] = ["upperScan", "lowerScan", "bite"];

/** Refuses a file that has the role of a scan but is no mesh. */
export function checkFileRole(role: FileRole, content: string, name: string): void {
  if (scanRoles.includes(role) && !isMesh(content)) refuse("fileUnknown", { name });
}

async function inspect(iid: string, { id, name, bytes, sha256 }: FinishedUpload, role: FileRole): Promise<FileKind> {
  if (bytes === 0) refuse("fileEmpty", { name });
  const { content, fault } =
    cachedInspection(id) ??
    (await files().local("originals", iid, sha256, (path) => inspectUpload(id, path, name, bytes)));
  checkFileRole(role, content, name);
  if (fault) refuse(fault, { name });
  return content;
}

/**
 * Returns the studies of this patient, none missing; refuses another patient's studies exactly like ones that do not
 * exist.
 */
export async function readPatientStudies(
  db: Db,
  iid: string,
  patientId: string,
  ids: readonly string[],
): Promise<Study[]> {
  const wanted = [...new Set(ids)];
  const found = await readStudies(db, iid, wanted);
  if (found.length < wanted.length || found.some((study) => study.patient_id !== patientId)) refuse("orderFileForeign");
  return found;
}

/** Returns those studies that exist and are not in the bin. */
export const readStudies = (db: Db, iid: string, ids: readonly string[]): Promise<Study[]> =>
  ids.length === 0 ? Promise.resolve([]) : studiesById(db, iid, ids).execute();

/**
 * Reads with a lock that an import waits for: a study that becomes ready while its order is being sent finds that
 * order.
 */
export const lockStudiesForShare = (db: Db, iid: string, ids: readonly string[]): Promise<Study[]> =>
  ids.length === 0 ? Promise.resolve([]) : studiesById(db, iid, ids).forShare().execute();

const studiesById = (db: Db, iid: string, ids: readonly string[]) =>
  db
    .selectFrom("study")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .orderBy("id");

/** Returns the files that studies contribute: each image and each model as a file, a volume as one. */
export async function studyFiles(db: Db, studies: readonly Study[], rx: Rx, uid: string | null): Promise<NewFile[]> {
  if (studies.length === 0) return [];
  const iid = studies[0]!.institution_id;
  const ids = studies.map((study) => study.id);
  const instances = await db
    .selectFrom("instance")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("study_id", "in", ids)
    .orderBy("place")
    .execute();
  return studies.flatMap((study) => {
    const own = instances.filter((instance) => instance.study_id === study.id);
    const common = { owner_id: iid, side: "sender", study_id: study.id, revision_id: null, added_by: uid } as const;
    if (study.kind === "ct") return [{ ...common, ...volumeFile(study, own) }];
    return own.map((instance) => ({ ...common, ...instanceFile(study, instance, rx) }));
  });
}

const volumeFile = (study: Study, instances: readonly Instance[]) => ({
  id: study.id,
  role: "ct" as const,
  name: study.description ?? "CT",
  content: "dicom" as const,
  sha256: hashContents(instances.map((instance) => instance.sha256)),
  bytes: study.bytes,
});
const instanceFile = (study: Study, instance: Instance, rx: Rx) => ({
  id: instance.id,
  role: roleOf(study, instance, rx),
  name: instance.name,
  content: instance.format,
  sha256: instance.sha256,
  bytes: instance.bytes,
});

function roleOf(study: Study, instance: Instance, rx: Rx): FileRole {
  if (study.kind === "model") return scanRoleOf(instance, rx);
  if (study.kind === "video") return "document";
  return study.kind === "photo" ? "photo" : "image";
}

/**
 * Determined by a bite in the name, else by the jaw that the import found, else by the jaw in the name, else by the jaw
 * that is to be treated.
 */
function scanRoleOf(instance: Instance, rx: Rx): FileRole {
  if (/bite|occlus|buccal|咬合/i.test(instance.name)) return "bite";
  const jaw = instance.model?.jaw ?? jawInName(instance.name) ?? treatedJaw(rx);
  return jaw === "upper" ? "upperScan" : jaw === "lower" ? "lowerScan" : "bite";
}
const jawInName = (name: string): "upper" | "lower" | null =>
  /upper|maxill|上/i.test(name) ? "upper" : /lower|mandib|下/i.test(name) ? "lower" : null;
function treatedJaw(rx: Rx): "upper" | "lower" | null {
  const jaws = new Set([...rx.jaws, ...rx.items.flatMap((item) => item.teeth.map(jawOf))]);
  return jaws.size === 1 ? (jaws.has("maxilla") ? "upper" : "lower") : null;
}

/** Hashes contents in a fixed order, so that the same files and words give the same hash. */
export const hashContents = (contents: readonly string[], ...words: string[]): string =>
  createHash("sha256")
    .update(JSON.stringify([...words, ...contents.toSorted()]))
    .digest("hex");

import type { MemberContext } from "../platform/http/request-context.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { uploadParts, secret } from "../platform/runtime/services.ts";
import { moveStudyToPatient, findMismatch } from "./move/move-study.store.ts";
import * as store from "./study.store.ts";
import { listUploads } from "./upload-job/upload-job.store.ts";
import type { SignFile } from "./study.view.ts";

export const createFileSigner = (): SignFile => {
  const key = secret();
  return (file) => createFileUrl(key, file);
};

export async function requirePatient({ db, principal }: MemberContext, patientId: string): Promise<void> {
  if (!(await store.patientExists(db, principal.iid, patientId))) refuse("notFound");
}

export const requireOwnStudy = async ({ db, principal }: MemberContext, id: string): Promise<store.StudyRecord> =>
  (await store.findOwnStudy(db, principal.iid, id)) ?? refuse("notFound");

/** Moves a study to a patient, or refuses with the reason. */
export async function moveStudyOrRefuse(
  { db }: MemberContext,
  study: store.StudyRecord,
  { from, patientId, acceptMismatch }: { from: string | null; patientId: string; acceptMismatch: boolean },
): Promise<void> {
  if (study.patient_id === patientId) return;
  const other = acceptMismatch ? null : await findMismatch(db, study, patientId);
  if (other) return refuse("patientMismatch", other);
  const moved = await moveStudyToPatient(db, study, from, patientId);
  if (moved !== "moved") refuse(refusalByMoveResult[moved]);
}

const refusalByMoveResult = { busy: "studyBusy", twice: "studyTwice", elsewhere: "studyElsewhere" } as const;

/** Requires that every upload belongs to the principal and has all its bytes. */
export async function requireUploads({ db, principal }: MemberContext, ids: string[]): Promise<void> {
  const found = (await listUploads(db, principal.iid, ids)).filter(({ user_id }) => user_id === principal.uid);
  if (found.length < new Set(ids).size) refuse("uploadUnknown");
  for (const upload of found)
    if (upload.state === "open" && ((await uploadParts().bytes(upload.id)) ?? 0) < upload.bytes)
      refuse(/\.zip$/i.test(upload.name) ? "zipUploadFirst" : "uploadIncomplete", { name: upload.name });
}

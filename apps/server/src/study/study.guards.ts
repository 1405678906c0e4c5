import type { MemberContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import { uploadParts } from "../platform/runtime/services.ts";
import * as store from "./study.store.ts";
import { listUploads } from "./upload-job/upload-job.store.ts";

export async function requirePatient({ db, principal }: MemberContext, patientId: string): Promise<void> {
  if (!(await store.patientExists(db, principal.iid, patientId))) refuse("notFound");
}

export const requireOwnStudy = async ({ db, principal }: MemberContext, id: string): Promise<store.StudyRecord> =>
  (await store.findOwnStudy(db, principal.iid, id)) ?? refuse("notFound");

/** Requires that every upload belongs to the principal and has all its bytes. */
export async function requireUploads({ db, principal }: MemberContext, ids: string[]): Promise<void> {
  const found = (await listUploads(db, principal.iid, ids)).filter(({ user_id }) => user_id === principal.uid);
  if (found.length < new Set(ids).size) refuse("uploadUnknown");
  for (const upload of found)
    if (upload.state === "open" && ((await uploadParts().bytes(upload.id)) ?? 0) < upload.bytes)
      refuse(/\.zip$/i.test(upload.name) ? "zipUploadFirst" : "uploadIncomplete", { name: upload.name });
}

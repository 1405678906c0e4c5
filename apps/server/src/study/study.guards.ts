import type { MemberContext } from "../platform/http/request-context.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { parts, secret } from "../platform/runtime/services.ts";
import { giveStudy, mismatchOf } from "./inbox.store.ts";
import * as store from "./study.store.ts";
import type { Sign } from "./study.ts";

export const signer = (): Sign => {
  const key = secret();
  return (file) => fileUrl(key, file);
};

export async function needPatient({ db, asker }: MemberContext, patientId: string): Promise<void> {
  if (!(await store.patientLives(db, asker.iid, patientId))) refuse("notFound");
}

export const ownStudyOf = async ({ db, asker }: MemberContext, id: string): Promise<store.StudyRecord> =>
  (await store.ownStudy(db, asker.iid, id)) ?? refuse("notFound");

/** Moves a study to a patient, or refuses with the reason. */
export async function needGiven(
  { db }: MemberContext,
  study: store.StudyRecord,
  { from, patientId, acceptMismatch }: { from: string | null; patientId: string; acceptMismatch: boolean },
): Promise<void> {
  if (study.patient_id === patientId) return;
  const other = acceptMismatch ? null : await mismatchOf(db, study, patientId);
  if (other) return refuse("patientMismatch", other);
  const moved = await giveStudy(db, study, from, patientId);
  if (moved !== "moved") refuse(refusalOf[moved]);
}

const refusalOf = { busy: "studyBusy", twice: "studyTwice", elsewhere: "studyElsewhere" } as const;

/** Every upload is the asker's own and has all its bytes. */
export async function needUploads({ db, asker }: MemberContext, ids: string[]): Promise<void> {
  const found = (await store.uploadsOf(db, asker.iid, ids)).filter(({ user_id }) => user_id === asker.uid);
  if (found.length < new Set(ids).size) refuse("uploadUnknown");
  for (const upload of found)
    if (upload.state === "open" && ((await parts().bytes(upload.id)) ?? 0) < upload.bytes)
      refuse(/\.zip$/i.test(upload.name) ? "zipUploadFirst" : "uploadIncomplete", { name: upload.name });
}

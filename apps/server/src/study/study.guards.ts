import type { MemberContext } from "../kernel/asker.ts";
import { fileUrl } from "../kernel/file-url.ts";
import { refuse } from "../kernel/refuse.ts";
import { secret } from "../kernel/services.ts";
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

/** Gives a study to a patient, or refuses with the reason. */
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

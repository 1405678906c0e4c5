import type { MemberContext } from "../../platform/http/request-context.ts";
import { publish } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { moveStudyToPatient, findMismatch } from "./move-study.store.ts";
import { studyMoved } from "../study.events.ts";
import * as store from "../study.store.ts";

/** Moves a study to a patient, or refuses with the reason. */
export async function moveStudyOrRefuse(
  { db, principal }: MemberContext,
  study: store.StudyRecord,
  { from, patientId, acceptMismatch }: { from: string | null; patientId: string; acceptMismatch: boolean },
): Promise<void> {
  if (study.patient_id === patientId) return;
  const other = acceptMismatch ? null : await findMismatch(db, study, patientId);
  if (other) return refuse("patientMismatch", other);
  const moved = await moveStudyToPatient(db, study, from, patientId);
  if (moved !== "moved") return refuse(refusalByMoveResult[moved]);
  await publish(db, studyMoved, { institution: principal.iid, studyId: study.id, from });
}

const refusalByMoveResult = { busy: "studyBusy", twice: "studyTwice", elsewhere: "studyElsewhere" } as const;

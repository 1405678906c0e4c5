import { studyBinCalls } from "@arcada/contract/study/study-bin.calls";
import { notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { requirePatient, requireOwnStudy } from "../study.guards.ts";
import { createFileSigner } from "../file-signer.ts";
import { toStudyRow } from "../study.view.ts";
import { studyRules } from "@arcada/contract/study/study.rules";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { lockCollection } from "../../domain/patient-matching.ts";
import type { StudyRecord } from "../study.store.ts";
import { hasStudyWithUid } from "../study.store.ts";

export const studyBinRoutes = routes(studyBinCalls, {
  bin: async ({ patientId }, context) => {
    if (patientId) {
      await requirePatient(context, patientId);
      context.subject = patientId;
    }
    const rows = await listRemovedStudies(context.db, context.principal.iid, patientId ?? null);
    const sign = createFileSigner();
    return rows.map((row) => ({
      ...toStudyRow(row, sign),
      removedAt: row.deleted_at!,
      goesAt: deletedAt(row.deleted_at!),
    }));
  },
  restore: async ({ id }, context) => {
    const study = (await findRemovedStudy(context.db, context.principal.iid, id)) ?? refuse("notFound");
    if (!(await restoreStudy(context.db, study))) return refuse("studyTwice");
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return toStudyRow(await requireOwnStudy(context, id), createFileSigner());
  },
});

const deletedAt = (removedAt: string): string =>
  new Date(Date.parse(removedAt) + studyRules.binDays * 86_400_000).toISOString();

const restorable = sql`s.deleted_at > now() - make_interval(days => ${studyRules.binDays}::int)`;

/** Returns the removed studies of a patient, or (null) of the inbox, that can be restored; the last removed first. */
async function listRemovedStudies(db: Db, iid: string, patientId: string | null): Promise<StudyRecord[]> {
  const { rows } = await sql<StudyRecord>`select s.* from study s where s.institution_id = ${iid}
    and s.patient_id is not distinct from ${patientId}::uuid and ${restorable}
    order by s.deleted_at desc, s.id limit 500`.execute(db);
  return rows;
}

/** A removed study of the principal's institution, with a patient outside the bin or without one. */
async function findRemovedStudy(db: Db, iid: string, id: string): Promise<StudyRecord | undefined> {
  const { rows } = await sql<StudyRecord>`select s.* from study s
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    where s.institution_id = ${iid} and s.id = ${id} and p.deleted_at is null and ${restorable}`.execute(db);
  return rows[0];
}

/** Returns false if its patient (or the inbox) has a study of the same UID in the meantime. */
async function restoreStudy(db: Db, study: StudyRecord): Promise<boolean> {
  await lockCollection(db, study.institution_id, study.patient_id);
  if (await hasStudyWithUid(db, study.institution_id, study.patient_id, study)) return false;
  await sql`update study set deleted_at = null where institution_id = ${study.institution_id} and id = ${study.id}`.execute(
    db,
  );
  return true;
}

import { sql } from "kysely";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { audit } from "../platform/audit/audit.ts";
import { markUnneeded, markUnreferencedOriginals } from "../platform/storage/blob-references.ts";
import type { StoredOriginal } from "../platform/storage/blob-references.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { isRetained } from "../domain/retention-years.ts";
import { lockShownStudies } from "../domain/patient-matching.ts";
import { retentionRules } from "./retention.rules.ts";
import { clearUnneededFiles } from "./clear-unneeded-files.ts";
import { deleteJobLeftovers } from "../ingest/retention.writes.ts";
import { deleteNotices } from "../notice/retention.writes.ts";
import { deleteOrphanedCopiesForOrders } from "../order/order-file-copies.writes.ts";
import { deleteOrphanedCleanedFiles } from "../study/delete-deidentified-copies.writes.ts";
import { closeOldQuestions, deleteStudy } from "../study/retention.writes.ts";
import { studyWaiting } from "../study/study.events.ts";
import type { Row } from "../tables/row.ts";
import { describeError } from "../platform/telemetry/redact-error.ts";
import { logEvent } from "../platform/telemetry/log.ts";

interface RowKey {
  institution_id: string;
  id: string;
}
/** Erases a patient with all data. */
export type ErasePatient = (db: Db, patient: { iid: string; id: string; by: null }) => Promise<unknown>;
interface PurgeCounts {
  studies: number;
  patients: number;
  notices: number;
  contents: number;
}

/**
 * Permanently deletes data whose time in the bin is over, and releases files that nothing needs any more. Each row has
 * its own transaction: the job may be killed at any point and continues the next time.
 */
export async function purgeExpired(
  database: Database,
  erase: ErasePatient,
  signal: AbortSignal = new AbortController().signal,
): Promise<PurgeCounts> {
  const each = async (find: (db: Db) => Promise<RowKey[]>, work: (db: Db, key: RowKey) => Promise<boolean>) => {
    for (let all = 0; ;) {
      let done = 0;
      for (const key of await database.asSystem(find)) {
        signal.throwIfAborted();
        // A row that cannot be deleted must not block the others.
        const gone = await database
          .asSystem((db) => work(db, key))
          .catch((error: unknown) => logPurgeError(key, error));
        if (gone) done += 1;
      }
      all += done;
      if (done < rowsPerBatch) return all;
    }
  };
  const studies = await each(listDueStudies, purgeStudy);
  const patients = await each(listDuePatients, purgePatient(erase));
  await database.asSystem((db) => deleteJobLeftovers(db, retentionRules.leftoverDays));
  await database.asSystem(moveUnansweredToInbox);
  await recordUnreferenced(database, signal);
  const contents = await clearUnneededFiles(database, signal);
  await database.asSystem(deleteOrphanedCopies);
  const copies = await clearUnneededFiles(database, signal);
  return { studies, patients, notices: await deleteOldNotices(database, signal), contents: contents + copies };
}

function logPurgeError({ id }: RowKey, error: unknown): false {
  logEvent("error", `purge of ${id}`, describeError(error));
  return false;
}

const rowsPerBatch = 1000;
const daysInterval = (count: number) => sql`make_interval(days => ${count}::int)`;
const isStudyDue = sql<boolean>`(s.deleted_at < now() - ${daysInterval(studyRules.binDays)}
  or exists (select from patient p where p.institution_id = s.institution_id and p.id = s.patient_id and p.deleted_at < now() - ${daysInterval(patientRules.binDays)} and not ${isRetained}))
  and not exists (select from order_file f join orders o on o.institution_id = f.institution_id and o.id = f.order_id
    where f.institution_id = s.institution_id and f.study_id = s.id and o.state <> all(${[...orderLifecycle.terminal]}::text[]))`;

const listDueStudies = async (db: Db): Promise<RowKey[]> =>
  (
    await sql<
      Row<"study", "institution_id" | "id">
    >`select s.institution_id, s.id from study s where s.state <> 'converting' and (s.deleted_at is not null or exists (
        select from patient p where p.institution_id = s.institution_id and p.id = s.patient_id and p.deleted_at is not null))
      and ${isStudyDue} limit ${rowsPerBatch}`.execute(db)
  ).rows;

/** Deletes the study, its converted files and its measurements; its originals unless something else needs them. */
async function purgeStudy(db: Db, { institution_id: iid, id }: RowKey): Promise<boolean> {
  const { rows } = await sql<
    Row<"study", "patient_id">
  >`select patient_id from study s where institution_id = ${iid} and id = ${id} and ${isStudyDue} for update`.execute(
    db,
  );
  if (!rows[0]) return false;
  await lockShownStudies(db, iid, [id]);
  const contents = await deleteStudy(db, iid, id);
  await markUnneeded(db, iid, contents);
  const detail = { patient: rows[0].patient_id, files: contents.filter(({ area }) => area === "originals").length };
  await audit(db, { institution_id: iid, user_id: null, action: "study.purge", subject: id, detail });
  await notifyClients(db, { institutions: [iid] }, "study", id);
  return true;
}

// A patient remains while an order under way names them, and while the record must be retained. A merged record is
// purged together with the record that it became part of; a record that is already erased is no longer due.
const isPatientDue = sql<boolean>`p.deleted_at < now() - ${daysInterval(patientRules.binDays)} and p.merged_into is null and p.haystack <> ''
  and not ${isRetained}
  and not exists (select from study s where s.institution_id = p.institution_id and s.patient_id = p.id)
  and not exists (select from orders o where o.institution_id = p.institution_id and o.patient_id = p.id
    and o.state <> all(${[...orderLifecycle.terminal]}::text[]))
  and not exists (select from ingest_job j where j.institution_id = p.institution_id and j.patient_id = p.id and j.state in ('waiting', 'running'))`;

const listDuePatients = async (db: Db): Promise<RowKey[]> =>
  (
    await sql<
      Row<"patient", "institution_id" | "id">
    >`select p.institution_id, p.id from patient p where ${isPatientDue} limit ${rowsPerBatch}`.execute(db)
  ).rows;

const purgePatient =
  (erase: ErasePatient) =>
  async (db: Db, { institution_id: iid, id }: RowKey): Promise<boolean> => {
    const { rows } =
      await sql`select from patient p where institution_id = ${iid} and id = ${id} and ${isPatientDue} for update`.execute(
        db,
      );
    if (rows.length === 0) return false;
    await erase(db, { iid, id, by: null });
    return true;
  };

/** Moves a study whose question was never answered at the patient to the inbox. */
async function moveUnansweredToInbox(db: Db): Promise<void> {
  for (const { institution, study, kind, isWaiting } of await closeOldQuestions(db, rowsPerBatch)) {
    await notifyClients(db, { institutions: [institution] }, "study", study);
    if (isWaiting) await publish(db, studyWaiting, { institution, kind });
  }
}

/** Deletes copies of originals that no longer exist: streaming copies of scans, and de-identified ones. */
async function deleteOrphanedCopies(db: Db): Promise<void> {
  await deleteOrphanedCopiesForOrders(db);
  await deleteOrphanedCleanedFiles(db);
}

/**
 * Releases originals that are counted and that no row refers to any more: those of deleted drafts and of unused
 * uploads.
 */
async function recordUnreferenced(database: Database, signal: AbortSignal): Promise<void> {
  const page = { olderThanDays: retentionRules.leftoverDays, pageSize: rowsPerBatch };
  const markAfter = (place: StoredOriginal): Promise<StoredOriginal | undefined> =>
    database.asSystem((db) => markUnreferencedOriginals(db, place, page));
  let last = await markAfter({ store: "00000000-0000-0000-0000-000000000000", sha256: "" });
  while (last) {
    signal.throwIfAborted();
    last = await markAfter(last);
  }
}

async function deleteOldNotices(database: Database, signal: AbortSignal): Promise<number> {
  for (let all = 0; ;) {
    signal.throwIfAborted();
    const done = await database.asSystem((db) => deleteNotices(db, retentionRules.noticeDays, rowsPerBatch));
    all += done;
    if (done < rowsPerBatch) return all;
  }
}

import { sql } from "kysely";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { audit } from "../platform/audit/audit.ts";
import { markUnneeded } from "../platform/storage/blob-references.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { isReferenced } from "../platform/storage/file-columns.ts";
import { isRetained } from "../domain/retention-years.ts";
import { lockShownStudies } from "../domain/patient-matching.ts";
import { retentionRules } from "./retention.rules.ts";
import { clearUnneededFiles } from "./clear-unneeded-files.ts";
import { studyWaiting } from "../study/study.events.ts";

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
  await database.asSystem(deleteJobLeftovers);
  await database.asSystem(moveUnansweredToInbox);
  await recordUnreferenced(database, signal);
  const contents = await clearUnneededFiles(database, signal);
  await database.asSystem(deleteOrphanedCopies);
  const copies = await clearUnneededFiles(database, signal);
  return { studies, patients, notices: await deleteOldNotices(database, signal), contents: contents + copies };
}

function logPurgeError({ id }: RowKey, error: unknown): false {
  console.error(JSON.stringify({ level: "error", about: `purge of ${id}`, message: String(error) }));
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
    await sql<RowKey>`select s.institution_id, s.id from study s where s.state <> 'converting' and (s.deleted_at is not null or exists (
        select from patient p where p.institution_id = s.institution_id and p.id = s.patient_id and p.deleted_at is not null))
      and ${isStudyDue} limit ${rowsPerBatch}`.execute(db)
  ).rows;

/** Deletes the study, its converted files and its measurements; its originals unless something else needs them. */
async function purgeStudy(db: Db, { institution_id: iid, id }: RowKey): Promise<boolean> {
  const { rows } = await sql<{
    patient_id: string | null;
  }>`select patient_id from study s where institution_id = ${iid} and id = ${id} and ${isStudyDue} for update`.execute(
    db,
  );
  if (!rows[0]) return false;
  await lockShownStudies(db, iid, [id]);
  const of = async (column: string, table: string): Promise<string[]> =>
    (
      await sql<{
        sha256: string;
      }>`select distinct ${sql.ref(column)} as sha256 from ${sql.table(table)} where institution_id = ${iid}
        and ${sql.ref(table === "study" ? "id" : "study_id")} = ${id} and ${sql.ref(column)} is not null`.execute(db)
    ).rows.map((row) => row.sha256);
  const originals = await of("sha256", "instance");
  const pictures = await Promise.all(["study", "series", "instance"].map((table) => of("thumbnail", table)));
  const converted = [...(await of("sha256", "converted_file")), ...pictures.flat()];
  await sql`delete from study where institution_id = ${iid} and id = ${id}`.execute(db);
  await markUnneeded(db, iid, [
    ...originals.map((sha256) => ({ area: "originals" as const, sha256 })),
    ...converted.map((sha256) => ({ area: "converted" as const, sha256 })),
  ]);
  const detail = { patient: rows[0].patient_id, files: originals.length };
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
    await sql<RowKey>`select p.institution_id, p.id from patient p where ${isPatientDue} limit ${rowsPerBatch}`.execute(
      db,
    )
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
  const { rows } = await sql<{
    institution_id: string;
    study_id: string;
    kind: string;
    is_waiting: boolean;
  }>`with over as (
      delete from study_question q where q.asked_at < now() - ${daysInterval(studyRules.questionDays)} returning q.institution_id, q.study_id)
    select s.institution_id, s.id as study_id, s.kind, s.patient_id is null and s.deleted_at is null as is_waiting
      from over join study s on s.institution_id = over.institution_id and s.id = over.study_id limit ${rowsPerBatch}`.execute(
    db,
  );
  for (const { institution_id: institution, study_id, kind, is_waiting } of rows) {
    await notifyClients(db, { institutions: [institution] }, "study", study_id);
    if (is_waiting) await publish(db, studyWaiting, { institution, kind });
  }
}

/** Discards contents from jobs that were given up, or were killed in their last moment. */
const deleteJobLeftovers = (db: Db) =>
  sql`with left_over as (delete from ingest_content c using ingest_job j where j.institution_id = c.institution_id and j.id = c.job_id
      and j.state in ('done', 'failed', 'cancelled') and j.finished_at < now() - ${daysInterval(retentionRules.leftoverDays)}
      returning c.institution_id, c.area, c.sha256)
    insert into unneeded (store_id, area, sha256) select distinct institution_id, area, sha256 from left_over order by 1, 2, 3 on conflict do nothing`.execute(
    db,
  );

/** Deletes copies of originals that no longer exist: streaming copies of scans, and de-identified ones. */
async function deleteOrphanedCopies(db: Db): Promise<void> {
  for (const copies of ["order_glb", "order_picture", "cleaned_file"])
    await sql`with gone as (delete from ${sql.table(copies)} c where not exists (
          select from stored_file s where s.institution_id = c.institution_id and s.sha256 = c.original) returning c.institution_id, c.sha256)
      insert into unneeded (store_id, area, sha256) select distinct institution_id, 'converted', sha256 from gone order by 1, 2, 3 on conflict do nothing`.execute(
      db,
    );
}

/**
 * Releases originals that are counted and that no row refers to any more: those of deleted drafts and of unused
 * uploads.
 */
async function recordUnreferenced(database: Database, signal: AbortSignal): Promise<void> {
  let [iid, sha256] = ["00000000-0000-0000-0000-000000000000", ""];
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await database.asSystem((db) =>
      sql<{
        institution_id: string;
        sha256: string;
      }>`with page as (select f.institution_id, f.sha256, f.created_at from stored_file f
          where (f.institution_id, f.sha256) > (${iid}::uuid, ${sha256}) order by f.institution_id, f.sha256 limit ${rowsPerBatch}),
        unnamed as (insert into unneeded (store_id, area, sha256) select f.institution_id, 'originals', f.sha256 from page f
          where f.created_at < now() - ${daysInterval(retentionRules.leftoverDays)} and not ${isReferenced("originals", sql`f.institution_id`, sql`f.sha256`)}
          on conflict do nothing)
        select institution_id, sha256 from page order by institution_id desc, sha256 desc limit 1`.execute(db),
    );
    const last = rows[0];
    if (!last) return;
    [iid, sha256] = [last.institution_id, last.sha256];
  }
}

async function deleteOldNotices(database: Database, signal: AbortSignal): Promise<number> {
  for (let all = 0; ;) {
    signal.throwIfAborted();
    const done = await database.asSystem((db) =>
      sql`delete from notice where (user_id, id) in (
        select user_id, id from notice where created_at < now() - ${daysInterval(retentionRules.noticeDays)} limit ${rowsPerBatch})`.execute(
        db,
      ),
    );
    all += Number(done.numAffectedRows);
    if (Number(done.numAffectedRows) < rowsPerBatch) return all;
  }
}

import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import { deleteUploads, insertReceivedUploads } from "../../platform/upload/upload-rows.ts";
import { insertIngestJob } from "../../ingest/ingest-job.writes.ts";
import { reserveSpace } from "../../platform/upload/storage-quota.ts";
import { selectValue } from "../../platform/database/select-value.ts";
import type { Column, Row } from "../../tables/row.ts";

export interface IntakeFile {
  id: string;
  bytes: number;
  sha256: string;
  study: string;
  uid: string;
}
export interface IntakeOwner {
  iid: string;
  uid: string;
  origin: StudyOrigin;
}

/**
 * Returns the contents that are stored under these UIDs, by `study uid`: indexed, or acknowledged and waiting. `offset 0`
 * keeps the search for waiting files a subquery: a join that is planned for an empty table reads all of the institution.
 */
export async function findKnownContents(
  db: Db,
  iid: string,
  files: readonly IntakeFile[],
): Promise<Map<string, Set<string>>> {
  const requested = sql`unnest(${files.map(({ study }) => study)}::text[], ${files.map(({ uid }) => uid)}::text[]) as q (study, uid)`;
  const query = sql<
    Row<"intake", "sha256"> & { study: Column<"intake", "study_uid">; uid: Column<"intake", "sop_uid"> }
  >`${prepared} select q.study, q.uid, i.sha256 from ${requested}
      join study s on s.institution_id = ${iid} and s.uid = q.study and s.deleted_at is null
      join instance i on i.institution_id = ${iid} and i.study_id = s.id and i.sop_uid = q.uid
      left join patient p on p.institution_id = ${iid} and p.id = s.patient_id
    where p.deleted_at is null
    union all select q.study, q.uid, a.sha256 from ${requested}
      cross join lateral (select sha256 from intake
        where institution_id = ${iid} and study_uid = q.study and sop_uid = q.uid offset 0) a`;
  const { rows } = await query.execute(db);
  const found = new Map<string, Set<string>>();
  for (const { study, uid, sha256 } of rows) {
    const key = `${study} ${uid}`;
    found.set(key, (found.get(key) ?? new Set()).add(sha256));
  }
  return found;
}

/**
 * Counts files against the quota together with the other uploads, and records that they wait for a job, which `request`
 * sends. Returns the ids of those that no other request recorded first. Refuses `quotaExceeded`.
 */
export async function recordIntake(
  db: Db,
  { iid, uid, origin }: IntakeOwner,
  files: readonly IntakeFile[],
  request: Promise<unknown>,
): Promise<Set<string>> {
  const column = <K extends keyof IntakeFile>(name: K): IntakeFile[K][] => files.map((file) => file[name]);
  // Sent in one pipeline: they run one after another.
  const counted = insertReceivedUploads(
    db,
    { iid, uid },
    files.map((file) => ({ ...file, name: `${file.uid}.dcm` })),
  );
  const remembered = sql<{ id: Column<"intake", "upload_id"> }>`${prepared} insert into intake
      (institution_id, upload_id, study_uid, sop_uid, sha256, origin, created_by)
    select ${iid}::uuid, f.id, f.study, f.uid, f.sha256, ${origin}, ${uid}::uuid
    from unnest(${column("id")}::uuid[], ${column("study")}::text[], ${column("uid")}::text[], ${column("sha256")}::text[])
      as f (id, study, uid, sha256) order by f.study, f.uid
    on conflict (institution_id, study_uid, sop_uid) do nothing returning upload_id as id`.execute(db);
  // The check comes after the bytes were counted, and last: the holder of the quota lock has only the commit left to do.
  const [{ rows }] = await Promise.all([remembered, counted, request, reserveSpace(db, iid, 0)]);
  const recorded = new Set(rows.map(({ id }) => id));
  const late = column("id").filter((id) => !recorded.has(id));
  if (late.length > 0) await deleteUploads(db, iid, late);
  return recorded;
}

const intakeLockKey = (iid: string) => sql`hashtextextended(${`arcada intake ${iid}`}, 0)`;
/**
 * Begins a transaction that brings files to an institution. It shares a lock with the other requests until it commits:
 * the institution's job sees their files, or is requested again.
 *
 * It also switches the transaction to generic plans. Its other statements find rows by their keys, however many files it has. PostgreSQL cannot tell from
 * their arrays and would plan each of them again for every file, which takes longer than running them. A generic plan is
 * kept until the statistics change: one that was made while a table was empty would read the whole table for every file
 * when it is full. Without sequential scans it uses an index even then.
 */
export const beginIntake = (db: Db, iid: string) =>
  sql`${prepared} select pg_advisory_xact_lock_shared(${intakeLockKey(iid)}), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_seqscan', 'off', true)`.execute(db);

export interface WaitingFile {
  id: string;
  study: string;
  origin: StudyOrigin;
  createdBy: string;
}
interface WaitingFiles {
  /** The files of complete studies, those of one study together and in the order of their arrival. */
  ready: WaitingFile[];
  /** The time until one of the other studies can be complete, in seconds; negative: it already is; null: there are none. */
  nextSeconds: number | null;
}
/**
 * Returns the files of those studies of which no file has arrived for `quietSeconds`, or of which the first has waited
 * for `mostSeconds`. Locks the institution's intake until the transaction ends.
 */
export async function lockWaitingFiles(
  db: Db,
  iid: string,
  { quietSeconds, mostSeconds, studies }: { quietSeconds: number; mostSeconds: number; studies: number },
): Promise<WaitingFiles> {
  await sql`${prepared} select pg_advisory_xact_lock(${intakeLockKey(iid)})`.execute(db);
  const { rows } = await sql<{
    id: Column<"intake", "upload_id">;
    study: Column<"intake", "study_uid">;
    origin: Column<"intake", "origin">;
    createdBy: Column<"intake", "created_by">;
  }>`${prepared} with ready as materialized (
      select study_uid, min(created_at) as first from intake where institution_id = ${iid} group by study_uid
      having max(created_at) <= clock_timestamp() - ${quietSeconds}::float8 * interval '1 second'
        or min(created_at) <= clock_timestamp() - ${mostSeconds}::float8 * interval '1 second'
      order by first, study_uid limit ${studies}::int)
    select i.upload_id as id, i.study_uid as study, i.origin, i.created_by as "createdBy"
      from ready r join intake i on i.institution_id = ${iid} and i.study_uid = r.study_uid
      order by r.first, r.study_uid, i.created_at, i.upload_id`.execute(db);
  const nextSeconds = await selectValue(
    db,
    sql<number | null>`(select extract(epoch from min(least(
        last + ${quietSeconds}::float8 * interval '1 second', first + ${mostSeconds}::float8 * interval '1 second'
      )) - clock_timestamp())::float8 from (
        select min(created_at) as first, max(created_at) as last from intake
        where institution_id = ${iid} and study_uid <> all(${[...new Set(rows.map(({ study }) => study))]}::text[])
        group by study_uid) waiting)`,
  );
  return { ready: rows, nextSeconds };
}

/** Lists the institutions of which files have waited for longer than their jobs allow. */
export const listOverdueIntakes = async (db: Db, seconds: number): Promise<string[]> =>
  (
    await sql<{ iid: Column<"intake", "institution_id"> }>`select distinct institution_id as iid from intake
    where created_at < now() - ${seconds} * interval '1 second' order by 1 limit 1000`.execute(db)
  ).rows.map(({ iid }) => iid);

/**
 * Opens one ingest job for files that came without a patient: the files themselves name their patients. Returns its id.
 */
export async function openIngestJob(
  db: Db,
  { iid, uid, origin }: IntakeOwner,
  uploads: readonly string[],
): Promise<string> {
  const id = newId();
  const key = createHash("sha256")
    .update(JSON.stringify([null, uploads.toSorted()]))
    .digest("hex");
  await sql`${prepared} delete from intake where institution_id = ${iid} and upload_id = any(${[...uploads]}::uuid[])`.execute(
    db,
  );
  const isNew = await insertIngestJob(db, iid, {
    id,
    patientId: null,
    kind: null,
    uploads,
    key,
    acceptMismatch: true,
    by: uid,
    origin,
  });
  if (!isNew) throw new Error("the same files are in another job");
  return id;
}

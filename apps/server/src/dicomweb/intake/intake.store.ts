import { createHash } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import { queryPipelined, sendPipelined } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import { insertIngestJob } from "../../ingest/ingest-job.writes.ts";
import { allowedBytes, refuseIfFull } from "../../platform/upload/storage-quota.ts";
import { selectValue } from "../../platform/database/select-value.ts";
import type { Column } from "../../tables/row.ts";

export interface IntakeFile {
  id: string;
  bytes: number;
  sha256: string;
  study: string;
  uid: string;
  /** Other files of its study belong to the same object, as the slices of a volume do. */
  isPart: boolean;
}
export interface IntakeOwner {
  iid: string;
  uid: string;
  origin: StudyOrigin;
}

/**
 * "kept": the file waits for a job. "same": the same bytes were kept before. "other": other bytes were kept for its
 * object before.
 */
export type RecordedOutcome = "kept" | "same" | "other";

/**
 * Counts files against the quota together with the other uploads, and records that they wait for a job. Returns the
 * outcome of each by its id. Until the transaction ends, it shares a lock with the others that bring files. The statement
 * is sent at once: the commit may follow it without waiting.
 * @param fits "checked": holds the lock of the quota from now on, and refuses `quotaExceeded`
 */
export async function recordIntake(
  db: Db,
  { iid, uid, origin }: IntakeOwner,
  files: readonly IntakeFile[],
  fits: "checked" | "unchecked" = "checked",
): Promise<Map<string, RecordedOutcome>> {
  const column = <K extends keyof IntakeFile>(name: K): IntakeFile[K][] => files.map((file) => file[name]);
  const recorded = sql<{ file: string; outcome: RecordedOutcome }>`${prepared} select file, outcome
    from keep_received_files(${iid}, ${uid}, ${origin}, ${fits === "checked" ? allowedBytes(iid) : null},
      ${column("id")}, ${column("study")}, ${column("uid")}, ${column("sha256")}, ${column("bytes")}, ${column("isPart")})`;
  const [rows] = await queryPipelined(db, [recorded]).catch(refuseIfFull);
  return new Map(rows.map(({ file, outcome }) => [file, outcome]));
}

const lockKey = (what: "intake" | "intake job", iid: string) => sql`hashtextextended(${`arcada ${what} ${iid}`}, 0)`;

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
/** The seconds for which files wait for others of their study. */
interface IntakeWaits {
  /** After its last file. */
  quietSeconds: number;
  /** After its last file, if every file is an image by itself. */
  imageSeconds: number;
  /** After its first file, whatever arrives. */
  mostSeconds: number;
}
/**
 * Returns the files of those studies, at most so many, for which nothing more is waited. It waits for the transactions
 * that are bringing files, and keeps other jobs of the institution out until its own ends. Files that come while it waits
 * queue behind its request. Later ones do not wait for it: they find that this job has begun, and request another.
 */
export async function lockWaitingFiles(
  db: Db,
  iid: string,
  { quietSeconds, imageSeconds, mostSeconds, studies }: IntakeWaits & { studies: number },
): Promise<WaitingFiles> {
  const completeAt = (window: RawBuilder<unknown>) => sql`least(
    max(created_at) ${window} + case when bool_or(is_part) ${window} then ${quietSeconds}::float8 else ${imageSeconds}::float8 end * interval '1 second',
    min(created_at) ${window} + ${mostSeconds}::float8 * interval '1 second')`;
  const [sole, shared] = [lockKey("intake job", iid), lockKey("intake", iid)];
  sendPipelined(db, sql`${prepared} select pg_advisory_xact_lock(${sole})`);
  // The lock of a session, which is released in the same statement.
  sendPipelined(db, sql`${prepared} select pg_advisory_lock(${shared}), pg_advisory_unlock(${shared})`);
  // One pass over the rows: joined with the list of complete studies, they were read again for each study while the
  // statistics were those of an empty table. The subquery reads the clock once, so that no study is taken in part.
  const { rows } = await sql<{
    id: Column<"intake", "upload_id">;
    study: Column<"intake", "study_uid">;
    origin: Column<"intake", "origin">;
    createdBy: Column<"intake", "created_by">;
  }>`${prepared} select upload_id as id, study_uid as study, origin, created_by as "createdBy" from (
      select *, dense_rank() over (order by first, study_uid) as place from (
        select *, min(created_at) over study as first, ${completeAt(sql`over study`)} as complete_at
        from intake where institution_id = ${iid} window study as (partition by study_uid)) waiting
      where complete_at <= (select clock_timestamp())) ready
    where place <= ${studies} order by place, created_at, upload_id`.execute(db);
  const nextSeconds = await selectValue(
    db,
    sql<number | null>`(select extract(epoch from min(complete_at) - clock_timestamp())::float8 from (
        select ${completeAt(sql``)} as complete_at from intake
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

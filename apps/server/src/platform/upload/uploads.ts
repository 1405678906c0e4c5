import { sql } from "kysely";
import type { Selectable } from "kysely";
import { capacityRules, effectiveStates } from "@arcada/contract/capacity/capacity.rules";
import { pendingUploadIds, deleteExpiredUploads } from "./pending-uploads.ts";
import { lockStore } from "../storage/blob-references.ts";
import type { Database, Db } from "../database/database.ts";
import type { FileStore, StoredFileInfo } from "../storage/file-store.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { prepared } from "../database/prepared-statements.ts";
import { refuse } from "../http/refuse.ts";
import { files, uploadParts, freeQuota } from "../runtime/services.ts";
import type { UploadTable } from "../../tables/schema.generated.ts";
import type { UploadParts } from "./upload-parts.ts";
import { defineQueue } from "../jobs/jobs.ts";

const sweepQueue = defineQueue("uploads.sweep");

export interface FinishedUpload {
  id: string;
  name: string;
  bytes: number;
  sha256: string;
}
/** A handler's context, or in a job only the transaction: then the user is not compared. */
export interface FinishContext {
  db: Db;
  principal?: { uid: string };
}

/**
 * Moves a received upload into the store and counts it, in the caller's transaction; a repeated call returns the same.
 * The row stays locked until that transaction ends. Refuses `uploadUnknown`, `uploadIncomplete`, `uploadMismatch`.
 */
export const finishUpload = async (context: FinishContext, iid: string, id: string): Promise<FinishedUpload> =>
  (await finishUploads(context, iid, [id]))[0]!;

/** Finishes several at once, in the requested order: two users who upload the same files wait for each other once. */
export async function finishUploads(
  { db, principal }: FinishContext,
  iid: string,
  ids: readonly string[],
): Promise<FinishedUpload[]> {
  if (ids.length === 0) return [];
  // Content that is removed in the meantime could be the same bytes.
  await lockStore(db, iid, "shared");
  const rows = new Map((await lockUploads(db, iid, ids)).map((row) => [row.id, row]));
  const finished: FinishedUpload[] = [];
  const fresh: FinishedUpload[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (!row || (principal && row.user_id !== principal.uid)) return refuse("uploadUnknown");
    const isFresh = row.state !== "finished";
    const stored = isFresh ? await adoptUpload(iid, row) : { bytes: row.bytes, sha256: row.sha256! };
    const one = { id, name: row.name, ...stored };
    finished.push(one);
    if (isFresh) fresh.push(one);
  }
  if (fresh.length === 0) return finished;
  await recordStoredFiles(db, iid, ...fresh);
  await sql`update upload u set state = 'finished', sha256 = f.sha256, finished_at = now()
    from unnest(${fresh.map(({ id }) => id)}::uuid[], ${fresh.map(({ sha256 }) => sha256)}::text[]) as f (id, sha256)
    where u.institution_id = ${iid} and u.id = f.id`.execute(db);
  return finished;
}

const lockUploads = (db: Db, iid: string, ids: readonly string[]) =>
  db
    .selectFrom("upload")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();

/** The part stays until the sweeper comes: if the transaction rolls back, the upload can be finished again. */
async function adoptUpload(iid: string, row: Selectable<UploadTable>): Promise<StoredFileInfo> {
  const { id, name, sha256 } = row;
  const bytes = (await uploadParts().bytes(id)) ?? 0;
  if (bytes < row.bytes) return refuse("uploadIncomplete", { name });
  if (bytes > row.bytes) return refuse("uploadMismatch", { name });
  return files().adopt("originals", iid, uploadParts().pathOf(id), { keep: true, ...(sha256 && { sha256 }) });
}

/** Records originals that the store holds, however they arrived; they repair damaged ones there. */
export async function recordStoredFiles(db: Db, iid: string, ...stored: StoredFileInfo[]): Promise<void> {
  const names = stored.map(({ sha256 }) => sha256);
  const sizes = stored.map(({ bytes }) => bytes);
  await sql`with mended as (delete from file_fault where store_id = ${iid} and area = 'originals' and sha256 = any(${names}::text[]))
    insert into stored_file (institution_id, sha256, bytes) select ${iid}, * from unnest(${names}::text[], ${sizes}::bigint[]) as f (sha256, bytes)
    order by f.sha256 on conflict do nothing`.execute(db);
}

/** True if a capacity period of table `p` counts now, to the second, even if a job has not updated its state yet. */
export const isPeriodActive = sql<boolean>`(p.state = any(${[...effectiveStates]}::text[]) and p.starts_at <= now() and p.expires_at > now())`;

const toBytes = (gigabytes: number): number => gigabytes * 1024 ** 3;
export const freeBytes = toBytes(capacityRules.freeGigabytes);

/**
 * Returns the bytes that an institution's originals take, each content once, those that uploads under way have
 * requested, and those that it may have: the free base and its periods in effect.
 */
export async function readStorageUsage(
  db: Db,
  iid: string,
): Promise<{ stored: number; coming: number; allowed: number }> {
  const { rows } = await sql<{ stored: number; coming: number; base: number | null; bought: number }>`${prepared} select
    (select coalesce(sum(bytes), 0)::bigint from stored_file where institution_id = ${iid}) as stored,
    (select coalesce(sum(bytes), 0)::bigint from upload where institution_id = ${iid} and state <> 'finished') as coming,
    (select gigabytes from institution_quota where institution_id = ${iid}) as base,
    (select coalesce(sum(p.gigabytes), 0)::int from capacity_period p where p.institution_id = ${iid} and ${isPeriodActive}) as bought`.execute(
    db,
  );
  const { stored, coming, base, bought } = rows[0]!;
  return { stored, coming, allowed: toBytes((base ?? freeQuota().gigabytes) + bought) };
}

/**
 * Refuses `quotaExceeded` if so many more bytes do not fit; two parallel requests for the last space wait for each
 * other.
 */
export async function reserveSpace(db: Db, iid: string, bytes: number): Promise<void> {
  const lock = sql`${prepared} select pg_advisory_xact_lock(hashtextextended(${`arcada storage ${iid}`}, 0))`;
  // Sent in one pipeline: the sums are computed after the lock was obtained.
  const [, { stored, coming, allowed }] = await Promise.all([lock.execute(db), readStorageUsage(db, iid)]);
  if (stored + coming + bytes > allowed) refuse("quotaExceeded");
}

/** Refuses `quotaExceeded` if nothing more fits, without waiting for those who reserve space at this moment. */
export async function requireSpace(db: Db, iid: string): Promise<void> {
  const { stored, coming, allowed } = await readStorageUsage(db, iid);
  if (stored + coming >= allowed) refuse("quotaExceeded");
}

export const uploadRules = { keptDays: 7, finishedDays: 7, orphanMinutes: 60 } as const;

/**
 * Removes unfinished uploads, leftovers of finished ones, and leftovers of crashed writers. Safe to run anywhere and at
 * any time.
 */
export async function removeStaleUploads(
  database: Database,
  where: { parts: UploadParts; files: FileStore } = { parts: uploadParts(), files: files() },
): Promise<number> {
  await deleteExpiredUploads(database, where.parts, new Date());
  const activeIds = await database.asSystem(async (db) => {
    await sql`delete from upload where state <> 'finished' and created_at < now() - ${uploadRules.keptDays} * interval '1 day'`.execute(
      db,
    );
    await sql`delete from upload where state = 'finished' and finished_at < now() - ${uploadRules.finishedDays} * interval '1 day'`.execute(
      db,
    );
    const rows = await db.selectFrom("upload").select("id").where("state", "<>", "finished").execute();
    return new Set(rows.map((row) => row.id));
  });
  for (const id of await pendingUploadIds(database)) activeIds.add(id);
  const before = Date.now() - uploadRules.orphanMinutes * 60_000;
  const stale = (await where.parts.list()).filter((part) => !activeIds.has(part.id) && part.touchedAt < before);
  for (const part of stale) await where.parts.remove(part.id);
  return stale.length + (await where.files.removeStale());
}

/** Registers the sweepers, which clean the disk once an hour, in one of all processes. */
export async function registerUploadSweeper(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(sweepQueue, () => removeStaleUploads(database));
  await jobs.schedule(sweepQueue, "17 * * * *");
}

import { sql } from "kysely";
import { pendingUploadIds, deleteExpiredUploads } from "./expire-announced-uploads.ts";
import type { Database } from "../database/database.ts";
import type { Row } from "../../tables/row.ts";
import type { FileStore } from "../storage/file-store.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { files, uploadParts } from "../runtime/services.ts";
import { repairStorageTally } from "./storage-tally.ts";
import type { UploadParts } from "./upload-parts.ts";
import { defineQueue } from "../jobs/jobs.ts";

const sweepQueue = defineQueue("uploads.sweep");
const tallyQueue = defineQueue("uploads.tally");

export const uploadRules = { keptDays: 7, finishedDays: 7, finishedMinutes: 60, unknownHours: 24 } as const;

/**
 * Removes unfinished uploads, leftovers of finished ones, and leftovers of crashed writers. Safe to run anywhere and at
 * any time.
 */
export async function removeStaleUploads(
  database: Database,
  where: { parts: UploadParts; files: FileStore } = { parts: uploadParts(), files: files() },
): Promise<number> {
  await deleteExpiredUploads(database, where.parts, new Date());
  const expiredIds = new Set<string>();
  const activeIds = await database.asSystem(async (db) => {
    const expired = await sql<Row<"upload", "id">>`delete from upload
      where state <> 'finished' and created_at < now() - ${uploadRules.keptDays} * interval '1 day' returning id`.execute(
      db,
    );
    for (const { id } of expired.rows) expiredIds.add(id);
    await sql`delete from upload where state = 'finished' and finished_at < now() - ${uploadRules.finishedDays} * interval '1 day'`.execute(
      db,
    );
    const rows = await db.selectFrom("upload").select("id").where("state", "<>", "finished").execute();
    return new Set(rows.map((row) => row.id));
  });
  for (const id of await pendingUploadIds(database)) activeIds.add(id);
  const now = Date.now();
  const idle = (await where.parts.list()).filter(
    ({ id, touchedAt }) => !activeIds.has(id) && touchedAt < now - uploadRules.finishedMinutes * 60_000,
  );
  const finished = await listFinished(
    database,
    idle.map(({ id }) => id),
  );
  // The files of a request for many instances have no row until its whole body has arrived, which can last for hours.
  const oldest = now - uploadRules.unknownHours * 3_600_000;
  const stale = idle.filter(({ id, touchedAt }) => finished.has(id) || expiredIds.has(id) || touchedAt < oldest);
  for (const part of stale) await where.parts.remove(part.id);
  return stale.length + (await where.files.removeStale());
}

const listFinished = (database: Database, ids: readonly string[]): Promise<Set<string>> =>
  database.asSystem(async (db) => {
    const { rows } = await sql<Row<"upload", "id">>`select id from upload
      where id = any(${ids}::uuid[]) and state = 'finished'`.execute(db);
    return new Set(rows.map(({ id }) => id));
  });

/** Registers what one of all processes does: it cleans the disk once an hour, and checks the storage tally at night. */
export async function registerUploadSweeper(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(sweepQueue, () => removeStaleUploads(database));
  await jobs.schedule(sweepQueue, "17 * * * *");
  await jobs.work(tallyQueue, (_, signal) => repairStorageTally(database, signal));
  await jobs.schedule(tallyQueue, "41 2 * * *");
}

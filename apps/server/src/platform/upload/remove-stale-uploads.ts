import { sql } from "kysely";
import { pendingUploadIds, deleteExpiredUploads } from "./expire-announced-uploads.ts";
import type { Database } from "../database/database.ts";
import type { FileStore } from "../storage/file-store.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { files, uploadParts } from "../runtime/services.ts";
import { repairStorageTally } from "./storage-tally.ts";
import type { UploadParts } from "./upload-parts.ts";
import { defineQueue } from "../jobs/jobs.ts";

const sweepQueue = defineQueue("uploads.sweep");
const tallyQueue = defineQueue("uploads.tally");

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

/** Registers what one of all processes does: it cleans the disk once an hour, and checks the storage tally at night. */
export async function registerUploadSweeper(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(sweepQueue, () => removeStaleUploads(database));
  await jobs.schedule(sweepQueue, "17 * * * *");
  await jobs.work(tallyQueue, (_, signal) => repairStorageTally(database, signal));
  await jobs.schedule(tallyQueue, "41 2 * * *");
}

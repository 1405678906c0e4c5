import type { Database } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { retentionRules } from "./retention.rules.ts";
import { purgeExpired, type ErasePatient } from "./purge-expired.ts";
import { scrubStore } from "./scrub-stored-files.ts";
import { removeOrphanedFiles } from "./remove-orphaned-files.ts";
import { dropUnusedDerivedFiles } from "./drop-unused-derived-files.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";

const purgeQueue = defineQueue("keeping.purge");
const derivedFilesQueue = defineQueue("keeping.unprepare");
const orphansQueue = defineQueue("keeping.strays");
const scrubQueue = defineQueue("keeping.scrub");

/** Registers the jobs that keep the store small and sound. They run at night, each in one of the processes. */
export async function registerRetention(jobs: Jobs, database: Database, erase: ErasePatient): Promise<void> {
  await jobs.work(purgeQueue, (_, signal) => purgeExpired(database, erase, signal));
  await jobs.schedule(purgeQueue, "23 18 * * *");
  await jobs.work(derivedFilesQueue, (_, signal) => dropUnusedDerivedFiles(database, signal));
  await jobs.schedule(derivedFilesQueue, "53 18 * * *");
  await jobs.work(orphansQueue, async (_, signal) => void (await removeOrphanedFiles(database, signal)));
  await jobs.schedule(orphansQueue, "41 18 * * 6");
  await jobs.work(scrubQueue, async (_, signal) => {
    const { finished_at } = await scrubStore(database, {
      bytesPerSecond: retentionRules.scrubBytesPerSecond,
      stretchMs: retentionRules.scrubStretchMs,
      signal,
    });
    if (finished_at === null)
      await database.asSystem((db) => jobs.send(db, scrubQueue, {}, { singletonKey: "on", afterSeconds: 1 }));
  });
  await jobs.schedule(scrubQueue, "11 19 * * 6");
}

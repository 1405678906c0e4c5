import type { Database } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { retentionRules } from "./retention.rules.ts";
import { purgeExpired, type ErasePatient } from "./purge.ts";
import { scrubStore } from "./scrub.ts";
import { removeOrphanedFiles } from "./remove-orphans.ts";
import { dropUnusedDerivedFiles } from "./drop-unused-derived.ts";

/** Registers the jobs that keep the store small and sound. They run at night, each in one of the processes. */
export async function registerRetention(jobs: Jobs, database: Database, erase: ErasePatient): Promise<void> {
  await jobs.work("keeping.purge", (_, signal) => purgeExpired(database, erase, signal));
  await jobs.schedule("keeping.purge", "23 18 * * *");
  await jobs.work("keeping.unprepare", (_, signal) => dropUnusedDerivedFiles(database, signal));
  await jobs.schedule("keeping.unprepare", "53 18 * * *");
  await jobs.work("keeping.strays", async (_, signal) => void (await removeOrphanedFiles(database, signal)));
  await jobs.schedule("keeping.strays", "41 18 * * 6");
  await jobs.work("keeping.scrub", async (_, signal) => {
    const { finished_at } = await scrubStore(database, {
      bytesPerSecond: retentionRules.scrubBytesPerSecond,
      stretchMs: retentionRules.scrubStretchMs,
      signal,
    });
    if (finished_at === null)
      await database.asSystem((db) => jobs.send(db, "keeping.scrub", {}, { singletonKey: "on", afterSeconds: 1 }));
  });
  await jobs.schedule("keeping.scrub", "11 19 * * 6");
}

import type { Database } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { keepingRules } from "./keeping.rules.ts";
import { purge, type Erase } from "./purge.ts";
import { scrub } from "./scrub.ts";
import { removeStrays } from "./strays.ts";
import { unprepareUnused } from "./unprepare.ts";

/** Registers the jobs that keep the store small and sound. They run at night, each in one of the processes. */
export async function registerKeeping(jobs: Jobs, database: Database, erase: Erase): Promise<void> {
  await jobs.work("keeping.purge", (_, signal) => purge(database, erase, signal));
  await jobs.schedule("keeping.purge", "23 18 * * *");
  await jobs.work("keeping.unprepare", (_, signal) => unprepareUnused(database, signal));
  await jobs.schedule("keeping.unprepare", "53 18 * * *");
  await jobs.work("keeping.strays", async (_, signal) => void (await removeStrays(database, signal)));
  await jobs.schedule("keeping.strays", "41 18 * * 6");
  await jobs.work("keeping.scrub", async (_, signal) => {
    const { finished_at } = await scrub(database, {
      bytesPerSecond: keepingRules.scrubBytesPerSecond,
      stretchMs: keepingRules.scrubStretchMs,
      signal,
    });
    if (finished_at === null)
      await database.asSystem((db) => jobs.send(db, "keeping.scrub", {}, { singletonKey: "on", afterSeconds: 1 }));
  });
  await jobs.schedule("keeping.scrub", "11 19 * * 6");
}

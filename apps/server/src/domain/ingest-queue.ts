import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { jobs } from "../platform/runtime/services.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import { selectValue } from "../platform/database/select-value.ts";

export const ingestQueue = defineQueue<{ iid: string; job: string }>("ingest");

/** The number of jobs of one institution that run at once in a process, out of its `teamSize`. */
export const ingestConcurrency = { teamSize: 3, ofOneGroup: 2 } as const;

/** A longer queue of an institution makes no difference. */
const maxCounted = 10_000;

/**
 * Sends a job whose row is written in the same transaction. The more jobs of its institution wait, the later it runs:
 * an institution's hundredth job runs after the first ninety-nine of every other one, however late these arrive.
 */
export async function sendIngestJob(db: Db, key: { iid: string; job: string }): Promise<void> {
  const waitingCount = await selectValue(
    db,
    sql<number>`(select count(*)::int from (
      select from ingest_job where institution_id = ${key.iid} and state = 'waiting' limit ${maxCounted}) as own)`,
  );
  await jobs().send(db, ingestQueue, key, { singletonKey: key.job, group: key.iid, priority: -waitingCount });
}

import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { jobs } from "../platform/runtime/services.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import { selectValue } from "../platform/database/select-value.ts";

export const ingestQueue = defineQueue<{ iid: string; job: string }>("ingest");

/** The number of jobs of one institution that run at once in a process, out of its `teamSize`. */
export const ingestConcurrency = { teamSize: 3, ofOneGroup: 2 } as const;

/** A job outlasts two minutes without the bucket or the disk, and goes on soon after that. */
const patience = { tries: 10, longestWaitSeconds: 20 } as const;

/** A sender with more jobs than these in the queue imports in bulk. */
const mostInteractive = 10;

/**
 * Sends a job whose row is written in the same transaction. Institutions take turns, and within one the imports in bulk
 * have turns of their own: a picture that a person waits for overtakes the archive that a program sends.
 */
export async function sendIngestJob(db: Db, key: { iid: string; job: string }): Promise<void> {
  const isBulk = await selectValue(
    db,
    sql<boolean>`(select count(*) > ${mostInteractive} from (
      select from ingest_job own join ingest_job w on w.institution_id = own.institution_id and w.created_by = own.created_by
      where own.institution_id = ${key.iid} and own.id = ${key.job} and w.state = 'waiting' limit ${mostInteractive + 1}) as waiting)`,
  );
  await jobs().send(db, ingestQueue, key, { singletonKey: key.job, group: key.iid, isBulk, patience });
}

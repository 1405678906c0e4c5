import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { jobs } from "../platform/runtime/services.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import { selectValue } from "../platform/database/select-value.ts";

export interface IngestMessage {
  iid: string;
  job: string;
  /** The number of runs that ended because a part of the server was away. */
  outages?: number;
  /** The time in ms (`Date.now()`) until which the conversion lets the index of other studies come first. */
  yieldsUntil?: number;
}
export const ingestQueue = defineQueue<IngestMessage>("ingest");

/** The number of jobs of one institution that run at once in a process, out of its `teamSize`. */
export const ingestConcurrency = { teamSize: 3, ofOneGroup: 2 } as const;

/**
 * A job that ends its worker, or fails for a reason that is not known, is given up after a few tries. One that finds a
 * part of the server away waits for three days, as emails do, and goes on within three minutes after that.
 */
export const ingestPatience = { tries: 10, longestWaitSeconds: 20, outages: 1500, longestOutageWaitSeconds: 180 };

/** Returns the wait after so many outages: short at first, and as long as the outage so far until the limit. */
const waitAfter = (outages: number): number =>
  Math.min(2 ** Math.min(outages, 10), ingestPatience.longestOutageWaitSeconds);

/** A sender with more jobs than these in the queue imports in bulk. */
const mostInteractive = 10;

/**
 * Sends a job whose row is written in the same transaction. Institutions take turns, and within one the imports in bulk
 * have turns of their own: a picture that a person waits for overtakes the archive that a program sends.
 */
export async function sendIngestJob(db: Db, message: IngestMessage): Promise<void> {
  const { iid, job } = message;
  const isBulk = await selectValue(
    db,
    sql<boolean>`(select count(*) > ${mostInteractive} from (
      select from ingest_job own join ingest_job w on w.institution_id = own.institution_id and w.created_by = own.created_by
      where own.institution_id = ${iid} and own.id = ${job} and w.state = 'waiting' limit ${mostInteractive + 1}) as waiting)`,
  );
  const { outages = 0, yieldsUntil } = message;
  const { tries, longestWaitSeconds } = ingestPatience;
  await jobs().send(db, ingestQueue, message, {
    singletonKey: job,
    group: iid,
    isBulk,
    patience: { tries, longestWaitSeconds },
    ...(outages > 0 && { afterSeconds: waitAfter(outages) }),
    ...(yieldsUntil !== undefined && { afterSeconds: yieldSeconds }),
  });
}

const maxYieldMs = 15_000;
const yieldSeconds = 1;

/**
 * Sends a job again whose studies are indexed, before their conversion, if another job of the same program waits: a
 * program that sends an archive finds its studies first, and their images are converted afterwards. Returns false for a
 * person's upload, and once that has been put off for a quarter of a minute.
 */
export async function yieldToIndex(
  db: Db,
  { iid, job, yieldsUntil = Date.now() + maxYieldMs }: IngestMessage,
): Promise<boolean> {
  if (Date.now() >= yieldsUntil) return false;
  const hasOthers = await selectValue(
    db,
    sql<boolean>`exists (select from ingest_job own join ingest_job w on w.institution_id = own.institution_id and w.created_by = own.created_by
      where own.institution_id = ${iid} and own.id = ${job} and own.origin <> 'upload' and w.state = 'waiting')`,
  );
  if (hasOthers) await sendIngestJob(db, { iid, job, yieldsUntil });
  return hasOthers;
}

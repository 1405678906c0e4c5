import { sql, type Selectable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { jobs } from "../platform/runtime/services.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import { selectValue } from "../platform/database/select-value.ts";
import type { IngestJobTable } from "../tables/schema.generated.ts";

export interface IngestMessage {
  iid: string;
  job: string;
  /** The number of runs that ended because a part of the server was away. */
  outages?: number;
  /** The number of runs that put its conversion off. */
  yields?: number;
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
  const { outages = 0, yields } = message;
  const { tries, longestWaitSeconds } = ingestPatience;
  await jobs().send(db, ingestQueue, message, {
    singletonKey: job,
    group: iid,
    isBulk: isBulk || yields !== undefined,
    patience: { tries, longestWaitSeconds },
    ...(outages > 0 ? { afterSeconds: waitAfter(outages) } : yields !== undefined && { afterSeconds: yieldSeconds }),
  });
}

const maxYields = 4;
const yieldSeconds = 4;

/**
 * Sends a job again whose studies are indexed, before their conversion, if other jobs or files of the same program wait: a
 * program that sends an archive finds its studies first, and their images are converted afterwards. Returns false if the job goes
 * on: if a person may wait for it, after an outage, and once it has been put off four times. Files that no job has taken
 * yet put it off once at most: a device that sends a radiograph every few seconds does not delay it again and again.
 */
export async function yieldToIndex(
  db: Db,
  {
    institution_id: iid,
    id,
    origin,
    again,
  }: Pick<Selectable<IngestJobTable>, "institution_id" | "id" | "origin" | "again">,
  { outages = 0, yields = 0 }: Pick<IngestMessage, "outages" | "yields">,
): Promise<boolean> {
  if (again || outages > 0 || yields >= maxYields || (origin !== "stow" && origin !== "dimse")) return false;
  const hasOthers = await selectValue(
    db,
    sql<boolean>`exists (select from ingest_job own join ingest_job w on w.institution_id = own.institution_id and w.created_by = own.created_by
      where own.institution_id = ${iid} and own.id = ${id} and w.state = 'waiting' and not w.again)
      or exists (select from ingest_job own join intake f on f.institution_id = own.institution_id and f.created_by = own.created_by
        where ${yields === 0} and own.institution_id = ${iid} and own.id = ${id} and not f.is_part)`,
  );
  if (hasOthers) await sendIngestJob(db, { iid, job: id, yields: yields + 1 });
  return hasOthers;
}

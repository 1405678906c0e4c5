import type { Db } from "../platform/database/database.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import { jobs } from "../platform/runtime/services.ts";

export interface CoarseCopyJob {
  iid: string;
  /** Content of the streaming copy. */
  glb: string;
  /** A scan of a study, or the original of an order's scan. */
  scan: { study: string; instance: string } | { original: string };
}
export const coarseCopyQueue = defineQueue<CoarseCopyJob>("ingest.coarse");

/** A part of the server may be away for an hour or two. */
const patience = { tries: 30, longestWaitSeconds: 300 };

/** Requests the coarse copy of a large scan, in the transaction that publishes its streaming copy. */
export async function requestCoarseCopy(db: Db, job: CoarseCopyJob): Promise<void> {
  const { iid, glb, scan } = job;
  const name = "original" in scan ? scan.original : scan.instance;
  await jobs().send(db, coarseCopyQueue, job, { singletonKey: `${iid} ${name} ${glb}`, group: iid, patience });
}

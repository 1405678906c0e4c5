import type { Db } from "../platform/database/database.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import { jobs } from "../platform/runtime/services.ts";

/** Makes studies of an institution findable by DICOMweb; sent by what took them in. */
export const indexQueue = defineQueue<{ iid: string; studies: readonly string[] }>("dicomweb.index");

/** Institutions take turns between jobs: an import of thousands of studies must not be a single one. */
const studiesOfJob = 64;

/**
 * Sends the studies that an ingest job took in, in jobs of a bounded size.
 * @param job the ingest job: if it sends the same studies again, the jobs that wait stay the only ones
 */
export async function sendIndexJobs(db: Db, iid: string, job: string, studies: readonly string[]): Promise<void> {
  for (let from = 0; from < studies.length; from += studiesOfJob) {
    const singletonKey = studies.length === 1 ? studies[0]! : `${job} ${from}`;
    await jobs().send(
      db,
      indexQueue,
      { iid, studies: studies.slice(from, from + studiesOfJob) },
      { singletonKey, group: iid },
    );
  }
}

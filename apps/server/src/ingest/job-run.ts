import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import type { Database, Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { uploadParts } from "../platform/runtime/services.ts";
import type { JobKey, JobRow } from "./job-content-records.store.ts";
import { createHeaderPrefetch, type HeaderPrefetch } from "./read/header-prefetch.ts";
import { updateJobProgress } from "./ingest.store.ts";

/** A user cancelled the job: it ends without a message. */
export class JobCancelled extends Error {
  override name = "Cancelled";
}

/** A running job. */
export interface JobRun {
  key: JobKey;
  job: JobRow;
  /** Next to the uploads, so that unpacked files can be moved into the store without a copy. */
  folder: string;
  signal: AbortSignal;
  headers: HeaderPrefetch;
  /** Runs a transaction in the tenant scope of the job's institution, as the user who opened the job. */
  as<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Reports the progress of a stage (0 to 1) now and then; throws Cancelled if the job was cancelled. */
  step(stage: Stage, share: number): Promise<void>;
}
type Stage = IngestJob["stage"];

/** Begin and end of each stage, as shares of the whole job. */
const stageSpans: Record<Stage, readonly [number, number]> = {
  receiving: [0, 0.1],
  unpacking: [0.1, 0.2],
  reading: [0.2, 0.4],
  storing: [0.4, 0.5],
  converting: [0.5, 1],
  done: [1, 1],
};
const reportEveryMs = 400;
/** Colleagues hear less often than the one who waits: each event is written to all open pages of an institution. */
const reportToAllEveryMs = 4000;

export async function openRun(database: Database, key: JobKey, job: JobRow, signal: AbortSignal): Promise<JobRun> {
  const as: JobRun["as"] = (work) => database.as({ system: false, iid: key.iid, uid: job.created_by }, work);
  let [reportedAt, reportedToAllAt] = [0, 0];
  let reportedStage: Stage | null = null;
  const folder = await createRunFolder(path.join(uploadParts().workFolder, "unpacking"));
  const step: JobRun["step"] = async (stage, share) => {
    signal.throwIfAborted();
    if (stage === reportedStage && Date.now() - reportedAt < reportEveryMs) return;
    const concernsAll = stage !== reportedStage || Date.now() - reportedToAllAt >= reportToAllEveryMs;
    [reportedAt, reportedStage] = [Date.now(), stage];
    if (concernsAll) reportedToAllAt = reportedAt;
    const readers = concernsAll ? { institutions: [key.iid] } : { user: job.created_by };
    const [from, to] = stageSpans[stage];
    const isRunning = await as(async (db) => {
      await notifyClients(db, readers, "study", key.job);
      return updateJobProgress(db, key, stage, from + (to - from) * Math.min(1, share));
    });
    if (!isRunning) throw new JobCancelled();
  };
  return { key, job, folder, signal, headers: createHeaderPrefetch(signal, key.iid), as, step };
}

/** Makes a folder for this run alone, because the queue may restart a job while its lost run still works. */
async function createRunFolder(all: string): Promise<string> {
  await mkdir(all, { recursive: true });
  for (const name of await readdir(all)) {
    const old = await stat(path.join(all, name)).catch(() => null);
    if (old && Date.now() - old.mtimeMs > abandonedMs) await rm(path.join(all, name), { recursive: true, force: true });
  }
  return mkdtemp(path.join(all, "job-"));
}

// No job may run for longer (the queue's expireInSeconds); files of a killed run may be removed after that.
const abandonedMs = 4 * 3600_000;

export const closeRun = (jobRun: JobRun): Promise<void> => rm(jobRun.folder, { recursive: true, force: true });

export const maxFlushes = 8;

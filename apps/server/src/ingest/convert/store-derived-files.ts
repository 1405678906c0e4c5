import { forEachConcurrent } from "../../platform/runtime/concurrency.ts";
import { files } from "../../platform/runtime/services.ts";
import type { TypedFile } from "../../study/conversion.writes.ts";
import type { Db } from "../../platform/database/database.ts";
import { recordContents } from "../job-content-records.store.ts";
import { lockJob } from "../ingest.store.ts";
import { JobCancelled, maxFlushes, type JobRun } from "../job-run.ts";
import type { DerivedFile } from "./pixel-task-types.ts";

/** Writes only while the job runs, so that data that a cancelled job has removed do not come back. */
export const saveIfRunning = (run: JobRun, work: (db: Db) => Promise<void>): Promise<void> =>
  run.as(async (db) => {
    if (!(await lockJob(db, run.key))) throw new JobCancelled();
    await work(db);
  });

/** Moves a file that a task made into the store. */
export const storeDerivedFile = async (run: JobRun, file: DerivedFile): Promise<TypedFile> =>
  (await storeDerivedFiles(run, [file]))[0]!;

/** Moves files that a task made into the store, in this order. */
export async function storeDerivedFiles(run: JobRun, derived: readonly DerivedFile[]): Promise<TypedFile[]> {
  const contents = derived.map(({ sha256 }) => sha256);
  await run.as((db) => recordContents(db, run.key, "converted", contents));
  const stored: TypedFile[] = [];
  // The disk flushes several files in about the time of one.
  await forEachConcurrent(derived, maxFlushes, async ({ path: at, sha256, type }, place) => {
    stored[place] = { ...(await files().adopt("converted", run.key.iid, at, { sha256 })), type };
  });
  return stored;
}

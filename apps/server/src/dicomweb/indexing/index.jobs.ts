import type { Database, Db } from "../../platform/database/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { divideIntoBatches } from "../../platform/storage/file-batches.ts";
import { withLocalPaths } from "../../platform/storage/local-paths.ts";
import type { DicomInstanceTable } from "../../tables/schema.generated.ts";
import type { IndexedInstance, ReadStep } from "../worker/dicom-task-types.ts";
import * as store from "./index.store.ts";
import { runDicomTask } from "../worker/run-dicom-task.ts";
import { indexQueue } from "../../domain/dicomweb-index-queue.ts";
import { defineQueue, type QueueData } from "../../platform/jobs/jobs.ts";
import { forEachConcurrent } from "../../platform/runtime/concurrency.ts";

const backfillQueue = defineQueue("dicomweb.backfill");

/**
 * Registers the jobs that index new files for DICOMweb, and in small batches the files that are older than the DICOMweb
 * support.
 */
export async function registerIndexing(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(indexQueue, (job, signal) => indexStudies(database, job, signal));
  await jobs.work(backfillQueue, () => backfill(jobs, database));
  await jobs.schedule(backfillQueue, "* * * * *");
}

/** The data of jobs that earlier versions sent name one study. */
type IndexJob = QueueData<typeof indexQueue> | { iid: string; study: string };

const instancesPerBatch = 64;
const studiesOfBatch = 100;
/** Returns true for a UID that may be part of a path. */
export const isPathUid = (text: string): boolean => /^[0-9.]{1,64}$/.test(text);

/** The job may be killed at any moment and run again: instances that were indexed stay indexed. */
export async function indexStudies(database: Database, job: IndexJob, signal: AbortSignal): Promise<void> {
  const { iid } = job;
  const as = <T>(work: (db: Db) => Promise<T>) => database.as({ system: false, iid, uid: null }, work);
  const studies = ("studies" in job ? [...job.studies] : [job.study]).toSorted();
  const unread = await as((db) => store.listUnindexed(db, iid, studies));
  for (const batch of groupIntoBatches(studies, unread)) {
    for (let from = 0; from < batch.instances.length; from += instancesPerBatch) {
      signal.throwIfAborted();
      const rows = await readInstances(iid, batch.instances.slice(from, from + instancesPerBatch));
      await as((db) => store.saveInstances(db, iid, rows));
    }
    await as((db) => store.saveLevels(db, iid, batch.studies));
  }
}

interface Batch {
  studies: string[];
  instances: store.UnindexedInstance[];
}
/** Studies become findable together, as soon as there are enough instances for a transaction. */
function groupIntoBatches(studies: readonly string[], instances: readonly store.UnindexedInstance[]): Batch[] {
  const byStudy = Map.groupBy(instances, ({ study_id }) => study_id);
  const batches: Batch[] = [];
  for (const study of studies) {
    const last = batches.at(-1);
    const own = byStudy.get(study) ?? [];
    if (last && last.studies.length < studiesOfBatch && last.instances.length + own.length <= instancesPerBatch) {
      last.studies.push(study);
      last.instances.push(...own);
    } else batches.push({ studies: [study], instances: [...own] });
  }
  return batches;
}

/** The number of threads that read at once. */
const maxParallelReads = 2;
/** Small files share a task, which costs as much as reading one. Its thread is not free for others until it has ended. */
const readAtOnce = { files: 16, bytes: 4 * 1024 * 1024 } as const;

async function readInstances(
  iid: string,
  instances: readonly store.UnindexedInstance[],
): Promise<DicomInstanceTable[]> {
  const rows: DicomInstanceTable[] = [];
  await forEachConcurrent(divideIntoBatches(instances, readAtOnce), maxParallelReads, async (batch) => {
    for (const [at, read] of (await readStoredInstances(iid, batch)).entries())
      if (read && isPathUid(read.study) && isPathUid(read.series) && isPathUid(read.uid))
        rows.push(toInstanceRow(iid, batch[at]!.study_id, batch[at]!.id, read));
  });
  return rows;
}

/**
 * Null: a file that cannot be read, or does not exist any more. It is not retried by itself. A file that used up its time
 * is not read a second time, and neither are those that were read before it.
 */
async function readStoredInstances(
  iid: string,
  instances: readonly store.UnindexedInstance[],
): Promise<(IndexedInstance | null)[]> {
  const contents = instances.map(({ sha256 }) => ({ area: "originals" as const, sha256 }));
  const bytes = instances.reduce((sum, one) => sum + one.bytes, 0);
  const read: ReadStep[] = [];
  let [began, lastReadAt] = [0, 0];
  try {
    await withLocalPaths(iid, contents, (paths) => {
      began = lastReadAt = performance.now();
      return runDicomTask({ do: "read", paths }, bytes, iid, (step) => {
        read.push(step as ReadStep);
        lastReadAt = performance.now();
      });
    });
    return read;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (instances.length === 1) return [null];
    const now = performance.now();
    // The time is that of all files together: others may have used most of it.
    if (error.refusal === "fileTooSlow" && now - lastReadAt > (now - began) / 2) {
      const rest = instances.slice(read.length + 1);
      return [...read, null, ...(rest.length > 0 ? await readStoredInstances(iid, rest) : [])];
    }
    // One of them is missing, or has ended the thread.
    for (const one of instances.slice(read.length)) read.push(...(await readStoredInstances(iid, [one])));
    return read;
  }
}

const toInstanceRow = (iid: string, study: string, id: string, read: IndexedInstance): DicomInstanceTable => ({
  institution_id: iid,
  instance_id: id,
  study_id: study,
  series_uid: read.series,
  uid: read.uid,
  sop_class: read.sopClass,
  number: read.number,
  frames: read.frames,
  syntax: read.syntax,
  attributes: read.attributes,
  metadata: read.metadata,
  frames_at: read.frameByteRange?.offset ?? null,
  frame_bytes: read.frameByteRange?.bytesPerFrame ?? null,
});

const studiesPerBatch = 200;
async function backfill(jobs: Jobs, database: Database): Promise<void> {
  await database.asSystem(async (db) => {
    const unindexed = await store.listUnindexedStudies(db, studiesPerBatch);
    for (const [iid, keys] of Map.groupBy(unindexed, (key) => key.iid)) {
      const studies = keys.map(({ study }) => study);
      await jobs.send(db, indexQueue, { iid, studies }, { singletonKey: `backfill ${iid}`, group: iid, isBulk: true });
    }
  });
}

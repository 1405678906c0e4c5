import type { Database, Db } from "../../platform/database/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import type { DicomInstanceTable } from "../../tables/schema.generated.ts";
import type { IndexedInstance } from "../worker/dicom-task-types.ts";
import * as store from "./index.store.ts";
import { runDicomTask } from "../worker/run-dicom-task.ts";
import { indexQueue } from "../../domain/dicomweb-index-queue.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";

const backfillQueue = defineQueue("dicomweb.backfill");

export interface StudyKey {
  iid: string;
  study: string;
}

/**
 * Registers the jobs that index new files for DICOMweb, and in small batches the files that are older than the DICOMweb
 * support.
 */
export async function registerIndexing(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(indexQueue, (key, signal) => indexStudy(database, key, signal));
  await jobs.work(backfillQueue, () => backfill(jobs, database));
  await jobs.schedule(backfillQueue, "* * * * *");
}

const instancesPerBatch = 50;
/** Returns true for a UID that may be part of a path. */
export const isPathUid = (text: string): boolean => /^[0-9.]{1,64}$/.test(text);

/** The job may be killed at any moment and run again: instances that were indexed stay indexed. */
export async function indexStudy(database: Database, { iid, study }: StudyKey, signal: AbortSignal): Promise<void> {
  const as = <T>(work: (db: Db) => Promise<T>) => database.as({ system: false, iid, uid: null }, work);
  const unread = await as((db) => store.listUnindexed(db, iid, study));
  for (let from = 0; from < unread.length; from += instancesPerBatch) {
    signal.throwIfAborted();
    const rows: DicomInstanceTable[] = [];
    for (const { id, sha256, bytes } of unread.slice(from, from + instancesPerBatch)) {
      const read = await readStoredInstance(iid, sha256, bytes);
      if (read && isPathUid(read.study) && isPathUid(read.series) && isPathUid(read.uid))
        rows.push(toInstanceRow(iid, study, id, read));
    }
    await as((db) => store.saveInstances(db, iid, rows));
  }
  await as((db) => store.saveLevels(db, iid, study));
}

/** Null: a file that cannot be read, or does not exist any more. It is not retried by itself. */
async function readStoredInstance(iid: string, sha256: string, bytes: number): Promise<IndexedInstance | null> {
  try {
    return await files().local(
      "originals",
      iid,
      sha256,
      async (path) => (await runDicomTask({ do: "read", path }, bytes, iid)).instance,
    );
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
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
    for (const key of await store.listUnindexedStudies(db, studiesPerBatch))
      await jobs.send(db, indexQueue, key, { singletonKey: key.study, group: key.iid, isBulk: true });
  });
}

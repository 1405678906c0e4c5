import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Database, Db } from "../platform/database/database.ts";
import { deleteUnneeded, lockStore, markUnneeded } from "../platform/storage/blob-references.ts";
import { notifyClients } from "../platform/events/events.ts";
import { hashFile, type StoredFileInfo } from "../platform/storage/file-store.ts";
import { ingestConcurrency, ingestPatience, ingestQueue, sendIngestJob, yieldToIndex } from "../domain/ingest-queue.ts";
import type { IngestMessage } from "../domain/ingest-queue.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { findOutage, isOutage } from "../platform/http/outages.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import { forEachConcurrent } from "../platform/runtime/concurrency.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { files } from "../platform/runtime/services.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { recordStoredFiles } from "../platform/upload/finish-uploads.ts";
import { convertStudies } from "./convert/convert-studies.ts";
import { readFaults, failJob } from "./convert/convert.store.ts";
import { receiveUploads, unpackSources, type RefusedFile } from "./read/unpack-sources.ts";
import * as contents from "./job-content-records.store.ts";
import type { JobKey, JobRow } from "./job-content-records.store.ts";
import { insertIngestJob } from "./ingest-job.writes.ts";
import * as store from "./ingest.store.ts";
import type { JobOutcome } from "./ingest.store.ts";
import { nameSenderPerson } from "./study/sender-person.ts";
import { findPatient } from "./study/study-owner.ts";
import { removeLonePresentationStates } from "./study/lone-presentation-states.ts";
import { planStudies, type PlannedStudy, type StoredFile } from "./study/plan-studies.ts";
import { addEarlierSlices, readFiles, type ReadFile } from "./read/read-files.ts";
import { JobCancelled, closeRun, maxFlushes, openRun, type JobRun } from "./job-run.ts";
import { startJob } from "./start-job.store.ts";
import { findJobOutage } from "./transient-error.ts";

/** The only path from bytes to studies: every kind of import ends with a row of `ingest_job` and this job. */
export async function registerIngest(jobs: Jobs, database: Database): Promise<void> {
  const run: Parameters<typeof jobs.work<IngestMessage>>[1] = (message, signal, { attempt }) => {
    // An operator tries a job again that was given up: it waits again as long as a new one.
    const isRetried = attempt > ingestPatience.tries + 1;
    return runUnlessOutage(database, isRetried ? { ...message, outages: 0 } : message, signal);
  };
  await jobs.work(ingestQueue, run, {
    ...ingestConcurrency,
    onDeadLetter: (key, { error }) =>
      database.asSystem((db) => giveUpJob(db, key, isOutage(error) ? error : "internal")),
  });
}

/**
 * Runs the job. An outage uses up none of its attempts: they are for a job that ends its worker, and files that were
 * acknowledged are not given up because a part of the server is away for a day.
 */
async function runUnlessOutage(database: Database, message: IngestMessage, signal: AbortSignal): Promise<void> {
  const { job, outages: before = 0 } = message;
  try {
    await runIngestJob(database, message, signal);
  } catch (error) {
    const outage = findJobOutage(error);
    if (!outage) throw error;
    if (before >= ingestPatience.outages) refuse(outage);
    logEvent("warn", `ingest ${job}`, `waits: ${outage}`);
    await database.asSystem((db) => sendIngestJob(db, { ...message, outages: before + 1 }));
  }
}

async function giveUpJob(db: Db, key: JobKey, refusal: RefusalName): Promise<void> {
  const job = await store.findJob(db, key);
  await failJob(db, key.iid, key.job, refusal);
  // No file is at fault for an outage, and the job may be resumed.
  if (isOutage(refusal)) return;
  if (job?.state === "running" && job.stage !== "converting") await splitSharedJob(db, job);
}

/**
 * Studies of several patients that devices sent may share a job. If such a job fails before its studies are indexed, each
 * half of its files gets a job, and so on, so that the fault of one file does not cost the others, and a fault of all does
 * not make a job for each slice of a volume. Returns false for other jobs.
 */
async function splitSharedJob(db: Db, job: JobRow): Promise<boolean> {
  if (job.origin === "upload" || job.patient_id !== null || job.uploads.length < 2) return false;
  const iid = job.institution_id;
  const half = Math.ceil(job.uploads.length / 2);
  for (const uploads of [job.uploads.slice(0, half), job.uploads.slice(half)]) {
    const id = newId();
    const isNew = await insertIngestJob(db, iid, {
      id,
      patientId: null,
      kind: job.kind,
      uploads,
      key: `split ${uploads.length} ${uploads[0]}`,
      acceptMismatch: true,
      by: job.created_by,
      origin: job.origin,
    });
    if (isNew) await sendIngestJob(db, { iid, job: id });
  }
  return true;
}

/**
 * May be killed at any moment and run again: until the index is written nothing is visible, and after it the conversion
 * resumes.
 */
export async function runIngestJob(database: Database, message: IngestMessage, signal: AbortSignal): Promise<void> {
  const key: JobKey = { iid: message.iid, job: message.job };
  const job = await database.asSystem((db) => startJob(db, key));
  if (!job) return;
  // Before anything is opened: it may be put off several times.
  const isPutOff = message.yields !== undefined && job.state === "running" && job.stage === "converting";
  if (isPutOff && (await database.asSystem((db) => yieldToIndex(db, job, message)))) return;
  const run = await openRun(database, key, job, signal);
  try {
    if (job.state !== "running") throw new JobCancelled();
    let isRefused = false;
    const outcome = await runJob(run, message).catch((error: unknown) => {
      isRefused = true;
      return toFailedOutcome(error);
    });
    if (!outcome) return;
    const isSplit = await run.as(async (db) => {
      const lockedJob = await store.lockJob(db, key);
      if (!lockedJob || !(await store.finishJob(db, key, outcome))) throw new JobCancelled();
      await notifyClients(db, { institutions: [key.iid] }, "study", key.job);
      return isRefused && lockedJob.stage !== "converting" && (await splitSharedJob(db, job));
    });
    // The jobs of its files need their contents.
    if (isSplit) return;
    await releaseContents(run);
  } catch (error) {
    if (!(error instanceof JobCancelled)) throw error;
    await releaseContents(run);
  } finally {
    await closeRun(run);
  }
}

function toFailedOutcome(error: unknown): JobOutcome {
  if (!(error instanceof Refused) || findOutage(error)) throw error;
  return { state: "failed", refused: [], refusal: error.refusal };
}

const maxRefused = 500;
/** More studies than these are told by one event, which names their job. */
const maxStudyEvents = 4;

/** Returns null if the job goes on in a later run. */
async function runJob(run: JobRun, message: IngestMessage): Promise<JobOutcome | null> {
  const failed = run.job.stage === "converting" ? null : await importFiles(run);
  if (failed) return failed;
  const indexed = (await run.as((db) => store.findJob(db, run.key))) ?? run.job;
  if ((await convertStudies(run, indexed.studies, message)) === "yields") return null;
  const faults = await run.as((db) => readFaults(db, run.key.iid, run.key.job));
  return { state: "done", refused: [...indexed.refused, ...faults].slice(0, maxRefused) };
}

/** Runs everything up to the index. Returns the outcome if nothing is imported. */
async function importFiles(run: JobRun): Promise<JobOutcome | null> {
  const refused: RefusedFile[] = [];
  const read = await readFiles(run, await unpackSources(run, await receiveUploads(run), refused), refused);
  if (read.length === 0) return emptyOutcome(refused);
  await run.as((db) => requirePatient(db, run));
  const planned = await removeLonePresentationStates(
    run,
    nameSenderPerson(planStudies(await addEarlierSlices(run, read), run.job.kind), run.job.sender_person),
    refused,
  );
  if (planned.length === 0) return emptyOutcome(refused);
  const stored = await storeFiles(run, planned);
  await run.as(async (db) => {
    const lockedJob = await store.lockJob(db, run.key);
    if (!lockedJob) throw new JobCancelled();
    if (lockedJob.stage === "converting") return;
    await requirePatient(db, run);
    await store.recordRefused(db, run.key, refused.slice(0, maxRefused));
    const ids = await store.indexStudies(db, run.job, stored, read.length);
    // Each event is written to all open pages of the institution.
    for (const id of ids.length > maxStudyEvents ? [run.key.job] : ids)
      await notifyClients(db, { institutions: [run.key.iid] }, "study", id);
  });
  return null;
}

const emptyOutcome = (refused: readonly RefusedFile[]): JobOutcome => ({
  state: "failed",
  refused: refused.slice(0, maxRefused),
  refusal: refused[0]?.refusal ?? "fileEmpty",
});

/** Demands that the patient for whom the files were sent exists; without one the files name their own patient. */
async function requirePatient(db: Db, { key, job }: JobRun): Promise<void> {
  if (job.patient_id !== null && !(await findPatient(db, key.iid, job.patient_id))) refuse("notFound");
}

/** Copies the originals of archives into the store, byte for byte; uploads are there already. */
async function storeFiles(
  run: JobRun,
  studies: readonly PlannedStudy<ReadFile>[],
): Promise<PlannedStudy<StoredFile>[]> {
  const all = studies.flatMap(({ series }) => series.flatMap((one) => one.files.map(({ file }) => file)));
  const stored = new Map<ReadFile, StoredFile>();
  for (let from = 0; from < all.length; from += batchSize) {
    await run.step("storing", from / all.length);
    for (const [file, content] of await storeBatch(run, all.slice(from, from + batchSize)))
      stored.set(file, {
        name: shortName(file.name),
        sent: shortName(file.uploadName),
        ...content,
        ...(file.instance && { instance: file.instance }),
      });
  }
  return studies.map((study) => ({
    ...study,
    series: study.series.map((one) => ({
      ...one,
      files: one.files.map((planned) => ({ ...planned, file: stored.get(planned.file)! })),
    })),
  }));
}

const batchSize = 64;

/** The hash is already known for an upload, and for a DICOM file whose header was read. */
async function hashContent({ at, bytes, ...file }: ReadFile): Promise<StoredFileInfo> {
  const known = "sha256" in at ? at.sha256 : file.format === "dicom" ? file.sha256 : undefined;
  return known === undefined ? hashFile((at as { path: string }).path) : { sha256: known, bytes };
}

async function storeBatch(run: JobRun, some: readonly ReadFile[]): Promise<Map<ReadFile, StoredFileInfo>> {
  const { key } = run;
  const stored = new Map<ReadFile, StoredFileInfo>();
  for (const file of some) stored.set(file, await hashContent(file));
  await run.as((db) =>
    contents.recordContents(
      db,
      key,
      "originals",
      [...stored.values()].map(({ sha256 }) => sha256),
    ),
  );
  // Uploads were moved into the store, and counted there, when they were received.
  const unpacked = some.flatMap((file) => ("path" in file.at ? [{ file, path: file.at.path }] : []));
  if (unpacked.length === 0) return stored;
  await run.as(async (db) => {
    await lockStore(db, key.iid, "shared");
    // The disk flushes several files in about the time of one.
    await forEachConcurrent(unpacked, maxFlushes, async ({ file, path }) => {
      const { sha256 } = stored.get(file)!;
      await files().adopt("originals", key.iid, path, { sha256, isFlushed: file.format === "dicom" });
    });
    await recordStoredFiles(db, key.iid, ...unpacked.map(({ file }) => stored.get(file)!));
  });
  return stored;
}

/** The folder contains nothing that the header does not state better. */
const shortName = (name: string): string => (name.split("/").at(-1) ?? name).slice(0, 200);

/** Archives, and other files that became part of no study, are removed from the store and from the quota. */
async function releaseContents(run: JobRun): Promise<void> {
  const { key, job } = run;
  await run.as(async (db) => {
    await lockStore(db, key.iid, "alone");
    await markUnneeded(db, key.iid, await contents.deleteContentRecords(db, key, job.uploads));
  });
  await deleteUnneeded((work) => run.as(work), key.iid);
}

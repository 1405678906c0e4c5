import type { Database, Db } from "../platform/database/database.ts";
import { clearStore, lockStore, noteUnneeded } from "../platform/storage/blob-references.ts";
import { notifyClients } from "../platform/events/events.ts";
import { hashFile, type Stored } from "../platform/storage/file-store.ts";
import { ingestAtOnce, ingestQueue } from "../domain/ingest-queue.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { countStored } from "../platform/upload/uploads.ts";
import { convertStudies } from "./convert.ts";
import { faultsOf, giveUp } from "./convert.store.ts";
import { receive, unpack, type Refusal } from "./gather.ts";
import * as contents from "./content.store.ts";
import type { JobKey } from "./content.store.ts";
import * as store from "./ingest.store.ts";
import type { Outcome, StoredFile } from "./ingest.store.ts";
import { livingPatient } from "./owner.ts";
import { withoutLoneStates } from "./lone-states.ts";
import { planStudies, type PlannedStudy } from "./plan.ts";
import { joinEarlier, readAll, type ReadFile } from "./read.ts";
import { Cancelled, closeRun, eachOf, flushesAtOnce, openRun, type Run } from "./run.ts";

/** The only path from bytes to studies: every kind of import ends with a row of `ingest_job` and this job. */
export async function registerIngest(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work<JobKey>(ingestQueue, (key, signal) => ingest(database, key, signal), {
    ...ingestAtOnce,
    whenDead: ({ iid, job }, { error }) =>
      database.asSystem((db) => giveUp(db, iid, job, error === full ? full : "internal")),
  });
}

/**
 * May be killed at any moment and run again: until the index is written nothing is visible, and after it the conversion
 * resumes.
 */
export async function ingest(database: Database, key: JobKey, signal: AbortSignal): Promise<void> {
  const job = await database.asSystem((db) => store.beginJob(db, key));
  if (!job) return;
  const run = await openRun(database, key, job, signal);
  try {
    if (job.state !== "running") throw new Cancelled();
    const outcome = await work(run).catch(refusedOutcome);
    await run.as(async (db) => {
      if (!(await store.endJob(db, key, outcome))) throw new Cancelled();
      await notifyClients(db, { institutions: [key.iid] }, "study", key.job);
    });
    await release(run);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    await release(run);
  } finally {
    await closeRun(run);
  }
}

/** A full disk is no fault of the files: the job is tried again for a while. */
const full = "storageFull";

function refusedOutcome(error: unknown): Outcome {
  if (!(error instanceof Refused) || error.refusal === full) throw error;
  return { state: "failed", refused: [], refusal: error.refusal };
}

const refusedMost = 500;

async function work(run: Run): Promise<Outcome> {
  const failed = run.job.stage === "converting" ? null : await bringIn(run);
  if (failed) return failed;
  const indexed = (await run.as((db) => store.findJob(db, run.key))) ?? run.job;
  await convertStudies(run, indexed.studies);
  const faults = await run.as((db) => faultsOf(db, run.key.iid, run.key.job));
  return { state: "done", refused: [...indexed.refused, ...faults].slice(0, refusedMost) };
}

/** Runs everything up to the index. Returns the outcome if nothing is imported. */
async function bringIn(run: Run): Promise<Outcome | null> {
  const refused: Refusal[] = [];
  const read = await readAll(run, await unpack(run, await receive(run), refused), refused);
  if (read.length === 0) return nothingIn(refused);
  await run.as((db) => needPatient(db, run));
  const planned = await withoutLoneStates(run, planStudies(await joinEarlier(run, read), run.job.kind), refused);
  if (planned.length === 0) return nothingIn(refused);
  const stored = await storeAll(run, planned);
  await run.as(async (db) => {
    const held = await store.holdJob(db, run.key);
    if (!held) throw new Cancelled();
    if (held.stage === "converting") return;
    await needPatient(db, run);
    await store.noteRefused(db, run.key, refused.slice(0, refusedMost));
    const ids = await store.indexStudies(db, run.job, stored, read.length);
    for (const id of ids) await notifyClients(db, { institutions: [run.key.iid] }, "study", id);
  });
  return null;
}

const nothingIn = (refused: readonly Refusal[]): Outcome => ({
  state: "failed",
  refused: refused.slice(0, refusedMost),
  refusal: refused[0]?.refusal ?? "fileEmpty",
});

/** Demands that the patient for whom the files were sent exists; without one the files name their own patient. */
async function needPatient(db: Db, { key, job }: Run): Promise<void> {
  if (job.patient_id !== null && !(await livingPatient(db, key.iid, job.patient_id))) refuse("notFound");
}

/** Copies the originals of archives into the store, byte for byte; uploads are there already. */
async function storeAll(run: Run, studies: readonly PlannedStudy<ReadFile>[]): Promise<PlannedStudy<StoredFile>[]> {
  const all = studies.flatMap(({ series }) => series.flatMap((one) => one.files.map(({ file }) => file)));
  const stored = new Map<ReadFile, StoredFile>();
  for (let from = 0; from < all.length; from += filesAtOnce) {
    await run.step("storing", from / all.length);
    for (const [file, content] of await storeSome(run, all.slice(from, from + filesAtOnce)))
      stored.set(file, {
        name: shortName(file.name),
        sent: shortName(file.sent),
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

const filesAtOnce = 64;

/** The hash is already known for an upload, and for a DICOM file whose header was read. */
async function contentOf({ at, bytes, ...file }: ReadFile): Promise<Stored> {
  const known = "sha256" in at ? at.sha256 : file.format === "dicom" ? file.sha256 : undefined;
  return known === undefined ? hashFile((at as { path: string }).path) : { sha256: known, bytes };
}

async function storeSome(run: Run, some: readonly ReadFile[]): Promise<Map<ReadFile, Stored>> {
  const { key } = run;
  const stored = new Map<ReadFile, Stored>();
  for (const file of some) stored.set(file, await contentOf(file));
  await run.as((db) =>
    contents.noteContents(
      db,
      key,
      "originals",
      [...stored.values()].map(({ sha256 }) => sha256),
    ),
  );
  await run.as(async (db) => {
    await lockStore(db, key.iid, "shared");
    // The disk flushes several files in about the time of one.
    await eachOf(some, flushesAtOnce, async (file) => {
      if ("path" in file.at)
        await files().adopt("originals", key.iid, file.at.path, {
          sha256: stored.get(file)!.sha256,
          isFlushed: file.format === "dicom",
        });
    });
    await countStored(db, key.iid, ...stored.values());
  });
  return stored;
}

/** The folder contains nothing that the header does not state better. */
const shortName = (name: string): string => (name.split("/").at(-1) ?? name).slice(0, 200);

/** Archives, and other files that became part of no study, are removed from the store and from the quota. */
async function release(run: Run): Promise<void> {
  const { key, job } = run;
  await run.as(async (db) => {
    await lockStore(db, key.iid, "alone");
    await noteUnneeded(db, key.iid, await contents.forgetContents(db, key, job.uploads));
  });
  await clearStore((work) => run.as(work), key.iid);
}

import { LRUCache } from "lru-cache";
import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import { retryOnConflict } from "../../platform/database/retry.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { sendIngestJob } from "../../domain/ingest-queue.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { jobs, uploadParts } from "../../platform/runtime/services.ts";
import { withUploadPath } from "../../platform/upload/upload-parts.ts";
import type { InstanceIdentity } from "../worker/dicom-task-types.ts";
import { isPathUid } from "../indexing/index.jobs.ts";
import * as store from "./intake.store.ts";
import { runDicomTask } from "../worker/run-dicom-task.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";

/** Reasons why a file that came by DICOM is not kept. */
export type IntakeFailure = "processing" | "duplicate" | "noPixels" | "noRoom" | "otherStudy" | "unreadable";

/** The sender of files, and the channel by which they came. */
export interface IntakeSender {
  iid: string;
  uid: string;
  origin: StudyOrigin;
  as: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}
/** A file among the unfinished uploads, all of whose bytes can be read. */
export interface WrittenFile {
  id: string;
  bytes: number;
  sha256: string;
}
export interface ReceivedFile {
  file: WrittenFile;
  /** Null: the bytes are not a DICOM file with UIDs. */
  read: InstanceIdentity | null;
  failure: IntakeFailure | null;
  /** Resolves when the bytes would survive a power failure. Absent: they would already. */
  synced?: Promise<void>;
}

/** Reads in a worker thread which object a file contains. */
export async function identifyFile(file: WrittenFile, iid: string): Promise<ReceivedFile> {
  const read = file.bytes === 0 ? null : await readIdentity(file, iid);
  if (!read || ![read.study, read.series, read.uid].every(isPathUid))
    return { file, read: null, failure: "unreadable" };
  return { file, read, failure: read.hasPixels ? null : "noPixels" };
}

async function readIdentity({ id, bytes }: WrittenFile, iid: string): Promise<InstanceIdentity | null> {
  try {
    return await withUploadPath(
      uploadParts(),
      id,
      async (path) => (await runDicomTask({ do: "identify", path }, bytes, iid)).identity,
    );
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/**
 * Keeps the files without a failure, removes the others, and returns the outcome of each. A file that is reported as
 * kept survives a crash and is on its way to its patient or the inbox. `note` runs in the same transaction.
 */
export async function keepFiles(
  sender: IntakeSender,
  received: readonly ReceivedFile[],
  note: (db: Db, kept: number) => void,
): Promise<ReceivedFile[]> {
  try {
    const { answers, kept } = await recordFiles(sender, received, note);
    await discardFiles(received, kept);
    return answers;
  } catch (error) {
    // After any other error it is unknown whether the commit succeeded. The sweeper removes files that nothing refers
    // to.
    if (!isWithoutRoom(error)) throw error;
    await discardFiles(received, new Set());
    return received.map((one) => ({ ...one, failure: one.failure ?? "noRoom" }));
  }
}

/** The files do not fit into the quota, and nothing was recorded. */
export const isWithoutRoom = (error: unknown): boolean => error instanceof Refused && error.refusal === "quotaExceeded";

/**
 * Records the files without a failure in one transaction, and returns the outcome of each and the ids of those that were
 * kept. Removes no file. Refuses `quotaExceeded` if they do not fit, and throws if one of them cannot be flushed to the
 * disk.
 */
export async function recordFiles(
  sender: IntakeSender,
  received: readonly ReceivedFile[],
  note: (db: Db, kept: number) => void,
): Promise<{ answers: ReceivedFile[]; kept: ReadonlySet<string> }> {
  const kept = new Set<string>();
  const durable = Promise.all([
    uploadParts().syncNames(),
    ...received.map(({ failure, synced }) => (failure === null ? synced : undefined)),
  ]);
  durable.catch(() => {});
  // A job's second is counted by the database from the beginning of its transaction.
  const at = performance.now();
  const { answers, isRequested } = await retryOnConflict(() =>
    sender.as(async (db) => {
      kept.clear();
      const settled = await settleFiles(db, sender, { received, durable }, kept);
      note(db, kept.size);
      return settled;
    }),
  );
  if (isRequested) noteEnqueued(sender.iid, at, intakeTimings.quietSeconds);
  return { answers, kept };
}

/** Removes the files that were not kept. */
export async function discardFiles(received: readonly ReceivedFile[], kept: ReadonlySet<string>): Promise<void> {
  for (const { file } of received) if (!kept.has(file.id)) await uploadParts().remove(file.id);
}

interface IntakeOutcome {
  answers: ReceivedFile[];
  /** A job was made that takes the files. */
  isRequested: boolean;
}

async function settleFiles(
  db: Db,
  sender: IntakeSender,
  { received, durable }: { received: readonly ReceivedFile[]; durable: Promise<unknown> },
  kept: Set<string>,
): Promise<IntakeOutcome> {
  const whole = received.flatMap(({ file, read, failure }) =>
    read && failure === null ? [{ ...file, study: read.study, uid: read.uid }] : [],
  );
  if (whole.length === 0) return { answers: [...received], isRequested: false };
  // Sent in one pipeline: the statements run one after another, the query once the intake is locked.
  const held = store.beginIntake(db, sender.iid);
  const [before] = await Promise.all([store.findKnownContents(db, sender.iid, whole), held]);
  const fresh = new Map<string, store.IntakeFile>();
  for (const one of whole) {
    const key = `${one.study} ${one.uid}`;
    if (!before.has(key) && !fresh.has(key)) fresh.set(key, one);
  }
  const wanted = [...fresh.values()];
  // A row must not outlive its file. Nobody waits for a disk while this transaction holds the lock of the quota.
  if (wanted.length > 0) await durable;
  const request = wanted.length > 0 ? enqueueOnce(db, sender.iid) : Promise.resolve(false);
  const taken = wanted.length > 0 ? await store.recordIntake(db, sender, wanted, request) : new Set<string>();
  for (const id of taken) kept.add(id);
  const after = taken.size < whole.length ? await store.findKnownContents(db, sender.iid, whole) : before;
  const isRequested = await request;
  const answers = received.map((one): ReceivedFile => {
    if (!one.read || one.failure !== null || taken.has(one.file.id)) return one;
    // The same bytes are acknowledged again; others under the same UID are not what the first were.
    const same = after.get(`${one.read.study} ${one.read.uid}`)?.has(one.file.sha256);
    return same ? one : { ...one, failure: "duplicate" };
  });
  return { answers, isRequested };
}

/**
 * The files of one study arrive in many requests: it is taken when none of them has arrived for `quietSeconds`, and after
 * `mostSeconds` at the latest. While others wait, the job looks again when one of them can be complete, but not before
 * `againSeconds`. `studies`: at most so many are taken at once.
 */
const intakeTimings = {
  quietSeconds: 1,
  againSeconds: 0.25,
  mostSeconds: 60,
  forgottenSeconds: 30,
  studies: 256,
} as const;
const intakeQueue = defineQueue<{ iid: string }>("intake.open");
const sweepQueue = defineQueue("intake.sweep");

const enqueueIntake = (db: Db, iid: string, afterSeconds: number = intakeTimings.quietSeconds) =>
  jobs().send(db, intakeQueue, { iid }, { singletonKey: iid, group: iid, afterSeconds });

/**
 * The institutions for which this process has just committed a job. As long as that job cannot have begun, it also sees
 * the files that arrive in the meantime.
 */
const recentlyEnqueued = new LRUCache<string, true>({ max: 1000, ttl: 1000, ttlResolution: 0 });
/** @param start the time before the transaction that sent the job, by which the database counts its delay */
const noteEnqueued = (iid: string, start: number, afterSeconds: number): void =>
  void recentlyEnqueued.set(iid, true, { start, ttl: afterSeconds * 1000 * 0.8 });

/** The shared lock of the intake must be held: the job, once it begins, waits for requests in progress. */
async function enqueueOnce(db: Db, iid: string): Promise<boolean> {
  // A job that waits already may begin at any moment.
  return !recentlyEnqueued.has(iid) && (await enqueueIntake(db, iid)) !== null;
}

export async function registerIntake(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(intakeQueue, ({ iid }) => openWaitingIntake(database, iid));
  await jobs.work(sweepQueue, () =>
    database.asSystem(async (db) => {
      for (const iid of await store.listOverdueIntakes(db, intakeTimings.forgottenSeconds))
        await enqueueIntake(db, iid);
    }),
  );
  await jobs.schedule(sweepQueue, "* * * * *");
}

async function openWaitingIntake(database: Database, iid: string): Promise<void> {
  const start = performance.now();
  const afterSeconds = await database.asSystem(async (db) => {
    const { ready, nextSeconds } = await store.lockWaitingFiles(db, iid, intakeTimings);
    for (const files of groupIntoJobs(ready)) {
      const uploads = files.map(({ id }) => id);
      const { createdBy: uid, origin } = files.at(-1)!;
      const job = await store.openIngestJob(db, { iid, uid, origin }, uploads);
      await sendIngestJob(db, { iid, job });
    }
    if (nextSeconds === null) return null;
    const seconds = Math.max(nextSeconds, intakeTimings.againSeconds);
    return (await enqueueIntake(db, iid, seconds)) === null ? null : seconds;
  });
  if (afterSeconds !== null) noteEnqueued(iid, start, afterSeconds);
}

/** A study of more files is a volume, or as long as one: its job should not wait for the images of others. */
const maxFilesOfSmallStudy = 8;
/** At most so many small studies share a job. */
const maxStudiesOfJob = 64;

/**
 * Groups files into ingest jobs: a job for each large study, and one for many small studies of the same sender, since a
 * job takes more time than an image.
 */
export function groupIntoJobs(ready: readonly store.WaitingFile[]): store.WaitingFile[][] {
  const large: store.WaitingFile[][] = [];
  const small = new Map<string, store.WaitingFile[][]>();
  for (const files of Map.groupBy(ready, ({ study }) => study).values()) {
    if (files.length > maxFilesOfSmallStudy) large.push(files);
    else {
      const { createdBy, origin } = files.at(-1)!;
      const key = `${createdBy} ${origin}`;
      small.set(key, [...(small.get(key) ?? []), files]);
    }
  }
  const shared = [...small.values()].flatMap((studies) =>
    Array.from({ length: Math.ceil(studies.length / maxStudiesOfJob) }, (_, at) =>
      studies.slice(at * maxStudiesOfJob, (at + 1) * maxStudiesOfJob).flat(),
    ),
  );
  return [...shared, ...large];
}

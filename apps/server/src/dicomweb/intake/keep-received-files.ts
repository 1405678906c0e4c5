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
import { isPathUid, type StudyKey } from "../indexing/index.jobs.ts";
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
  const kept = new Set<string>();
  const named = uploadParts().syncNames();
  named.catch(() => {});
  // A job's second is counted by the database from the beginning of its transaction.
  const at = performance.now();
  try {
    const { answers, asked: context } = await retryOnConflict(() =>
      sender.as(async (db) => {
        kept.clear();
        const settled = await settleFiles(db, sender, received, kept);
        note(db, kept.size);
        // Before the commit: a row must not outlive its file.
        await named;
        return settled;
      }),
    );
    for (const key of context) recentlyEnqueued.set(key, true, { start: at });
    await discardFiles(received, kept);
    return answers;
  } catch (error) {
    // After any other error it is unknown whether the commit succeeded. The sweeper removes files that nothing refers
    // to.
    if (!(error instanceof Refused) || error.refusal !== "quotaExceeded") throw error;
    await discardFiles(received, new Set());
    return received.map((one) => ({ ...one, failure: one.failure ?? "noRoom" }));
  }
}

/** Removes the files that were not kept. */
export async function discardFiles(received: readonly ReceivedFile[], kept: ReadonlySet<string>): Promise<void> {
  for (const { file } of received) if (!kept.has(file.id)) await uploadParts().remove(file.id);
}

interface IntakeOutcome {
  answers: ReceivedFile[];
  /** The studies for which a job was made. */
  asked: string[];
}

async function settleFiles(
  db: Db,
  sender: IntakeSender,
  received: readonly ReceivedFile[],
  kept: Set<string>,
): Promise<IntakeOutcome> {
  const whole = received.flatMap(({ file, read, failure }) =>
    read && failure === null ? [{ ...file, study: read.study, uid: read.uid }] : [],
  );
  if (whole.length === 0) return { answers: [...received], asked: [] };
  const studies = [...new Set(whole.map((one) => one.study))].toSorted();
  // Sent in one pipeline: the statements run one after another, the query once the studies are locked.
  const held = studies.map((study) => store.lockIntakeShared(db, sender.iid, study));
  const [before] = await Promise.all([store.findKnownContents(db, sender.iid, whole), ...held]);
  const fresh = new Map<string, store.IntakeFile>();
  for (const one of whole) {
    const key = `${one.study} ${one.uid}`;
    if (!before.has(key) && !fresh.has(key)) fresh.set(key, one);
  }
  const wanted = [...fresh.values()];
  const taken = wanted.length > 0 ? await store.recordIntake(db, sender, wanted) : new Set<string>();
  for (const id of taken) kept.add(id);
  const after = taken.size < whole.length ? await store.findKnownContents(db, sender.iid, whole) : before;
  const context: string[] = [];
  // In the same order as every other request: a job that another transaction is sending is waited for.
  for (const study of studies.filter((one) => wanted.some(({ study: wish }) => wish === one)))
    context.push(...(await enqueueOnce(db, { iid: sender.iid, study })));
  const answers = received.map((one): ReceivedFile => {
    if (!one.read || one.failure !== null || taken.has(one.file.id)) return one;
    // The same bytes are acknowledged again; others under the same UID are not what the first were.
    const same = after.get(`${one.read.study} ${one.read.uid}`)?.has(one.file.sha256);
    return same ? one : { ...one, failure: "duplicate" };
  });
  return { answers, asked: context };
}

/**
 * The files of one study arrive in many requests: their job begins when no file has arrived for `forSeconds`, and after
 * `mostSeconds` at the latest.
 */
const intakeTimings = { afterSeconds: 1, forSeconds: 1, mostSeconds: 60, forgottenSeconds: 30 } as const;
const intakeQueue = defineQueue<StudyKey>("intake.open");
const sweepQueue = defineQueue("intake.sweep");

const jobKeyOf = ({ iid, study }: StudyKey): string => `${iid} ${study}`;
const enqueueIntake = (db: Db, key: StudyKey) =>
  jobs().send(db, intakeQueue, key, { singletonKey: jobKeyOf(key), afterSeconds: intakeTimings.afterSeconds });

const minQueueDelayMs = intakeTimings.afterSeconds * 1000 * 0.8;
/**
 * The studies for which this process has just committed a job. As long as that job cannot have begun, it also sees the
 * files that arrive in the meantime.
 */
const recentlyEnqueued = new LRUCache<string, true>({ max: 1000, ttl: minQueueDelayMs, ttlResolution: 0 });

/** The study's intake lock must be held: its job, once it begins, waits for requests in progress. */
async function enqueueOnce(db: Db, study: StudyKey): Promise<string[]> {
  const key = jobKeyOf(study);
  if (recentlyEnqueued.has(key)) return [];
  // A job that waits already may begin at any moment.
  return (await enqueueIntake(db, study)) === null ? [] : [key];
}

export async function registerIntake(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(intakeQueue, (key) => openWaitingIntake(database, key));
  await jobs.work(sweepQueue, () =>
    database.asSystem(async (db) => {
      for (const key of await store.listOverdueStudies(db, intakeTimings.forgottenSeconds))
        await enqueueIntake(db, key);
    }),
  );
  await jobs.schedule(sweepQueue, "* * * * *");
}

const openWaitingIntake = (database: Database, key: StudyKey): Promise<void> =>
  database.asSystem(async (db) => {
    const waiting = await store.lockWaitingFiles(db, key.iid, key.study);
    const [oldest, newest] = [waiting[0], waiting.at(-1)];
    if (!oldest || !newest) return;
    if (newest.age < intakeTimings.forSeconds && oldest.age < intakeTimings.mostSeconds)
      return void (await enqueueIntake(db, key));
    const uploads = waiting.map(({ id }) => id);
    const job = await store.openIngestJob(db, { iid: key.iid, uid: newest.createdBy, origin: newest.origin }, uploads);
    await sendIngestJob(db, { iid: key.iid, job });
  });

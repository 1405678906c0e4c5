import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import { retryOnConflict } from "../platform/database/retry.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { sendIngest } from "../domain/ingest-queue.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { Refused } from "../platform/http/refuse.ts";
import { jobs, parts } from "../platform/runtime/services.ts";
import type { Identity } from "./dicom-tasks.ts";
import { isUid, type StudyKey } from "./index.jobs.ts";
import * as store from "./intake.store.ts";
import { openedBy } from "./threads.ts";

/** Reasons why a file that came by DICOM is not kept. */
export type IntakeFailure = "processing" | "duplicate" | "noPixels" | "noRoom" | "otherStudy" | "unreadable";

/** The sender of files, and the channel by which they came. */
export interface IntakeSender {
  iid: string;
  uid: string;
  origin: StudyOrigin;
  as: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}
/** A file in the folder of unfinished uploads, its bytes on the disk. */
export interface WrittenFile {
  id: string;
  bytes: number;
  sha256: string;
}
export interface Came {
  file: WrittenFile;
  /** Null: the bytes are not a DICOM file with UIDs. */
  read: Identity | null;
  failure: IntakeFailure | null;
}

/** Reads in a worker thread which object a file contains. */
export async function identified(file: WrittenFile, iid: string): Promise<Came> {
  const read = file.bytes === 0 ? null : await readPart(file, iid);
  if (!read || ![read.study, read.series, read.uid].every(isUid)) return { file, read: null, failure: "unreadable" };
  return { file, read, failure: read.hasPixels ? null : "noPixels" };
}

async function readPart({ id, bytes }: WrittenFile, iid: string): Promise<Identity | null> {
  try {
    return (await openedBy({ do: "identify", path: parts().pathOf(id) }, bytes, iid)).identity;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/**
 * Keeps the files without a failure, removes the others, and returns the outcome of each. A file that is reported as
 * kept survives a crash and is on its way to its patient or the inbox. `note` runs in the same transaction.
 */
export async function keep(
  sender: IntakeSender,
  came: readonly Came[],
  note: (db: Db, kept: number) => void,
): Promise<Came[]> {
  const kept = new Set<string>();
  const named = parts().keepNames();
  named.catch(() => {});
  // A job's second is counted by the database from the beginning of its transaction.
  const at = performance.now();
  try {
    const { answers, asked } = await retryOnConflict(() =>
      sender.as(async (db) => {
        kept.clear();
        const settled = await settle(db, sender, came, kept);
        note(db, kept.size);
        // Before the commit: a row must not outlive its file.
        await named;
        return settled;
      }),
    );
    for (const key of asked) jobsAsked.set(key, at);
    await forget(came, kept);
    return answers;
  } catch (error) {
    // After any other error it is unknown whether the commit succeeded. The sweeper removes files that nothing refers
    // to.
    if (!(error instanceof Refused) || error.refusal !== "quotaExceeded") throw error;
    await forget(came, new Set());
    return came.map((one) => ({ ...one, failure: one.failure ?? "noRoom" }));
  }
}

/** Removes the files that were not kept. */
export async function forget(came: readonly Came[], kept: ReadonlySet<string>): Promise<void> {
  for (const { file } of came) if (!kept.has(file.id)) await parts().remove(file.id);
}

interface Settled {
  answers: Came[];
  /** The studies for which a job was made. */
  asked: string[];
}

async function settle(db: Db, sender: IntakeSender, came: readonly Came[], kept: Set<string>): Promise<Settled> {
  const whole = came.flatMap(({ file, read, failure }) =>
    read && failure === null ? [{ ...file, study: read.study, uid: read.uid }] : [],
  );
  if (whole.length === 0) return { answers: [...came], asked: [] };
  const studies = [...new Set(whole.map((one) => one.study))].toSorted();
  // Sent in one pipeline: the statements run one after another, the query once the studies are locked.
  const held = studies.map((study) => store.holdIntake(db, sender.iid, study));
  const [before] = await Promise.all([store.known(db, sender.iid, whole), ...held]);
  const fresh = new Map<string, store.Taken>();
  for (const one of whole) {
    const key = `${one.study} ${one.uid}`;
    if (!before.has(key) && !fresh.has(key)) fresh.set(key, one);
  }
  const wanted = [...fresh.values()];
  const taken = wanted.length > 0 ? await store.take(db, sender, wanted) : new Set<string>();
  for (const id of taken) kept.add(id);
  const after = taken.size < whole.length ? await store.known(db, sender.iid, whole) : before;
  const asked: string[] = [];
  // In the same order as every other request: a job that another transaction is sending is waited for.
  for (const study of studies.filter((one) => wanted.some(({ study: wish }) => wish === one)))
    asked.push(...(await askOnce(db, { iid: sender.iid, study })));
  const answers = came.map((one): Came => {
    if (!one.read || one.failure !== null || taken.has(one.file.id)) return one;
    // The same bytes are acknowledged again; others under the same UID are not what the first were.
    const same = after.get(`${one.read.study} ${one.read.uid}`)?.has(one.file.sha256);
    return same ? one : { ...one, failure: "duplicate" };
  });
  return { answers, asked };
}

/**
 * Files of one study come in many requests: their job begins when none has come for `forSeconds`, and after
 * `mostSeconds` at the latest.
 */
const quiet = { afterSeconds: 1, forSeconds: 1, mostSeconds: 60, forgottenSeconds: 30 } as const;
const jobName = "intake.open";

const keyOf = ({ iid, study }: StudyKey): string => `${iid} ${study}`;
const askForJob = (db: Db, key: StudyKey) =>
  jobs().send(db, jobName, key, { singletonKey: keyOf(key), afterSeconds: quiet.afterSeconds });

/**
 * For each study, the time at which this process last committed a job. As long as that job cannot have begun, it also
 * sees the files that arrive in the meantime.
 */
const jobsAsked = new Map<string, number>();
const surelyWaitsMs = quiet.afterSeconds * 1000 * 0.8;

/** The study's intake lock must be held: its job, once it begins, waits for requests in progress. */
async function askOnce(db: Db, study: StudyKey): Promise<string[]> {
  const key = keyOf(study);
  if (performance.now() - (jobsAsked.get(key) ?? Number.NEGATIVE_INFINITY) < surelyWaitsMs) return [];
  if (jobsAsked.size > 1000) jobsAsked.clear();
  // A job that waits already may begin at any moment.
  return (await askForJob(db, study)) === null ? [] : [key];
}

export async function registerIntake(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work<StudyKey>(jobName, (key) => openWaiting(database, key));
  await jobs.work("intake.sweep", () =>
    database.asSystem(async (db) => {
      for (const key of await store.forgotten(db, quiet.forgottenSeconds)) await askForJob(db, key);
    }),
  );
  await jobs.schedule("intake.sweep", "* * * * *");
}

const openWaiting = (database: Database, key: StudyKey): Promise<void> =>
  database.asSystem(async (db) => {
    const waiting = await store.waitingOf(db, key.iid, key.study);
    const [oldest, newest] = [waiting[0], waiting.at(-1)];
    if (!oldest || !newest) return;
    if (newest.age < quiet.forSeconds && oldest.age < quiet.mostSeconds) return void (await askForJob(db, key));
    const uploads = waiting.map(({ id }) => id);
    const job = await store.openJob(db, { iid: key.iid, uid: newest.createdBy, origin: newest.origin }, uploads);
    await sendIngest(db, { iid: key.iid, job });
  });

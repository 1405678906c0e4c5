import { LRUCache } from "lru-cache";
import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import { retryOnConflict } from "../../platform/database/retry.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { sendIngestJob } from "../../domain/ingest-queue.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { refuseIfFull, requireSpaceOnCommit } from "../../platform/upload/storage-quota.ts";
import { jobs, uploadParts } from "../../platform/runtime/services.ts";
import { withUploadPath } from "../../platform/upload/upload-parts.ts";
import type { InstanceIdentity } from "../worker/dicom-task-types.ts";
import { isPathUid } from "../indexing/index.jobs.ts";
import * as store from "./intake.store.ts";
import { runDicomTask } from "../worker/run-dicom-task.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";
import { isSingleImage } from "@arcada/imaging/dicom/parse/image-kind";

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
/** Adds to the transaction that keeps files, when it is known how many were kept. */
type NoteKept = (db: Db, kept: number) => void;

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
 * kept survives a crash and is on its way to its patient or the inbox. The bytes and names of the files must be on the
 * disk.
 */
export async function keepFiles(
  sender: IntakeSender,
  received: readonly ReceivedFile[],
  note?: NoteKept,
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
 * kept. Their bytes and names must be on the disk: a row must not outlive its file. Removes no file. Refuses
 * `quotaExceeded` if they do not fit.
 */
export async function recordFiles(
  sender: IntakeSender,
  received: readonly ReceivedFile[],
  note?: NoteKept,
): Promise<{ answers: ReceivedFile[]; kept: ReadonlySet<string> }> {
  const whole = received.flatMap(({ file, read, failure }) =>
    read && failure === null ? [{ ...file, study: read.study, uid: read.uid, isPart: !isSingleImage(read) }] : [],
  );
  if (whole.length === 0 && !note) return { answers: [...received], kept: new Set() };
  // A job's second is counted by the database from the beginning of its transaction.
  const at = performance.now();
  const isAtOnce = !note && recentlyEnqueued.has(sender.iid);
  const { outcomes, isRequested } = await retryOnConflict(() =>
    isAtOnce ? recordAtOnce(sender, whole) : recordInSteps(sender, whole, note),
  );
  if (isRequested) noteEnqueued(sender.iid, at, waitFor(whole));
  // The files may have waited for longer than the job. If it cannot be sent again, the sweep does so.
  else if (isAtOnce && !recentlyEnqueued.has(sender.iid))
    await sender.as((db) => enqueueIntake(db, sender.iid, waitFor(whole))).catch(() => null);
  const kept = new Set(whole.flatMap(({ id }) => (outcomes.get(id) === "kept" ? [id] : [])));
  const answers = received.map((one): ReceivedFile => {
    if (one.failure !== null || outcomes.get(one.file.id) !== "other") return one;
    // The same bytes are acknowledged again; others under the same UID are not what the first were.
    return { ...one, failure: "duplicate" };
  });
  return { answers, kept };
}

interface Recorded {
  outcomes: ReadonlyMap<string, store.RecordedOutcome>;
  /** A job was made that takes the files. */
  isRequested: boolean;
}

/** Sends the commit behind the files without waiting for their outcome: a job waits already that will take them. */
async function recordAtOnce(sender: IntakeSender, whole: readonly store.IntakeFile[]): Promise<Recorded> {
  let recorded: Promise<Recorded["outcomes"]> | undefined;
  const work = async (db: Db): Promise<void> => {
    recorded = store.recordIntake(db, sender, whole);
    recorded.catch(() => {});
  };
  await sender.as(work).catch(async (error: unknown) => {
    // If the files were refused, the commit has rolled back and does not know why.
    await recorded;
    throw error;
  });
  return { outcomes: await recorded!, isRequested: false };
}

/** Records the files, then what depends on their outcome, and checks with the commit that they fit. */
const recordInSteps = (
  sender: IntakeSender,
  whole: readonly store.IntakeFile[],
  note: NoteKept | undefined,
): Promise<Recorded> =>
  sender
    .as(async (db) => {
      const outcomes =
        whole.length > 0
          ? await store.recordIntake(db, sender, whole, "unchecked")
          : new Map<string, store.RecordedOutcome>();
      const kept = [...outcomes.values()].filter((one) => one === "kept").length;
      const isRequested = kept > 0 && (await enqueueOnce(db, sender.iid, waitFor(whole)));
      note?.(db, kept);
      if (kept > 0) requireSpaceOnCommit(db, sender.iid);
      return { outcomes, isRequested };
    })
    .catch(refuseIfFull);

/** Removes the files that were not kept. */
export async function discardFiles(received: readonly ReceivedFile[], kept: ReadonlySet<string>): Promise<void> {
  for (const { file } of received) if (!kept.has(file.id)) await uploadParts().remove(file.id);
}

/**
 * The files of one study arrive in many requests: it is taken when none of them has arrived for `quietSeconds`, and after
 * `mostSeconds` at the latest. A study of radiographs waits for `imageSeconds`: if more of them come later, they are added
 * without converting the first again, unlike a volume with its slices. While others wait, the job looks again when one of
 * them can be complete, but not before `againSeconds`. `studies`: at most so many are taken at once.
 */
const intakeTimings = {
  quietSeconds: 1,
  imageSeconds: 0.25,
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
  void recentlyEnqueued.set(iid, true, { start, ttl: afterSeconds * 1000 * 0.95 });

/** The seconds after which the first study of these files can be complete. */
const waitFor = (files: readonly store.IntakeFile[]): number =>
  files.every(({ isPart }) => isPart) ? intakeTimings.quietSeconds : intakeTimings.imageSeconds;

/** The shared lock of the intake must be held: the job, once it begins, waits for requests in progress. */
async function enqueueOnce(db: Db, iid: string, afterSeconds: number): Promise<boolean> {
  // A job that waits already may begin at any moment.
  return !recentlyEnqueued.has(iid) && (await enqueueIntake(db, iid, afterSeconds)) !== null;
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

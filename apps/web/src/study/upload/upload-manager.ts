import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { send } from "../../data/ask.ts";
import { idleState } from "../../session/idle-watch.ts";
import { RefusalError } from "../../data/call-errors.ts";
import { showError, signInAgainRefusal } from "../../data/show-error.ts";
import { onSessionCleared, onSessionSwitch } from "../../browser/session-lifecycle.ts";
import { createStore } from "../../browser/external-store.ts";
import { createUniqueKey } from "../../browser/unique-id.ts";
import { uploadSession } from "../../data/upload-authentication.ts";
import { UploadQueue, getFileKey } from "../../ui/upload/upload-queue.ts";
import { deleteUploads } from "../../ui/upload/resumable-upload.ts";
import {
  ingestJobs,
  batches,
  isRunning,
  matchPending,
  uploadProblems,
  uploadProgress,
  getStage,
  omitKey,
} from "./upload-batches.ts";
import type { Batch } from "./upload-batches.ts";
import { watchJob, stopFollowing } from "./follow-ingest-job.ts";

const retryDelays = [1_000, 3_000, 10_000, 20_000];

/** The queues of this page. They continue when the user navigates to other pages of the product. */
export const queues = createStore<ReadonlyMap<string, UploadQueue>>(new Map());

export function uploadFiles(
  request: Pick<Batch, "owner" | "patient" | "viewByName"> & { kind: ChosenKind | null },
  files: File[],
): void {
  const key = createUniqueKey();
  const added = openQueue(key).add(files);
  if (added.length === 0) return closeQueue(key);
  const left = added.map((file) => ({ key: file.key, name: file.name }));
  const batch = { ...request, key, files: left.length, uploads: [], left, job: null };
  batches.set((now) => [...now, batch]);
}

/**
 * Continues a batch with the same files, chosen again after a reload. Returns the number of files that do not belong to
 * it.
 */
export function resumeWithFiles(key: string, chosen: readonly File[]): number {
  const found = matchPending(findBatch(key)?.left ?? [], chosen, getFileKey);
  if (found.size > 0) openQueue(key).add([...found.keys()], (file) => found.get(file)!);
  return chosen.length - found.size;
}

/** Creates studies from the files that have arrived, without the missing ones. */
export function startWithoutPending(key: string): void {
  closeQueue(key);
  updateBatch(key, { left: [] });
  void openJob(key);
}

/** Cancels a batch and deletes its data here and on the server. */
export function cancelBatch(key: string): void {
  const uploads = findBatch(key)?.uploads ?? [];
  const queue = queues.get().get(key);
  removeBatch(key);
  queue?.cancelAll();
  closeQueue(key);
  void deleteUploads(uploads, uploadSession);
}

export function forgetBatch(key: string): void {
  removeBatch(key);
  closeQueue(key);
}

export function retryBatch(key: string): void {
  uploadProblems.set((now) => omitKey(now, key));
  void openJob(key);
}

/** Resumes the batches that an earlier page of this tab had begun. */
export function resumeAll(): void {
  for (const { key, job, left } of batches.get()) {
    if (job) followJob(key, job, false);
    else if (left.length === 0) void openJob(key);
  }
}

const findBatch = (key: string): Batch | undefined => batches.get().find((batch) => batch.key === key);
const updateBatch = (key: string, to: Partial<Batch>): void =>
  batches.set((now) => now.map((batch) => (batch.key === key ? { ...batch, ...to } : batch)));

function removeBatch(key: string): void {
  const job = findBatch(key)?.job;
  if (job) stopFollowing(job);
  uploadProblems.set((now) => omitKey(now, key));
  batches.set((now) => now.filter((batch) => batch.key !== key));
}

function openQueue(key: string): UploadQueue {
  const known = queues.get().get(key);
  if (known) return known;
  const queue = new UploadQueue(uploadSession);
  const publishProgress = () => {
    const files = queue.files.get();
    const stuck = files.length > 0 && files.every(({ state }) => state === "refused" || state === "done");
    const state = stuck ? "stuck" : queue.paused.get() ? "paused" : "sending";
    const sum = (pick: "bytes" | "sent") => files.reduce((total, file) => total + file[pick], 0);
    if (queues.get().get(key) === queue)
      uploadProgress.set((now) => ({ ...now, [key]: { state, bytes: sum("bytes"), sent: sum("sent") } }));
  };
  queue.setHandlers({
    onArrived: (file) => {
      const batch = findBatch(key);
      const view = batch?.viewByName?.[file.name];
      if (batch)
        updateBatch(key, {
          uploads: [...batch.uploads, file.id],
          ...(view && { photoViews: { ...batch.photoViews, [file.id]: view } }),
          left: batch.left.filter((one) => one.key !== file.key),
        });
    },
    onCancelled: (file) => {
      const batch = findBatch(key);
      if (batch) updateBatch(key, { files: batch.files - 1, left: batch.left.filter((one) => one.key !== file) });
    },
    onIdle: () => handleIdle(key, queue),
  });
  queues.set((now) => new Map(now).set(key, queue));
  queue.files.subscribe(publishProgress);
  queue.paused.subscribe(publishProgress);
  publishProgress();
  return queue;
}

/** Called when all files are sent, or the remaining ones were rejected or must be chosen again. */
function handleIdle(key: string, queue: UploadQueue): void {
  const batch = findBatch(key);
  if (!batch || queue.hasRefused) return;
  closeQueue(key);
  if (batch.left.length === 0) void (batch.uploads.length > 0 ? openJob(key) : forgetBatch(key));
}

function closeQueue(key: string): void {
  queues.get().get(key)?.detach();
  queues.set((now) => new Map([...now].filter(([one]) => one !== key)));
  uploadProgress.set((now) => omitKey(now, key));
}

const openingKeys = new Set<string>();

/** Requests the job until the server has answered. The key makes repeated requests idempotent. */
async function openJob(key: string): Promise<void> {
  if (openingKeys.has(key)) return;
  openingKeys.add(key);
  for (let attempt = 0; findBatch(key)?.job === null; attempt++) {
    const { patient, uploads, kind, photoViews } = findBatch(key)!;
    const input = { patientId: patient.id, uploads, ...(kind && { kind }), ...(photoViews && { photoViews }) };
    try {
      const { id } = await send(uploadJobCalls.open, input, { idempotencyKey: key });
      updateBatch(key, { job: id });
      followJob(key, id, true);
    } catch (error) {
      // A locked session is no final answer: the request is repeated until the owner is back.
      if (error instanceof RefusalError && error.name !== "sessionLocked") {
        if (error.show === "signInAgain") showError(error);
        uploadProblems.set((now) => ({ ...now, [key]: error.msg }));
        break;
      }
      await waitOnline(retryDelays[Math.min(attempt, retryDelays.length - 1)]!);
    }
  }
  openingKeys.delete(key);
}

const followJob = (key: string, job: string, isNew: boolean): void =>
  watchJob(job, { patient: findBatch(key)!.patient, isNew, onLost: () => forgetBatch(key) });

/** Ends sooner when the network is back. */
const waitOnline = (milliseconds: number): Promise<void> =>
  new Promise((resume) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resume();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
  });

onSessionCleared(() => {
  for (const { key } of batches.get()) forgetBatch(key);
});

onSessionSwitch(() => {
  for (const queue of queues.get().values()) queue.pause();
});

// After the user signs in again over the page, all uploads continue.
let wasSignedOut = false;
signInAgainRefusal.subscribe(() => {
  const isSignedOut = signInAgainRefusal.get() !== null;
  if (wasSignedOut && !isSignedOut) {
    for (const queue of queues.get().values()) queue.resume();
    for (const key of Object.keys(uploadProblems.get())) retryBatch(key);
  }
  wasSignedOut = isSignedOut;
});

// A locked session starts no further file. When its owner is back, the rest follows.
let wasLocked = false;
idleState.subscribe(() => {
  const isLocked = idleState.get().kind === "locked";
  if (wasLocked && !isLocked) for (const queue of queues.get().values()) queue.resume();
  wasLocked = isLocked;
});

// Closing the tab interrupts its uploads. A job on the server does not depend on the tab.
addEventListener("beforeunload", (event) => {
  const stages = batches.get().map((batch) => ({ batch, stage: getBatchStage(batch) }));
  if (stages.some(({ batch, stage }) => batch.job === null && (isRunning(stage) || stage === "stuck")))
    event.preventDefault();
});
const getBatchStage = (batch: Batch) =>
  getStage({
    batch,
    sending: uploadProgress.get()[batch.key],
    problem: uploadProblems.get()[batch.key],
    job: batch.job === null ? undefined : ingestJobs.get()[batch.job],
  });

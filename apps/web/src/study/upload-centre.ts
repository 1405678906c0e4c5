import { studyCalls } from "@arcada/contract/study/study.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { send } from "../kernel/ask.ts";
import { watch } from "../kernel/idle.ts";
import { RefusedAnswer } from "../kernel/refused.ts";
import { show, signInAgain } from "../kernel/show.ts";
import { onForget, onSwitch } from "../kernel/sign-in.ts";
import { createStore } from "../kernel/store.ts";
import { uniqueKey } from "../kernel/unique.ts";
import { uploadSession } from "../kernel/upload-session.ts";
import { UploadQueue, keyOfFile } from "../ui/upload-queue.ts";
import { takeBack } from "../ui/upload.ts";
import { answers, batches, isUnderWay, matchLeft, problems, sending, stageOf, without } from "./upload-batches.ts";
import type { Batch } from "./upload-batches.ts";
import { follow, stopFollowing } from "./upload-jobs.ts";

const waits = [1_000, 3_000, 10_000, 20_000];

/** The queues of this page. They continue when the user navigates to other pages of the product. */
export const queues = createStore<ReadonlyMap<string, UploadQueue>>(new Map());

export function sendFiles(wish: Pick<Batch, "owner" | "patient"> & { kind: ChosenKind | null }, files: File[]): void {
  const key = uniqueKey();
  const added = openQueue(key).add(files);
  if (added.length === 0) return closeQueue(key);
  const left = added.map((file) => ({ key: file.key, name: file.name }));
  const batch = { ...wish, key, files: left.length, uploads: [], left, job: null };
  batches.set((now) => [...now, batch]);
}

/**
 * Continues a batch with the same files, chosen again after a reload. Returns the number of files that do not belong to
 * it.
 */
export function chooseAgain(key: string, chosen: readonly File[]): number {
  const found = matchLeft(find(key)?.left ?? [], chosen, keyOfFile);
  if (found.size > 0) openQueue(key).add([...found.keys()], (file) => found.get(file)!);
  return chosen.length - found.size;
}

/** Creates studies from the files that have arrived, without the missing ones. */
export function goOnWithout(key: string): void {
  closeQueue(key);
  change(key, { left: [] });
  void open(key);
}

/** Cancels a batch and deletes its data here and on the server. */
export function cancelBatch(key: string): void {
  const uploads = find(key)?.uploads ?? [];
  const queue = queues.get().get(key);
  forget(key);
  queue?.cancelAll();
  closeQueue(key);
  void takeBack(uploads, uploadSession);
}

export function forgetBatch(key: string): void {
  forget(key);
  closeQueue(key);
}

export function openAgain(key: string): void {
  problems.set((now) => without(now, key));
  void open(key);
}

/** Resumes the batches that an earlier page of this tab had begun. */
export function goOnWithAll(): void {
  for (const { key, job, left } of batches.get()) {
    if (job) followJob(key, job, false);
    else if (left.length === 0) void open(key);
  }
}

const find = (key: string): Batch | undefined => batches.get().find((batch) => batch.key === key);
const change = (key: string, to: Partial<Batch>): void =>
  batches.set((now) => now.map((batch) => (batch.key === key ? { ...batch, ...to } : batch)));

function forget(key: string): void {
  const job = find(key)?.job;
  if (job) stopFollowing(job);
  problems.set((now) => without(now, key));
  batches.set((now) => now.filter((batch) => batch.key !== key));
}

function openQueue(key: string): UploadQueue {
  const known = queues.get().get(key);
  if (known) return known;
  const queue = new UploadQueue(uploadSession);
  const tell = () => {
    const files = queue.files.get();
    const stuck = files.length > 0 && files.every(({ state }) => state === "refused" || state === "done");
    const state = stuck ? "stuck" : queue.paused.get() ? "paused" : "sending";
    const sum = (pick: "bytes" | "sent") => files.reduce((total, file) => total + file[pick], 0);
    if (queues.get().get(key) === queue)
      sending.set((now) => ({ ...now, [key]: { state, bytes: sum("bytes"), sent: sum("sent") } }));
  };
  queue.hear({
    arrived: (file) => {
      const batch = find(key);
      if (batch)
        change(key, {
          uploads: [...batch.uploads, file.id],
          left: batch.left.filter((one) => one.key !== file.key),
        });
    },
    dropped: (file) => {
      const batch = find(key);
      if (batch) change(key, { files: batch.files - 1, left: batch.left.filter((one) => one.key !== file) });
    },
    rested: () => rest(key, queue),
  });
  queues.set((now) => new Map(now).set(key, queue));
  queue.files.subscribe(tell);
  queue.paused.subscribe(tell);
  tell();
  return queue;
}

/** Called when all files are sent, or the remaining ones were rejected or must be chosen again. */
function rest(key: string, queue: UploadQueue): void {
  const batch = find(key);
  if (!batch || queue.hasRefused) return;
  closeQueue(key);
  if (batch.left.length === 0) void (batch.uploads.length > 0 ? open(key) : forgetBatch(key));
}

function closeQueue(key: string): void {
  queues.get().get(key)?.leave();
  queues.set((now) => new Map([...now].filter(([one]) => one !== key)));
  sending.set((now) => without(now, key));
}

const opening = new Set<string>();

/** Requests the job until the server has answered. The key makes repeated requests idempotent. */
async function open(key: string): Promise<void> {
  if (opening.has(key)) return;
  opening.add(key);
  for (let tries = 0; find(key)?.job === null; tries++) {
    const { patient, uploads, kind } = find(key)!;
    const input = { patientId: patient.id, uploads, ...(kind && { kind }) };
    try {
      const { id } = await send(studyCalls.open, input, { idempotencyKey: key });
      change(key, { job: id });
      followJob(key, id, true);
    } catch (error) {
      // A locked session is no final answer: the request is repeated until the owner is back.
      if (error instanceof RefusedAnswer && error.name !== "sessionLocked") {
        if (error.show === "signInAgain") show(error);
        problems.set((now) => ({ ...now, [key]: error.msg }));
        break;
      }
      await pause(waits[Math.min(tries, waits.length - 1)]!);
    }
  }
  opening.delete(key);
}

const followJob = (key: string, job: string, isNew: boolean): void =>
  follow(job, { patient: find(key)!.patient, isNew, lost: () => forgetBatch(key) });

/** Ends sooner when the network is back. */
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resume();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
  });

onForget(() => {
  for (const { key } of batches.get()) forgetBatch(key);
});

onSwitch(() => {
  for (const queue of queues.get().values()) queue.pause();
});

// After the user signs in again over the page, all uploads continue.
let wasOut = false;
signInAgain.subscribe(() => {
  const isOut = signInAgain.get() !== null;
  if (wasOut && !isOut) {
    for (const queue of queues.get().values()) queue.resume();
    for (const key of Object.keys(problems.get())) openAgain(key);
  }
  wasOut = isOut;
});

// A locked session starts no further file. When its owner is back, the rest follows.
let wasLocked = false;
watch.subscribe(() => {
  const isLocked = watch.get().kind === "locked";
  if (wasLocked && !isLocked) for (const queue of queues.get().values()) queue.resume();
  wasLocked = isLocked;
});

// Closing the tab interrupts its uploads. A job on the server does not depend on the tab.
addEventListener("beforeunload", (event) => {
  const stages = batches.get().map((batch) => ({ batch, stage: stageOfKey(batch) }));
  if (stages.some(({ batch, stage }) => batch.job === null && (isUnderWay(stage) || stage === "stuck")))
    event.preventDefault();
});
const stageOfKey = (batch: Batch) =>
  stageOf({
    batch,
    sending: sending.get()[batch.key],
    problem: problems.get()[batch.key],
    job: batch.job === null ? undefined : answers.get()[batch.job],
  });

import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { useSignedInUser } from "../../session/current-user.ts";
import { createStore, useStore } from "../../browser/external-store.ts";

/** A file of a batch that has not arrived. */
export interface PendingFile {
  /** Path, size and time: the same file has the same key when it is chosen again. */
  key: string;
  name: string;
}
/** Files that were chosen together for one patient, and the job that creates studies from them. */
export interface Batch {
  /** An idempotency key: a repeated request returns the same job. */
  key: string;
  /** The user and the institution that own the batch. No other user of this browser sees it. */
  owner: string;
  patient: { id: string; name: string };
  kind: ChosenKind | null;
  files: number;
  /** Ids of the files that have arrived. */
  uploads: string[];
  left: PendingFile[];
  /** A photo series has the view of each file by its name, and of each that has arrived by its upload. */
  viewByName?: Readonly<Record<string, PhotoView>>;
  photoViews?: Readonly<Record<string, PhotoView>>;
  /** Null until the server has answered. */
  job: string | null;
}
export interface UploadProgress {
  state: "sending" | "paused" | "stuck";
  bytes: number;
  sent: number;
}
/** missing: the page was reloaded, and files must be chosen again. stuck: the remaining files were rejected. */
export type BatchStage =
  | UploadProgress["state"]
  | "missing"
  | "opening"
  | "problem"
  | "working"
  | "question"
  | "done"
  | "failed"
  | "cancelled";

/** Stored per tab, so that a reload finds the running uploads. */
const storageKey = "arcada.uploads";
export const batches = createStore<readonly Batch[]>(readBatches());
/**
 * State of this page alone, not kept over a reload. By the batch's key: the progress of its files and the reason why it
 * could not start. By the job's id: the state of the job.
 */
export const uploadProgress = createStore<Record<string, UploadProgress>>({});
export const uploadProblems = createStore<Record<string, string>>({});
export const ingestJobs = createStore<Record<string, IngestJob>>({});

let saveTimer: ReturnType<typeof setTimeout> | undefined;
// Throttled, because thousands of files arrive one by one.
batches.subscribe(() => (saveTimer ??= setTimeout(saveBatches, 500)));
if (typeof window !== "undefined") addEventListener("pagehide", saveBatches);

export const getOwner = ({ id, iid }: { id: string; iid: string | null }): string => `${id} ${iid}`;

/** Drops the batches of another user, or of the same user in another institution. */
export function dropForeignBatches(owner: string): void {
  if (batches.get().some((batch) => batch.owner !== owner))
    batches.set((now) => now.filter((batch) => batch.owner === owner));
}

export interface BatchState {
  batch: Batch;
  stage: BatchStage;
  sending: UploadProgress | undefined;
  problem: string | undefined;
  job: IngestJob | undefined;
}
/** The batches of the signed-in user, newest first. */
export function useBatches(): BatchState[] {
  const owner = getOwner(useSignedInUser());
  const all = useStore(batches);
  const [sent, problemByKey, jobById] = [useStore(uploadProgress), useStore(uploadProblems), useStore(ingestJobs)];
  return all
    .filter((batch) => batch.owner === owner)
    .map((batch) => ({
      batch,
      sending: sent[batch.key],
      problem: problemByKey[batch.key],
      job: jobById[batch.job ?? ""],
    }))
    .map((now) => ({ ...now, stage: getStage(now) }))
    .toReversed();
}

export function getStage({ batch, sending: sent, problem, job }: Omit<BatchState, "stage">): BatchStage {
  if (batch.job !== null) {
    if (!job || job.state === "waiting" || job.state === "running") return "working";
    return job.questions.length > 0 ? "question" : job.state;
  }
  if (problem !== undefined) return "problem";
  if (sent) return sent.state;
  return batch.left.length > 0 ? "missing" : "opening";
}

/** Stages that wait for a person, that continue without one, and that have ended. */
export const needsAttention = (stage: BatchStage): boolean =>
  ["stuck", "missing", "problem", "question"].includes(stage);
export const isRunning = (stage: BatchStage): boolean => ["sending", "paused", "opening", "working"].includes(stage);
export const hasEnded = (stage: BatchStage): boolean => ["done", "failed", "cancelled"].includes(stage);

/** The progress at which the last byte is sent and the server starts processing. */
export const uploadShare = 0.7;
/** Returns the progress of a batch from 0 to 1, over both the upload and the processing by the server. */
const getProgress = ({ sending: sent, job }: Pick<BatchState, "sending" | "job">): number =>
  sent
    ? uploadShare * (sent.bytes === 0 ? 0 : sent.sent / sent.bytes)
    : uploadShare + (1 - uploadShare) * (job?.progress ?? 0);

/** Returns the progress over all running batches, from 0 to 100. */
export function getPercent(all: readonly BatchState[]): number {
  const running = all.filter(({ stage }) => isRunning(stage) || stage === "stuck");
  if (running.length === 0) return 100;
  return Math.floor((100 * running.reduce((sum, now) => sum + getProgress(now), 0)) / running.length);
}

/**
 * Returns the files among those chosen again that are still missing from the batch, each with its key in the batch. A
 * file that is chosen alone has lost its folder's name.
 */
export function matchPending(
  left: readonly PendingFile[],
  chosen: readonly File[],
  keyOf: (file: File) => string,
): Map<File, string> {
  const keys = new Set(left.map(({ key }) => key));
  const pendingByName = Map.groupBy(left, ({ key, name }) => withoutFolder(key, name));
  const found = new Map<File, string>();
  for (const file of chosen) {
    const key = keyOf(file);
    const others = pendingByName.get(withoutFolder(key, file.name)) ?? [];
    if (keys.has(key)) found.set(file, key);
    else if (others.length === 1) found.set(file, others[0]!.key);
  }
  return found;
}
/** A key starts with the path, which ends with the name. */
const withoutFolder = (key: string, name: string): string => key.slice(key.lastIndexOf(`${name} `));

export function omitKey<T>(all: Record<string, T>, key: string): Record<string, T> {
  const { [key]: _, ...rest } = all;
  return rest;
}

function saveBatches(): void {
  clearTimeout(saveTimer);
  saveTimer = undefined;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(batches.get()));
  } catch {
    // The storage is full or refused: after a reload only the server's data is known.
  }
}

function readBatches(): Batch[] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? "[]") as Batch[];
  } catch {
    return [];
  }
}

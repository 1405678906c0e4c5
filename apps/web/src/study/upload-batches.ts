import type { IngestJob } from "@arcada/contract/study/study.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { useUser } from "../kernel/session.ts";
import { createStore, useStore } from "../kernel/store.ts";

/** A file of a batch that has not arrived. */
export interface LeftFile {
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
  left: LeftFile[];
  /** Null until the server has answered. */
  job: string | null;
}
export interface Sending {
  state: "sending" | "paused" | "stuck";
  bytes: number;
  sent: number;
}
/** missing: the page was reloaded, and files must be chosen again. stuck: the remaining files were rejected. */
export type Stage =
  | Sending["state"]
  | "missing"
  | "opening"
  | "problem"
  | "working"
  | "question"
  | "done"
  | "failed"
  | "cancelled";

/** Stored per tab, so that a reload finds the running uploads. */
const place = "arcada.uploads";
export const batches = createStore<readonly Batch[]>(read());
/**
 * State of this page alone, not kept over a reload. By the batch's key: the progress of its files and the reason why it
 * could not start. By the job's id: the state of the job.
 */
export const sending = createStore<Record<string, Sending>>({});
export const problems = createStore<Record<string, string>>({});
export const answers = createStore<Record<string, IngestJob>>({});

let keeping: ReturnType<typeof setTimeout> | undefined;
// Throttled, because thousands of files arrive one by one.
batches.subscribe(() => (keeping ??= setTimeout(keep, 500)));
if (typeof window !== "undefined") addEventListener("pagehide", keep);

export const ownerOf = ({ id, iid }: { id: string; iid: string | null }): string => `${id} ${iid}`;

/** Drops the batches of another user, or of the same user in another institution. */
export function dropOthers(owner: string): void {
  if (batches.get().some((batch) => batch.owner !== owner))
    batches.set((now) => now.filter((batch) => batch.owner === owner));
}

export interface BatchNow {
  batch: Batch;
  stage: Stage;
  sending: Sending | undefined;
  problem: string | undefined;
  job: IngestJob | undefined;
}
/** The batches of the signed-in user, newest first. */
export function useBatches(): BatchNow[] {
  const owner = ownerOf(useUser());
  const all = useStore(batches);
  const [sent, why, said] = [useStore(sending), useStore(problems), useStore(answers)];
  return all
    .filter((batch) => batch.owner === owner)
    .map((batch) => ({ batch, sending: sent[batch.key], problem: why[batch.key], job: said[batch.job ?? ""] }))
    .map((now) => ({ ...now, stage: stageOf(now) }))
    .toReversed();
}

export function stageOf({ batch, sending: sent, problem, job }: Omit<BatchNow, "stage">): Stage {
  if (batch.job !== null) {
    if (!job || job.state === "waiting" || job.state === "running") return "working";
    return job.questions.length > 0 ? "question" : job.state;
  }
  if (problem !== undefined) return "problem";
  if (sent) return sent.state;
  return batch.left.length > 0 ? "missing" : "opening";
}

/** Stages that wait for a person, that continue without one, and that have ended. */
export const needsPerson = (stage: Stage): boolean => ["stuck", "missing", "problem", "question"].includes(stage);
export const isUnderWay = (stage: Stage): boolean => ["sending", "paused", "opening", "working"].includes(stage);
export const hasEnded = (stage: Stage): boolean => ["done", "failed", "cancelled"].includes(stage);

/** The progress at which the last byte is sent and the server starts processing. */
export const sentShare = 0.7;
/** Returns the progress of a batch from 0 to 1, over both the upload and the processing by the server. */
const shareOf = ({ sending: sent, job }: Pick<BatchNow, "sending" | "job">): number =>
  sent
    ? sentShare * (sent.bytes === 0 ? 0 : sent.sent / sent.bytes)
    : sentShare + (1 - sentShare) * (job?.progress ?? 0);

/** Returns the progress over all running batches, from 0 to 100. */
export function percentOf(all: readonly BatchNow[]): number {
  const going = all.filter(({ stage }) => isUnderWay(stage) || stage === "stuck");
  if (going.length === 0) return 100;
  return Math.floor((100 * going.reduce((sum, now) => sum + shareOf(now), 0)) / going.length);
}

/**
 * Returns the files among those chosen again that the batch still lacks, each with its key in the batch. A file that is
 * chosen alone has lost its folder's name.
 */
export function matchLeft(
  left: readonly LeftFile[],
  chosen: readonly File[],
  keyOf: (file: File) => string,
): Map<File, string> {
  const keys = new Set(left.map(({ key }) => key));
  const alone = Map.groupBy(left, ({ key, name }) => withoutFolder(key, name));
  const found = new Map<File, string>();
  for (const file of chosen) {
    const key = keyOf(file);
    const others = alone.get(withoutFolder(key, file.name)) ?? [];
    if (keys.has(key)) found.set(file, key);
    else if (others.length === 1) found.set(file, others[0]!.key);
  }
  return found;
}
/** A key starts with the path, which ends with the name. */
const withoutFolder = (key: string, name: string): string => key.slice(key.lastIndexOf(`${name} `));

export function without<T>(all: Record<string, T>, key: string): Record<string, T> {
  const { [key]: _, ...rest } = all;
  return rest;
}

function keep(): void {
  clearTimeout(keeping);
  keeping = undefined;
  try {
    sessionStorage.setItem(place, JSON.stringify(batches.get()));
  } catch {
    // The storage is full or refused: after a reload only the server's data is known.
  }
}

function read(): Batch[] {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "[]") as Batch[];
  } catch {
    return [];
  }
}

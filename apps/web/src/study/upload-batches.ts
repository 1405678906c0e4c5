import type { IngestJob } from "@arcada/contract/study/study.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { useUser } from "../kernel/session.ts";
import { createStore, useStore } from "../kernel/store.ts";

/** A file of a batch that has not arrived. */
export interface LeftFile {
  /** Path, size and time: the same file chosen again has the same. */
  key: string;
  name: string;
}
/** Files that were chosen together for one patient, and the job that makes studies of them. */
export interface Batch {
  /** Opened again with the same key, the server answers with the same job. */
  key: string;
  /** Whose it is, in which organisation: nobody else sees it, whoever signs in at this browser. */
  owner: string;
  patient: { id: string; name: string };
  kind: ChosenKind | null;
  files: number;
  /** What has arrived. */
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
/** missing: the page was reloaded, and files must be chosen again. stuck: what is left was refused. */
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

/** Kept per tab, so that a reload finds what was under way. */
const place = "arcada.uploads";
export const batches = createStore<readonly Batch[]>(read());
/** Of this page alone, by the batch's key how far its files are and why it was not begun, by the job's id what the job says. */
export const sending = createStore<Record<string, Sending>>({});
export const problems = createStore<Record<string, string>>({});
export const answers = createStore<Record<string, IngestJob>>({});

let keeping: ReturnType<typeof setTimeout> | undefined;
// Thousands of files arrive one by one.
batches.subscribe(() => (keeping ??= setTimeout(keep, 500)));
if (typeof window !== "undefined") addEventListener("pagehide", keep);

export const ownerOf = ({ id, iid }: { id: string; iid: string | null }): string => `${id} ${iid}`;

/** Somebody else worked in this tab before, or the same person elsewhere. */
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
/** The batches of who is signed in, newest first. */
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

/** What waits for a person, what goes on without one, and what has ended. */
export const needsPerson = (stage: Stage): boolean => ["stuck", "missing", "problem", "question"].includes(stage);
export const isUnderWay = (stage: Stage): boolean => ["sending", "paused", "opening", "working"].includes(stage);
export const hasEnded = (stage: Stage): boolean => ["done", "failed", "cancelled"].includes(stage);

/** The share of the whole way at which the last byte is sent and the server begins its work. */
export const sentShare = 0.7;
/** How far a batch is, from 0 to 1, over sending and what the server does with the files. */
const shareOf = ({ sending: sent, job }: Pick<BatchNow, "sending" | "job">): number =>
  sent
    ? sentShare * (sent.bytes === 0 ? 0 : sent.sent / sent.bytes)
    : sentShare + (1 - sentShare) * (job?.progress ?? 0);

/** 0 to 100 over all batches that go on. */
export function percentOf(all: readonly BatchNow[]): number {
  const going = all.filter(({ stage }) => isUnderWay(stage) || stage === "stuck");
  if (going.length === 0) return 100;
  return Math.floor((100 * going.reduce((sum, now) => sum + shareOf(now), 0)) / going.length);
}

/**
 * Which of the files that are chosen again a batch still lacks, each with its key there: a file chosen alone has lost its
 * folder's name.
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
/** A key begins with the path, which ends with the name. */
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
    // The storage is full or refused: a reload then knows only what the server knows.
  }
}

function read(): Batch[] {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "[]") as Batch[];
  } catch {
    return [];
  }
}

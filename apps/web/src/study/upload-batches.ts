import type { StudyKind } from "@arcada/contract/study/study.rules";
import { onForget } from "../kernel/sign-in.ts";
import { createStore, useStore } from "../kernel/store.ts";
import { uniqueKey } from "../kernel/unique.ts";

/** Uploads that arrived together, and the job that makes studies of them. */
export interface Batch {
  /** Opened again with the same key, the server answers with the same job. */
  key: string;
  patientId: string;
  uploads: string[];
  kind: StudyKind | null;
  acceptMismatch: boolean;
  /** Null until the server has answered. */
  job: string | null;
}

/** Kept per tab, so that a reload finds the jobs under way again. */
const place = "arcada.uploads";
const batches = createStore<readonly Batch[]>(read());
batches.subscribe(() => sessionStorage.setItem(place, JSON.stringify(batches.get())));
onForget(() => batches.set([]));

export const useBatches = (patientId: string): Batch[] =>
  useStore(batches).filter((batch) => batch.patientId === patientId);

export function addBatch(batch: Pick<Batch, "patientId" | "uploads" | "kind">): void {
  batches.set((now) => [...now, { ...batch, key: uniqueKey(), acceptMismatch: false, job: null }]);
}

export const changeBatch = (key: string, change: Partial<Pick<Batch, "job">>): void =>
  batches.set((now) => now.map((batch) => (batch.key === key ? { ...batch, ...change } : batch)));

/** The same uploads once more: the files of another name belong to this patient. */
export const acceptMismatch = (key: string): void =>
  batches.set((now) =>
    now.map((batch) => (batch.key === key ? { ...batch, key: uniqueKey(), acceptMismatch: true, job: null } : batch)),
  );

export const forgetBatch = (key: string): void => batches.set((now) => now.filter((batch) => batch.key !== key));

function read(): Batch[] {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "[]") as Batch[];
  } catch {
    return [];
  }
}

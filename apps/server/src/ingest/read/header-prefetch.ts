import { parseTimeoutMs } from "@arcada/contract/study/study.rules";
import type { TaskResult } from "../../platform/runtime/worker-pool.ts";
import type { ReadHeader } from "./dicom-header.worker.ts";
import { workerPools } from "../worker-pools.ts";

/** The headers of a run's DICOM files; those in an archive are read while the rest is still being unpacked. */
export interface HeaderPrefetch {
  start(file: { path: string; bytes: number }): void;
  get(file: { path: string; bytes: number }): Promise<TaskResult<ReadHeader>>;
  /** Discards the headers that were begun: other files get the same paths. */
  clear(): void;
}

/** `group`: the institution; institutions take turns. */
export function createHeaderPrefetch(signal: AbortSignal, group: string): HeaderPrefetch {
  const started = new Map<string, Promise<TaskResult<ReadHeader>>>();
  const read = ({ path, bytes }: { path: string; bytes: number }) =>
    workerPools().headers.run(path, { timeoutMs: parseTimeoutMs(bytes), signal, inputBytes: bytes, group });
  return {
    start: (file) => {
      const header = read(file);
      // The caller of `of` receives the error.
      header.catch(() => {});
      started.set(file.path, header);
    },
    get: (file) => started.get(file.path) ?? read(file),
    clear: () => started.clear(),
  };
}

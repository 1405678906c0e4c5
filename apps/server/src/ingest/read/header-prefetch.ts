import { parseTimeoutMs } from "@arcada/contract/study/study.rules";
import type { TaskResult } from "../../platform/runtime/worker-pool.ts";
import type { ReadHeader } from "./dicom-header.worker.ts";
import { workerPools } from "../worker-pools.ts";

interface LocalFile {
  path: string;
  bytes: number;
}

/** The headers of a run's DICOM files; those in an archive are read while the rest is still being unpacked. */
export interface HeaderPrefetch {
  start(file: LocalFile): void;
  get(file: LocalFile): Promise<TaskResult<ReadHeader>>;
  /** Reads files that the store has, several in one task: a task costs as much as reading a small file. */
  getStored(files: readonly LocalFile[]): Promise<TaskResult<ReadHeader>[]>;
  /** Discards the headers that were begun: other files get the same paths. */
  clear(): void;
}

/** `group`: the institution; institutions take turns. */
export function createHeaderPrefetch(signal: AbortSignal, group: string): HeaderPrefetch {
  const started = new Map<string, Promise<TaskResult<ReadHeader>>>();
  const read = async (files: readonly LocalFile[], flush: boolean): Promise<TaskResult<ReadHeader>[]> => {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const task = { paths: files.map(({ path }) => path), flush };
    // All of them have the time of one, so that a hostile file does not get the time of the others.
    const options = { timeoutMs: parseTimeoutMs(bytes), signal, inputBytes: bytes, group };
    const result = await workerPools().headers.run(task, options);
    if ("value" in result) return result.value;
    if (files.length === 1) return [result];
    // One of them ended the thread, and the others must not be refused for it.
    const each: TaskResult<ReadHeader>[] = [];
    for (const file of files) each.push(...(await read([file], flush)));
    return each;
  };
  // An archive's file is flushed in the same task, for which nothing waits there.
  const readUnpacked = async (file: LocalFile) => (await read([file], true))[0]!;
  return {
    start: (file) => {
      const header = readUnpacked(file);
      // The caller of `get` receives the error.
      header.catch(() => {});
      started.set(file.path, header);
    },
    get: (file) => started.get(file.path) ?? readUnpacked(file),
    getStored: (files) => read(files, false),
    clear: () => started.clear(),
  };
}

import { parseMs } from "@arcada/contract/study/study.rules";
import type { Answer } from "../platform/runtime/worker-pool.ts";
import type { ReadHeader } from "./parse-worker.ts";
import { threads } from "./threads.ts";

/** The headers of a run's DICOM files; those in an archive are read while the rest is still being unpacked. */
export interface HeadersAhead {
  begin(file: { path: string; bytes: number }): void;
  of(file: { path: string; bytes: number }): Promise<Answer<ReadHeader>>;
  /** Discards the headers that were begun: other files get the same paths. */
  forget(): void;
}

/** `group`: the institution; institutions take turns. */
export function headersAhead(signal: AbortSignal, group: string): HeadersAhead {
  const begun = new Map<string, Promise<Answer<ReadHeader>>>();
  const read = ({ path, bytes }: { path: string; bytes: number }) =>
    threads().headers.run(path, { timeoutMs: parseMs(bytes), signal, inputBytes: bytes, group });
  return {
    begin: (file) => {
      const header = read(file);
      // The caller of `of` receives the error.
      header.catch(() => {});
      begun.set(file.path, header);
    },
    of: (file) => begun.get(file.path) ?? read(file),
    forget: () => begun.clear(),
  };
}

import { getPersistedFileKey } from "../../browser/persisted-file-cache-key.ts";
import type { FetchResult, FetchRequest } from "./file-fetcher.worker.ts";

/** Fetches files in a worker. */
export interface FileFetcher {
  /** Fetches the file behind an address; `isKept`: the file is stored for later page loads. */
  load: (url: string, isStored: boolean) => Promise<FetchResult>;
  /** Prefetches a file while nothing else is being fetched. */
  prefetch: (url: string, isStored: boolean) => void;
  /** No more files are requested; those that arrived are still stored. */
  end: () => void;
  /** Cancels all downloads. */
  stop: () => void;
}

let prefetcher: FileFetcher | null = null;
let isTakenOver = false;

/** Returns the fetcher of the first paint; null if the viewer already fetches what it needs. */
export const getPrefetcher = (): FileFetcher | null => (isTakenOver ? null : (prefetcher ??= startFetcher()));

/** Returns the fetcher that the first paint has started, or a new one; the caller must stop it. */
export function takeOverFetcher(): FileFetcher {
  const fetcher = prefetcher ?? startFetcher();
  prefetcher = null;
  isTakenOver = true;
  return fetcher;
}

/** Stops the fetcher that nobody has taken over. */
export function stopPrefetcher(): void {
  prefetcher?.stop();
  prefetcher = null;
}

function startFetcher(): FileFetcher {
  const worker = new Worker(new URL("./file-fetcher.worker.ts", import.meta.url), { type: "module" });
  const pending = new Map<string, PromiseWithResolvers<FetchResult> & { isHere?: true }>();
  worker.addEventListener("message", ({ data }: MessageEvent<FetchResult>) => {
    const request = pending.get(data.name);
    if (!request) return;
    request.isHere = true;
    request.resolve(data);
  });
  worker.addEventListener("error", () => {
    for (const [name, request] of pending) request.resolve({ name, status: 0 });
  });
  const sendRequest = (request: FetchRequest): Promise<FetchResult> => {
    const known = pending.get(request.name) ?? Promise.withResolvers<FetchResult>();
    pending.set(request.name, known);
    if (!("isHere" in known)) worker.postMessage(request);
    return known.promise;
  };
  const getFileName = (url: string): string => getPersistedFileKey(url) ?? url;
  return {
    load: (url, isStored) =>
      sendRequest({ url, name: getFileName(url), isStored, isPrefetch: false }).finally(() =>
        pending.delete(getFileName(url)),
      ),
    prefetch: (url, isStored) => void sendRequest({ url, name: getFileName(url), isStored, isPrefetch: true }),
    end: () => worker.postMessage("end"),
    stop: () => worker.terminate(),
  };
}

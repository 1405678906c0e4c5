import { getPersistedFileStorage, persistedFileCacheName } from "../../browser/persisted-file-cache-key.ts";

export interface FetchRequest {
  url: string;
  /** The part of the address that stays the same when the address is renewed. */
  name: string;
  /** True if the file is stored under its name between page loads. */
  isStored: boolean;
  /** True for a prefetch, for which nobody waits yet. */
  isPrefetch: boolean;
}
/** The bytes of a file; or the status of the answer, 0 if there was none. */
export type FetchResult = { name: string; bytes: Uint8Array<ArrayBuffer> } | { name: string; status: number };

// A thread that only fetches: the page draws without a pause, and downloads would idle between two parts. Of the six
// connections that a browser opens to a host one stays free for the page's calls, and three until the page itself
// requests something.
const [maxActive, maxPrefetching] = [5, 3];
const queue: FetchRequest[] = [];
let prefetchQueue: FetchRequest[] = [];
const active = new Set<string>();
/**
 * Number of files being put into the browser's own store, which may be slow: downloads do not wait for it, up to
 * `maxStoring`.
 */
let storing = 0;
const maxStoring = 8;
let isClosing = false;
let openedStore: Promise<Cache | undefined> | undefined;

self.addEventListener("message", ({ data }: MessageEvent<FetchRequest | "end">) => {
  if (data === "end") isClosing = true;
  else if (!active.has(data.name)) {
    prefetchQueue = prefetchQueue.filter(({ name }) => name !== data.name);
    (data.isPrefetch ? prefetchQueue : queue).push(data);
  }
  startNext();
});

function startNext(): void {
  while (active.size < maxActive && storing < maxStoring) {
    const request = queue.shift() ?? (active.size < maxPrefetching ? prefetchQueue.shift() : undefined);
    if (!request) break;
    active.add(request.name);
    void load(request).finally(() => {
      active.delete(request.name);
      startNext();
    });
  }
  if (isClosing && active.size === 0 && storing === 0) self.close();
}

async function load({ url, name, isStored }: FetchRequest): Promise<void> {
  try {
    const store = isStored
      ? await (openedStore ??= getPersistedFileStorage()?.open(persistedFileCacheName))
      : undefined;
    const stored = await store?.match(name);
    if (stored) return postBytes(name, await stored.arrayBuffer());
    // Files in our own store need not be cached by the browser a second time.
    const response = await fetch(url, store ? { cache: "no-store" } : {});
    if (!response.ok) return self.postMessage({ name, status: response.status } satisfies FetchResult);
    const bytes = await response.arrayBuffer();
    // Made before the bytes are transferred.
    const copy = new Response(store && bytes);
    postBytes(name, bytes);
    if (store) storeCopy(store, name, copy);
  } catch {
    self.postMessage({ name, status: 0 } satisfies FetchResult);
  }
}

/** If the store has no space, the next page load fetches the file again. */
function storeCopy(store: Cache, name: string, copy: Response): void {
  storing++;
  void store
    .put(name, copy)
    .catch(() => {})
    .finally(() => {
      storing--;
      startNext();
    });
}

function postBytes(name: string, buffer: ArrayBuffer): void {
  self.postMessage({ name, bytes: new Uint8Array(buffer) } satisfies FetchResult, { transfer: [buffer] });
}

import {
  getPersistedFileKey as keyOf,
  getPersistedFileStorage as storage,
  persistedFileCacheName as name,
} from "./persisted-file-cache-key.ts";
import { readToken } from "./session-token.ts";

/**
 * A guest session of a shared study neither signs in nor signs out: nothing is kept for it. Workers cannot read the
 * cookies that would say so.
 */
const isSignedIn = (): boolean => typeof document !== "undefined" && readToken() !== undefined;
/** Upper limit in bytes of the disk space that the browser grants; older files are removed to make room. */
const maxBytes = 2e9;

let cachePromise: Promise<Cache | null> | null = null;
let trimPromise: Promise<void> | null = null;

/**
 * True if a file is kept for later page loads: files made for viewing are identified by their content, since their
 * addresses change.
 */
export const isPersistable = (url: string): boolean => storage() !== undefined && isSignedIn() && keyOf(url) !== null;

/** The bytes that an earlier page load fetched, without a request to the server; null if there are none. */
export async function readPersistedFile(url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!isPersistable(url)) return null;
  try {
    const found = await (await openCache())?.match(keyOf(url) ?? "");
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** Keeps a file for later page loads; without effect if the browser has no space. */
export function persistFile(url: string, bytes: Uint8Array<ArrayBuffer>): void {
  const key = keyOf(url);
  if (!key || !isPersistable(url)) return;
  // Created at once: the caller may transfer the bytes.
  const response = new Response(bytes);
  void openCache()
    .then((cache) => cache?.put(key, response))
    .then(() => (trimPromise ??= trim()))
    .catch(() => {});
}

/** Opens the store ahead of the first query, which would wait for it. */
export const openPersistedFiles = (): void => void openCache().catch(() => {});

/** Deletes all kept files, so that a user who leaves this browser leaves none of them behind. */
export function clearPersistedFiles(): void {
  cachePromise = null;
  trimPromise = null;
  void storage()
    ?.delete(name)
    .catch(() => {});
}

const openCache = (): Promise<Cache | null> =>
  (cachePromise ??= Promise.resolve(storage()?.open(name)).then((cache) => cache ?? null));

/** Runs once per page load, after the first file: the browser takes half a second to estimate the used space. */
async function trim(): Promise<void> {
  const cache = await openCache();
  const { usage = 0, quota = Infinity } = (await navigator.storage?.estimate()) ?? {};
  if (!cache || usage < Math.min(maxBytes, quota / 2)) return;
  const keys = await cache.keys();
  // Keys are in the order of insertion.
  for (const key of keys.slice(0, Math.ceil(keys.length / 2))) await cache.delete(key);
}

import { keptKeyOf as keyOf, keptStorage as storage, keptStoreName as name } from "./kept-store.ts";
import { readToken } from "./token.ts";

/**
 * A guest session of a shared study neither signs in nor signs out: nothing is kept for it. Workers cannot read the
 * cookies that would say so.
 */
const isSignedIn = (): boolean => typeof document !== "undefined" && readToken() !== undefined;
/** Upper limit in bytes of the disk space that the browser grants; older files are removed to make room. */
const mostBytes = 2e9;

let opened: Promise<Cache | null> | null = null;
let trimmed: Promise<void> | null = null;

/**
 * True if a file is kept for later page loads: files made for viewing are identified by their content, since their
 * addresses change.
 */
export const isKept = (url: string): boolean => storage() !== undefined && isSignedIn() && keyOf(url) !== null;

/** The bytes that an earlier page load fetched, without a request to the server; null if there are none. */
export async function keptFile(url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!isKept(url)) return null;
  try {
    const found = await (await open())?.match(keyOf(url) ?? "");
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** Keeps a file for later page loads; without effect if the browser has no space. */
export function keepFile(url: string, bytes: Uint8Array<ArrayBuffer>): void {
  const key = keyOf(url);
  if (!key || !isKept(url)) return;
  // Created at once: the caller may transfer the bytes.
  const response = new Response(bytes);
  void open()
    .then((cache) => cache?.put(key, response))
    .then(() => (trimmed ??= trim()))
    .catch(() => {});
}

/** Opens the store ahead of the first query, which would wait for it. */
export const openKept = (): void => void open().catch(() => {});

/** Deletes all kept files, so that a user who leaves this browser leaves none of them behind. */
export function forgetFiles(): void {
  opened = null;
  trimmed = null;
  void storage()
    ?.delete(name)
    .catch(() => {});
}

const open = (): Promise<Cache | null> =>
  (opened ??= Promise.resolve(storage()?.open(name)).then((cache) => cache ?? null));

/** Runs once per page load, after the first file: the browser takes half a second to estimate the used space. */
async function trim(): Promise<void> {
  const cache = await open();
  const { usage = 0, quota = Infinity } = (await navigator.storage?.estimate()) ?? {};
  if (!cache || usage < Math.min(mostBytes, quota / 2)) return;
  const keys = await cache.keys();
  // Keys are in the order of insertion.
  for (const key of keys.slice(0, Math.ceil(keys.length / 2))) await cache.delete(key);
}

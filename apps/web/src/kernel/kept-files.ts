import { keptKeyOf as keyOf, keptStorage as storage, keptStoreName as name } from "./kept-store.ts";
import { readToken } from "./token.ts";

/** Who opened a shared study signs in nowhere, and so out nowhere: nothing is kept for them. Workers have no cookies to tell. */
const isSignedIn = (): boolean => typeof document !== "undefined" && readToken() !== undefined;
/** Of the disk that the browser grants us at most; older files make room. */
const mostBytes = 2e9;

let opened: Promise<Cache | null> | null = null;
let trimmed: Promise<void> | null = null;

/** Whether a file is kept between visits: files made for viewing are named by what they hold, under addresses that change. */
export const isKept = (url: string): boolean => storage() !== undefined && isSignedIn() && keyOf(url) !== null;

/** The bytes that an earlier visit brought, without asking the server; null where there are none. */
export async function keptFile(url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!isKept(url)) return null;
  try {
    const found = await (await open())?.match(keyOf(url) ?? "");
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** Keeps a file for the next visit; without effect where the browser has no room. */
export function keepFile(url: string, bytes: Uint8Array<ArrayBuffer>): void {
  const key = keyOf(url);
  if (!key || !isKept(url)) return;
  // Made at once: whoever asked may give the bytes away.
  const response = new Response(bytes);
  void open()
    .then((cache) => cache?.put(key, response))
    .then(() => (trimmed ??= trim()))
    .catch(() => {});
}

/** Opens the store ahead of the first question, which would wait for it. */
export const openKept = (): void => void open().catch(() => {});

/** Whoever leaves this browser leaves none of it behind. */
export function forgetFiles(): void {
  opened = null;
  trimmed = null;
  void storage()
    ?.delete(name)
    .catch(() => {});
}

const open = (): Promise<Cache | null> =>
  (opened ??= Promise.resolve(storage()?.open(name)).then((cache) => cache ?? null));

/** Once a visit, and after the first file: how much room there is takes the browser half a second to say. */
async function trim(): Promise<void> {
  const cache = await open();
  const { usage = 0, quota = Infinity } = (await navigator.storage?.estimate()) ?? {};
  if (!cache || usage < Math.min(mostBytes, quota / 2)) return;
  const keys = await cache.keys();
  // In the order in which they came.
  for (const key of keys.slice(0, Math.ceil(keys.length / 2))) await cache.delete(key);
}

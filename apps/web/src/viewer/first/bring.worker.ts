import { keptStorage, keptStoreName } from "../../kernel/kept-store.ts";

export interface Wish {
  url: string;
  /** The part of the address that stays the same when the address is renewed. */
  name: string;
  /** True if the file is stored under its name between page loads. */
  isKept: boolean;
  /** True for a prefetch, for which nobody waits yet. */
  isAhead: boolean;
}
/** The bytes of a file; or the status of the answer, 0 if there was none. */
export type Brought = { name: string; bytes: Uint8Array<ArrayBuffer> } | { name: string; status: number };

// A thread that only fetches: the page draws without a pause, and downloads would idle between two parts. Of the six
// connections that a browser opens to a host one stays free for the page's calls, and three until the page itself
// requests something.
const [lanes, lanesAhead] = [5, 3];
const wished: Wish[] = [];
let ahead: Wish[] = [];
const begun = new Set<string>();
/**
 * Number of files being put into the browser's own store, which may be slow: downloads do not wait for it, up to
 * `mostKeeping`.
 */
let keeping = 0;
const mostKeeping = 8;
let isLast = false;
let opened: Promise<Cache | undefined> | undefined;

self.addEventListener("message", ({ data }: MessageEvent<Wish | "end">) => {
  if (data === "end") isLast = true;
  else if (!begun.has(data.name)) {
    ahead = ahead.filter(({ name }) => name !== data.name);
    (data.isAhead ? ahead : wished).push(data);
  }
  next();
});

function next(): void {
  while (begun.size < lanes && keeping < mostKeeping) {
    const wish = wished.shift() ?? (begun.size < lanesAhead ? ahead.shift() : undefined);
    if (!wish) break;
    begun.add(wish.name);
    void bring(wish).finally(() => {
      begun.delete(wish.name);
      next();
    });
  }
  if (isLast && begun.size === 0 && keeping === 0) self.close();
}

async function bring({ url, name, isKept }: Wish): Promise<void> {
  try {
    const store = isKept ? await (opened ??= keptStorage()?.open(keptStoreName)) : undefined;
    const kept = await store?.match(name);
    if (kept) return tell(name, await kept.arrayBuffer());
    // Files in our own store need not be cached by the browser a second time.
    const answer = await fetch(url, store ? { cache: "no-store" } : {});
    if (!answer.ok) return self.postMessage({ name, status: answer.status } satisfies Brought);
    const bytes = await answer.arrayBuffer();
    // Made before the bytes are transferred.
    const copy = new Response(store && bytes);
    tell(name, bytes);
    if (store) keep(store, name, copy);
  } catch {
    self.postMessage({ name, status: 0 } satisfies Brought);
  }
}

/** If the store has no space, the next page load fetches the file again. */
function keep(store: Cache, name: string, copy: Response): void {
  keeping++;
  void store
    .put(name, copy)
    .catch(() => {})
    .finally(() => {
      keeping--;
      next();
    });
}

function tell(name: string, buffer: ArrayBuffer): void {
  self.postMessage({ name, bytes: new Uint8Array(buffer) } satisfies Brought, { transfer: [buffer] });
}

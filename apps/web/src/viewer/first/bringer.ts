import { keptKeyOf } from "../../kernel/kept-store.ts";
import type { Brought, Wish } from "./bring.worker.ts";

/** Fetches files in a worker. */
export interface Bringer {
  /** Fetches the file behind an address; `isKept`: the file is stored for later page loads. */
  bring: (url: string, isKept: boolean) => Promise<Brought>;
  /** Prefetches a file while nothing else is being fetched. */
  bringAhead: (url: string, isKept: boolean) => void;
  /** No more files are requested; those that arrived are still stored. */
  end: () => void;
  /** Cancels all downloads. */
  stop: () => void;
}

let early: Bringer | null = null;
let isTaken = false;

/** The fetcher of the first look; null if the viewer already fetches what it needs. */
export const earlyBringer = (): Bringer | null => (isTaken ? null : (early ??= bringer()));

/** The fetcher that the first look has started, or a new one; the caller must stop it. */
export function takeBringer(): Bringer {
  const taken = early ?? bringer();
  early = null;
  isTaken = true;
  return taken;
}

/** Stops the fetcher that nobody has taken over. */
export function dropBringer(): void {
  early?.stop();
  early = null;
}

function bringer(): Bringer {
  const worker = new Worker(new URL("./bring.worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<string, PromiseWithResolvers<Brought> & { isHere?: true }>();
  worker.addEventListener("message", ({ data }: MessageEvent<Brought>) => {
    const wish = waiting.get(data.name);
    if (!wish) return;
    wish.isHere = true;
    wish.resolve(data);
  });
  worker.addEventListener("error", () => {
    for (const [name, wish] of waiting) wish.resolve({ name, status: 0 });
  });
  const wishFor = (wish: Wish): Promise<Brought> => {
    const known = waiting.get(wish.name) ?? Promise.withResolvers<Brought>();
    waiting.set(wish.name, known);
    if (!("isHere" in known)) worker.postMessage(wish);
    return known.promise;
  };
  const nameOf = (url: string): string => keptKeyOf(url) ?? url;
  return {
    bring: (url, isKept) =>
      wishFor({ url, name: nameOf(url), isKept, isAhead: false }).finally(() => waiting.delete(nameOf(url))),
    bringAhead: (url, isKept) => void wishFor({ url, name: nameOf(url), isKept, isAhead: true }),
    end: () => worker.postMessage("end"),
    stop: () => worker.terminate(),
  };
}

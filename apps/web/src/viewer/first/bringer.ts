import { keptKeyOf } from "../../kernel/kept-store.ts";
import type { Brought, Wish } from "./bring.worker.ts";

/** Fetches files in a thread of its own. */
export interface Bringer {
  /** What is behind an address; `isKept`: between visits. */
  bring: (url: string, isKept: boolean) => Promise<Brought>;
  /** The same for later, while nothing is waited for. */
  bringAhead: (url: string, isKept: boolean) => void;
  /** Nothing more is wished for; what came is still kept. */
  end: () => void;
  /** Ends what is under way. */
  stop: () => void;
}

let early: Bringer | null = null;
let isTaken = false;

/** The one that the first look begins with; null where the viewer brings what it wants already. */
export const earlyBringer = (): Bringer | null => (isTaken ? null : (early ??= bringer()));

/** The one that the first look has begun with, or a new one; whoever takes it stops it. */
export function takeBringer(): Bringer {
  const taken = early ?? bringer();
  early = null;
  isTaken = true;
  return taken;
}

/** Nobody has come to take it. */
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

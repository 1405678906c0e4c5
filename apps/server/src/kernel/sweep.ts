import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects what this thread dropped: just now, or ever. Pixels and files lie outside the heap, which hardly fills by them:
 * left alone it is swept after 64 MB of them in each thread.
 */
export const sweep = (which: "recent" | "all"): void => collect({ type: which === "all" ? "major" : "minor" });

/**
 * Bytes that came over a line: each 64 KiB are memory of their own, dropped as soon as they are written. At 64 MB of them
 * a heap is collected as a whole, which for each file that came took more than all other work with it.
 */
export function cameIn(bytes: number): void {
  come += bytes;
  if (come < sweptAfter) return;
  come = 0;
  sweep("recent");
}
let come = 0;
const sweptAfter = 40 * 1024 * 1024;

// Flags are the process's: whichever thread is first sets them, and those that begin later find them set. A thread's own `gc`
// leaves more behind than that of a new context (a zip of a CBCT: 709 instead of 420 MB).
if (!globalThis.gc) setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" | "major" }) => void;

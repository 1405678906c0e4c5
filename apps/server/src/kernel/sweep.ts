/**
 * Collects what this thread dropped: just now, or ever. Pixels and files lie outside the heap, which hardly fills by them:
 * left alone it is swept after 64 MB of them in each thread. A program that was not started with `--expose-gc`, as
 * `npm start` does, leaves it alone: to set that flag later, while threads run, may end the process.
 */
export const sweep = (which: "recent" | "all"): void => globalThis.gc?.({ type: which === "all" ? "major" : "minor" });

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

/**
 * Collects the garbage of this thread: recent, or all. Pixels and files are outside the heap, which hardly fills
 * because of them: without this call it is collected only after 64 MB of them in each thread. A program that was not
 * started with `--expose-gc`, as `npm start` does, skips this: setting that flag later, while threads run, may end the
 * process.
 */
export const collectGarbage = (which: "recent" | "all"): void =>
  globalThis.gc?.({ type: which === "all" ? "major" : "minor" });

/**
 * Counts received bytes: each 64 KiB are a separate allocation, dropped as soon as they are written. At 64 MB of them
 * the whole heap would be collected, which for each received file lasted longer than all other work on it.
 */
export function countReceivedBytes(bytes: number): void {
  receivedBytes += bytes;
  if (receivedBytes < collectAfterBytes) return;
  receivedBytes = 0;
  collectGarbage("recent");
}
let receivedBytes = 0;
const collectAfterBytes = 40 * 1024 * 1024;

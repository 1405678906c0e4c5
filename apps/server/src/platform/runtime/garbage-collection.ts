/**
 * Collects the garbage of this thread: recent, or all. Pixels and files are outside the heap, which hardly fills
 * because of them: without this call it is collected only after 64 MB of them in each thread. A program that was not
 * started with `--expose-gc`, as `npm start` does, skips this: setting that flag later, while threads run, may end the
 * process.
 */
export const collectGarbage = (which: "recent" | "all"): void =>
  globalThis.gc?.({ type: which === "all" ? "major" : "minor" });

/**
 * Collects all garbage of this thread and returns its memory to the system, which V8 otherwise keeps for later. The
 * thread stands still meanwhile, for 0.1 to 0.3 s with a heap of 75 MB: only for rare moments in which few wait for it.
 */
export const returnMemory = (): void => globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });

/**
 * Frees the memory of bytes that a socket delivered and that were copied; nobody may use them again. V8 counts it against
 * the limit of a heap that hardly grows otherwise, and would collect the whole heap because of it (decision 163). Memory
 * that others share is left to the collector.
 */
export function releaseReceived({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

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

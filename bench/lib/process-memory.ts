import { readFileSync } from "node:fs";
import { listProcessTree } from "./compare-runs.ts";

/** Returns the memory (MB) of these processes and their descendants, where shared pages count once. Linux only. */
export function readMemory(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of listProcessTree(pids))
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // The process has ended since.
    }
  return (kilobytes * 1024) / 1e6;
}

import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the processor time (ms) of these processes and their descendants; null if the system does not report it. On a
 * shared machine it is more meaningful than wall-clock time.
 */
export function readCpuMs(pids: readonly number[]): number | null {
  const all = readProcessStats();
  if (all.size === 0) return null;
  const wanted = [...pids];
  for (const pid of wanted)
    for (const [id, { parent }] of all) if (parent === pid && !wanted.includes(id)) wanted.push(id);
  return wanted.reduce((sum, pid) => sum + (all.get(pid)?.ms ?? 0), 0);
}

// Linux counts in hundredths of a second. The counts include those of children that ended.
const tickMs = 10;

function readProcessStats(): Map<number, { parent: number; ms: number }> {
  const found = new Map<number, { parent: number; ms: number }>();
  for (const name of process.platform === "linux" ? readdirSync("/proc").filter((one) => /^\d+$/.test(one)) : [])
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
      found.set(Number(name), { parent: Number(fields[1]), ms: ticks * tickMs });
    } catch {
      // The process has ended since.
    }
  return found;
}

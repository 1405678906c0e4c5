import { readdirSync, readFileSync } from "node:fs";
import { interleave, median, roundSeconds, type Figure } from "./figure-table.ts";

/** The measured speed, and the processor time (ms) for each unit of work. */
export interface Measurement {
  speed: number;
  cpuMs: number | null;
}

export async function measureCounted(
  target: { pids: readonly number[] },
  work: () => Promise<number>,
  countOf: (speed: number, seconds: number) => number,
): Promise<Measurement> {
  const [before, from] = [readCpuMs(target.pids), performance.now()];
  const speed = await work();
  const after = readCpuMs(target.pids);
  const count = countOf(speed, (performance.now() - from) / 1000);
  return { speed, cpuMs: before === null || after === null ? null : (after - before) / count };
}

/**
 * Returns the processor time (ms) of these processes and their descendants; null if the system does not report it. On a
 * shared machine it is more meaningful than wall-clock time.
 */
export function readCpuMs(pids: readonly number[]): number | null {
  const all = readProcessStats();
  if (all.size === 0) return null;
  return listProcessTree(pids, all).reduce((sum, pid) => sum + (all.get(pid)?.ms ?? 0), 0);
}

/** Returns these processes and all their descendants. */
export function listProcessTree(pids: readonly number[], all = readProcessStats()): number[] {
  const wanted = [...pids];
  for (const pid of wanted)
    for (const [id, { parent }] of all) if (parent === pid && !wanted.includes(id)) wanted.push(id);
  return wanted;
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

/** Runs one request after another for a round and returns the 95th percentile. */
export async function measureP95(pids: readonly number[], work: () => Promise<unknown>): Promise<Measurement> {
  const times: number[] = [];
  const before = readCpuMs(pids);
  const end = performance.now() + roundSeconds * 1000;
  while (times.length < minSamples || performance.now() < end) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  const after = readCpuMs(pids);
  return {
    speed: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)],
    cpuMs: before === null || after === null ? null : (after - before) / times.length,
  };
}
const minSamples = 20;

/** Runs each in turn and returns the medians of both figures. */
export async function compareRuns<K extends string>(
  runs: Partial<Record<K, () => Promise<Measurement>>>,
  times: number,
): Promise<Partial<Record<K, Measurement>>> {
  const spent: Partial<Record<string, number[]>> = {};
  const entries = Object.entries(runs) as [K, () => Promise<Measurement>][];
  const speeds = await interleave<string>(
    Object.fromEntries(
      entries.map(([name, run]) => [
        name,
        async () => {
          const seen = await run();
          if (seen.cpuMs !== null) (spent[name] ??= []).push(seen.cpuMs);
          return seen.speed;
        },
      ]),
    ),
    times,
  );
  return Object.fromEntries(
    entries.map(([name]) => [name, { speed: speeds[name], cpuMs: spent[name] ? median(spent[name]) : null }]),
  ) as Partial<Record<K, Measurement>>;
}

type FigureTitles = Pick<Figure, "what" | "unit"> & { peer: string; goal?: Figure["goal"]; alone?: Figure["goal"] };

/** Returns a row for the speed and one for the processor time. */
export function figurePair(
  { ours, peer }: { ours?: Measurement; peer?: Measurement },
  { what, unit, peer: name, goal, alone }: FigureTitles,
): Figure[] {
  const rows: Figure[] = [
    {
      what,
      ours: ours!.speed,
      unit,
      ...(peer ? { peer: { what: name, value: peer.speed }, ...(goal && { goal }) } : alone && { goal: alone }),
    },
  ];
  if (ours!.cpuMs === null) return rows;
  const cpuPeer = peer && peer.cpuMs !== null ? { peer: { what: name, value: peer.cpuMs } } : {};
  return [...rows, { what: "the processor's time for each of these", ours: ours!.cpuMs, unit: "ms", ...cpuPeer }];
}

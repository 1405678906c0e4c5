import { interleave, median, roundSeconds, type Figure } from "./figures.ts";
import { readCpuMs } from "./processor-time.ts";

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

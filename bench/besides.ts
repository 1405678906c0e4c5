import { interleaved, median, roundSeconds, type Figure } from "./figures.ts";
import { processorMs } from "./processor.ts";

/** The measured speed, and the processor time (ms) for each unit of work. */
export interface Seen {
  speed: number;
  spent: number | null;
}

export async function counted(
  target: { pids: readonly number[] },
  work: () => Promise<number>,
  countOf: (speed: number, seconds: number) => number,
): Promise<Seen> {
  const [before, from] = [processorMs(target.pids), performance.now()];
  const speed = await work();
  const after = processorMs(target.pids);
  const count = countOf(speed, (performance.now() - from) / 1000);
  return { speed, spent: before === null || after === null ? null : (after - before) / count };
}

/** Runs one request after another for a round and returns the 95th percentile. */
export async function p95(pids: readonly number[], work: () => Promise<unknown>): Promise<Seen> {
  const times: number[] = [];
  const before = processorMs(pids);
  const end = performance.now() + roundSeconds * 1000;
  while (times.length < leastLooks || performance.now() < end) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  const after = processorMs(pids);
  return {
    speed: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!,
    spent: before === null || after === null ? null : (after - before) / times.length,
  };
}
const leastLooks = 20;

/** Runs each in turn and returns the medians of both figures. */
export async function besides<K extends string>(
  runs: Partial<Record<K, () => Promise<Seen>>>,
  times: number,
): Promise<Partial<Record<K, Seen>>> {
  const spent: Partial<Record<string, number[]>> = {};
  const entries = Object.entries(runs) as [K, () => Promise<Seen>][];
  const speeds = await interleaved<string>(
    Object.fromEntries(
      entries.map(([name, run]) => [
        name,
        async () => {
          const seen = await run();
          if (seen.spent !== null) (spent[name] ??= []).push(seen.spent);
          return seen.speed;
        },
      ]),
    ),
    times,
  );
  return Object.fromEntries(
    entries.map(([name]) => [name, { speed: speeds[name]!, spent: spent[name] ? median(spent[name]) : null }]),
  ) as Partial<Record<K, Seen>>;
}

type Titles = Pick<Figure, "what" | "unit"> & { peer: string; goal?: Figure["goal"]; alone?: Figure["goal"] };

/** Returns a row for the speed and one for the processor time. */
export function pairOf(
  { ours, peer }: { ours?: Seen; peer?: Seen },
  { what, unit, peer: name, goal, alone }: Titles,
): Figure[] {
  const rows: Figure[] = [
    {
      what,
      ours: ours!.speed,
      unit,
      ...(peer ? { peer: { what: name, value: peer.speed }, ...(goal && { goal }) } : alone && { goal: alone }),
    },
  ];
  if (ours!.spent === null) return rows;
  const beside = peer && peer.spent !== null ? { peer: { what: name, value: peer.spent } } : {};
  return [...rows, { what: "the processor's time for each of these", ours: ours!.spent, unit: "ms", ...beside }];
}

/** One row of the table: the measured subject, the peer and the goal. */
export interface Figure {
  what: string;
  ours: number;
  peer?: { what: string; value: number };
  unit: string;
  /** Applies to the ratio to the peer if there is one, else to the figure itself. */
  goal?: { least: number } | { most: number };
  /** The goal applies to the figure itself although there is a peer. */
  goalOf?: "figure";
}

/** The duration of a round of requests, in seconds. */
export const roundSeconds = Number(process.env.ARCADA_BENCH_SECONDS ?? 5);
const rounds = 5;

/**
 * Runs each in turn, repeatedly, so that load on the machine affects all of them equally. Returns the median of each.
 */
export async function interleave<K extends string>(
  runs: Record<K, () => Promise<number>>,
  times = rounds,
): Promise<Record<K, number>> {
  const names = Object.keys(runs) as K[];
  const seen = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < times; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) seen.get(name)!.push(await runs[name]());
  return Object.fromEntries(names.map((name) => [name, median(seen.get(name)!)])) as Record<K, number>;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The figures as a table in Markdown. */
export function formatTable(figures: Figure[]): string {
  const rows = figures.map(({ what, ours, peer, unit, goal, goalOf }) => [
    what,
    `${formatValue(ours)} ${unit}`,
    peer ? `${peer.what}: ${formatValue(peer.value)} ${unit}` : "",
    peer ? (ours / peer.value).toFixed(2) : "",
    goal ? formatGoal(goal, peer && !goalOf ? undefined : unit) : "",
    goal ? (meetsGoal(peer && !goalOf ? ours / peer.value : ours, goal) ? "yes" : "no") : "",
  ]);
  return [["figure", "Arcada", "beside", "ratio", "goal", "reached"], Array<string>(6).fill("-"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

const formatValue = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 1000 ? 1 : 0 });
const formatGoal = (goal: NonNullable<Figure["goal"]>, unit = "times the peer"): string =>
  "least" in goal ? `at least ${formatLimit(goal.least)} ${unit}` : `at most ${formatLimit(goal.most)} ${unit}`;
const formatLimit = (limit: number): string => limit.toLocaleString("en", { maximumFractionDigits: 2 });
const meetsGoal = (value: number, goal: NonNullable<Figure["goal"]>): boolean =>
  "least" in goal ? value >= goal.least : value <= goal.most;

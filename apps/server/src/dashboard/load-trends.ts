import type { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { dashboardRules, findBucketUnit, listBuckets, previousPeriod } from "@arcada/contract/dashboard/trend-buckets";
import type { DayRange } from "@arcada/contract/dashboard/trend-buckets";
import { remakeReasons } from "@arcada/contract/dashboard/trends.schema";
import type { RemakeReason, TrendFigures, TrendPeriod, Workload } from "@arcada/contract/dashboard/trends.schema";
import type { Output } from "@arcada/contract/kernel/call";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { Db } from "../platform/database/database.ts";
import type { DashboardSubject, Period } from "./dashboard.store.ts";
import { countOpenByPerson, countRemakes, listPersonNames, measureCompleted, sumStored } from "./trends.store.ts";
import type { CompletedRow, TrendWindow } from "./trends.store.ts";

export type Trends = Output<typeof dashboardCalls.trends>;

export async function loadTrends(db: Db, subject: DashboardSubject, period: Period, at: Date): Promise<Trends> {
  const { zone } = period;
  const earlier = previousPeriod(period);
  const unit = findBucketUnit(period);
  const range: TrendWindow = { whole: { from: earlier.from, to: period.to, zone }, start: period.from, unit };
  const today = localDayIn(zone, at);
  const completed = await measureCompleted(db, subject, range);
  const remakes = await countRemakes(db, subject, range);
  const stored = subject.personId === null ? await sumStored(db, subject.iid, range) : null;
  const rows = { completed: completed.byTime, remakes, stored };
  return {
    unit,
    scope: subject.personId === null ? "institution" : "own",
    today,
    now: toTrendPeriod(period, unit, rows, true),
    before: toTrendPeriod(earlier, unit, rows, false),
    people: await loadWorkload(db, subject, completed.byPerson, today),
  };
}

interface TrendRows {
  completed: CompletedRow[];
  remakes: Awaited<ReturnType<typeof countRemakes>>;
  stored: Awaited<ReturnType<typeof sumStored>> | null;
}

function toTrendPeriod(
  { from, to }: DayRange,
  unit: TrendWindow["unit"],
  rows: TrendRows,
  isNow: boolean,
): TrendPeriod {
  const [completed, remakes] = [rows.completed, rows.remakes].map((some) =>
    some.filter(({ now }) => now === isNow),
  ) as [CompletedRow[], TrendRows["remakes"]];
  const count = (some: TrendRows["remakes"]): number => some.reduce((sum, { n }) => sum + n, 0);
  const figures = (bucket: string | null): TrendFigures => ({
    ...toCompletedFigures(completed.find((row) => row.bucket === bucket)),
    remakes: count(bucket === null ? remakes : remakes.filter((row) => row.bucket === bucket)),
  });
  let bytes = sumBytes(rows.stored, ({ now, bucket }) => bucket === null || (isNow && !now));
  const buckets = listBuckets({ from, to }, unit).map(({ key, ...days }) => {
    bytes += sumBytes(rows.stored, ({ now, bucket }) => now === isNow && bucket === key);
    const own = remakes.filter(({ bucket }) => bucket === key);
    const reasons = Object.fromEntries(
      remakeReasons.map((reason) => [reason, count(own.filter((row) => row.reason === reason))]),
    ) as Record<RemakeReason, number>;
    return { ...days, ...figures(key), reasons, stored: rows.stored ? bytes : null };
  });
  return { from, to, total: figures(null), buckets };
}

const sumBytes = (rows: TrendRows["stored"], isCounted: (row: NonNullable<TrendRows["stored"]>[number]) => boolean) =>
  (rows ?? []).reduce((sum, row) => (isCounted(row) ? sum + row.bytes : sum), 0);

type CompletedFigures = Omit<TrendFigures, "remakes">;
const toCompletedFigures = (row: Omit<CompletedRow, "now" | "bucket"> | undefined): CompletedFigures => ({
  completed: row?.completed ?? 0,
  dated: row?.dated ?? 0,
  late: row?.late ?? 0,
  median: row?.times?.[0] ?? null,
  p90: row?.times?.[1] ?? null,
});

/** The people with the most open orders first. */
async function loadWorkload(
  db: Db,
  subject: DashboardSubject,
  completed: Awaited<ReturnType<typeof measureCompleted>>["byPerson"],
  today: string,
): Promise<Workload[]> {
  const open = await countOpenByPerson(db, subject, today);
  const ids = [...new Set([...open, ...completed].map(({ person }) => person))];
  const names = await listPersonNames(
    db,
    ids.filter((id) => id !== null),
  );
  return ids
    .map((id) => ({
      id,
      name: (id === null ? undefined : names.get(id)) ?? "",
      open: open.find(({ person }) => person === id)?.open ?? 0,
      overdue: open.find(({ person }) => person === id)?.overdue ?? 0,
      ...toCompletedFigures(completed.find(({ person }) => person === id)),
    }))
    .toSorted((one, other) => other.open - one.open || other.completed - one.completed || compareNames(one, other))
    .slice(0, dashboardRules.maxPeople);
}

const compareNames = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);

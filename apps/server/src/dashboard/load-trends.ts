import type { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { dashboardRules, findBucketUnit, listBuckets, previousPeriod } from "@arcada/contract/dashboard/trend-buckets";
import type { Bucket, DayRange } from "@arcada/contract/dashboard/trend-buckets";
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
  const before = previousPeriod(period);
  const unit = findBucketUnit(period);
  const [earlier, later] = [listBuckets(before, unit), listBuckets(period, unit)];
  const window: TrendWindow = {
    whole: { from: before.from, to: period.to, zone },
    firstDays: [...earlier, ...later].map(({ from }) => from),
    earlier: earlier.length,
  };
  const today = localDayIn(zone, at);
  const completed = await measureCompleted(db, subject, window);
  const remakes = await countRemakes(db, subject, window);
  const stored = subject.personId === null ? await sumStored(db, subject.iid, window) : null;
  const rows = { completed: completed.byTime, remakes, stored };
  return {
    unit,
    scope: subject.personId === null ? "institution" : "own",
    today,
    now: toTrendPeriod(period, later, rows, { isNow: true, skipped: earlier.length }),
    before: toTrendPeriod(before, earlier, rows, { isNow: false, skipped: 0 }),
    people: await loadWorkload(db, subject, completed.byPerson, today),
  };
}

interface TrendRows {
  completed: Awaited<ReturnType<typeof measureCompleted>>["byTime"];
  remakes: Awaited<ReturnType<typeof countRemakes>>;
  stored: Awaited<ReturnType<typeof sumStored>> | null;
}

/** `skipped` is the number of parts before this period: places count through both, from 1. */
function toTrendPeriod(
  { from, to }: DayRange,
  parts: readonly Bucket[],
  { completed, remakes, stored }: TrendRows,
  { isNow, skipped }: { isNow: boolean; skipped: number },
): TrendPeriod {
  const total = completed.find(({ now, place }) => now === isNow && place === null);
  const buckets = parts.map((part, index) => {
    const at = skipped + index + 1;
    const reasons = Object.fromEntries(
      remakeReasons.map((reason) => [
        reason,
        remakes.find((row) => row.place === at && (row.reason ?? "unstated") === reason)?.n ?? 0,
      ]),
    ) as Record<RemakeReason, number>;
    return {
      from: part.from,
      to: part.to,
      ...toCompletedFigures(completed.find(({ place }) => place === at)),
      remakes: sum(Object.values(reasons)),
      reasons,
      stored: stored && sum(stored.filter(({ place }) => place <= at).map(({ bytes }) => bytes)),
    };
  });
  return {
    from,
    to,
    total: { ...toCompletedFigures(total), remakes: sum(buckets.map((bucket) => bucket.remakes)) },
    buckets,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type CompletedFigures = Omit<TrendFigures, "remakes">;
const toCompletedFigures = (row: CompletedRow | undefined): CompletedFigures => ({
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

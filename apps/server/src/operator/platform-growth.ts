import { sql } from "kysely";
import { findBucketUnit, listBuckets, previousPeriod } from "@arcada/contract/dashboard/trend-buckets";
import type { BucketUnit, DayRange } from "@arcada/contract/dashboard/trend-buckets";
import type { GrowthPeriod, operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { addDays } from "@arcada/contract/kernel/time-zone";
import { localTimeAt, startOfDay } from "../domain/institution-time-zone.ts";
import type { Db } from "../platform/database/database.ts";

/** Returns how the platform grew in a period and in the one before. The tables are read once for both. */
export async function loadGrowth(db: Db, period: DayRange, zone: string): Promise<Output<typeof operatorCalls.growth>> {
  const unit = findBucketUnit(period);
  const window = { from: previousPeriod(period).from, start: period.from, to: period.to, zone, unit };
  const added = await listAdditions(db, window);
  const people = await countActivePeople(db, window);
  return {
    unit,
    now: toGrowthPeriod(period, unit, added, people, true),
    before: toGrowthPeriod(previousPeriod(period), unit, added, people, false),
  };
}

interface GrowthWindow {
  from: string;
  /** The first day of the later period. */
  start: string;
  to: string;
  zone: string;
  unit: BucketUnit;
}
interface Addition {
  now: boolean;
  /** The first day of the week or month; null: before both periods. */
  bucket: string | null;
  kind: "clinic" | "lab" | "file";
  n: number;
}
/** Returns the organisations and the bytes that were added in each bucket, and before both periods. */
async function listAdditions(db: Db, window: GrowthWindow): Promise<Addition[]> {
  const { rows } = await sql<Addition>`
    select at >= ${startOfDay(window.zone, window.start)} as now,
      case when at >= ${startOfDay(window.zone, window.from)}
        then date_trunc(${window.unit}, ${localTimeAt(window.zone, sql`at`)})::date::text end as bucket,
      kind, sum(n)::bigint as n
    from (
      select created_at as at, type as kind, 1 as n from institution where not stub
      union all select created_at, 'file', bytes from stored_file
    ) added where at < ${startOfDay(window.zone, window.to, 1)} group by 1, 2, 3`.execute(db);
  return rows;
}

interface ActiveCount {
  now: boolean;
  /** Null: in the whole period. */
  bucket: string | null;
  n: number;
}
/** Counts the people of whom a session was used in each bucket: between its start and its last use. */
async function countActivePeople(db: Db, window: GrowthWindow): Promise<ActiveCount[]> {
  const periodOf = (from: string, to: string, now: boolean) => sql`
    select ${now}::boolean as now, day, user_id from (select * from used
      where seen_at >= ${startOfDay(window.zone, from)} and created_at < ${startOfDay(window.zone, to)}) part,
    lateral generate_series(
      date_trunc(${window.unit}, ${localTimeAt(window.zone, sql`greatest(created_at, ${startOfDay(window.zone, from)})`)}),
      ${localTimeAt(window.zone, sql`least(seen_at, ${startOfDay(window.zone, to)} - interval '1 second')`)},
      ${window.unit === "week" ? "7 days" : "1 month"}::interval) as day`;
  const { rows } = await sql<ActiveCount>`
    with used as materialized (
      select user_id, created_at, seen_at from session
      where seen_at >= ${startOfDay(window.zone, window.from)} and created_at < ${startOfDay(window.zone, window.to, 1)}
    )
    select now, day::date::text as bucket, count(distinct user_id)::int as n
    from (${periodOf(window.start, addDays(window.to, 1), true)} union all ${periodOf(window.from, window.start, false)}) each_use
    group by grouping sets ((now), (now, day))`.execute(db);
  return rows;
}

function toGrowthPeriod(
  { from, to }: DayRange,
  unit: BucketUnit,
  added: readonly Addition[],
  active: readonly ActiveCount[],
  isNow: boolean,
): GrowthPeriod {
  const sum = (kind: Addition["kind"], isCounted: (one: Addition) => boolean): number =>
    added.reduce((total, one) => (one.kind === kind && isCounted(one) ? total + one.n : total), 0);
  const count = (bucket: string | null): number =>
    active.find((one) => one.now === isNow && one.bucket === bucket)?.n ?? 0;
  const buckets = listBuckets({ from, to }, unit).map(({ key, ...days }) => {
    // What was there at the end: everything before the later period, if the bucket is in that one, and its own part.
    const isThere = (one: Addition) =>
      one.bucket === null || (isNow && !one.now) || (one.now === isNow && one.bucket <= key);
    return {
      ...days,
      clinics: sum("clinic", isThere),
      labs: sum("lab", isThere),
      people: count(key),
      stored: sum("file", isThere),
    };
  });
  return { from, to, people: count(null), buckets };
}

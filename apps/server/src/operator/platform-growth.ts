import { sql } from "kysely";
import { findBucketUnit, listBuckets, previousPeriod } from "@arcada/contract/dashboard/trend-buckets";
import type { DayRange } from "@arcada/contract/dashboard/trend-buckets";
import type { GrowthPeriod, operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { startOfDay } from "../domain/institution-time-zone.ts";
import type { Db } from "../platform/database/database.ts";
import { selectValue } from "../platform/database/select-value.ts";

/** Returns how the platform grew in a period and in the one before. The tables are read once for both. */
export async function loadGrowth(db: Db, period: DayRange, zone: string): Promise<Output<typeof operatorCalls.growth>> {
  const unit = findBucketUnit(period);
  const before = previousPeriod(period);
  const [earlier, later] = [listBuckets(before, unit), listBuckets(period, unit)];
  const parts = [...earlier, ...later];
  const added = await listAdditions(db, parts, zone);
  const people = await countActivePeople(db, [...parts, before, period], zone);
  const figures = parts.map(({ from, to }, index) => {
    const sum = (kind: string): number =>
      added.reduce((total, one) => (one.kind === kind && one.place <= index + 1 ? total + one.n : total), 0);
    return { from, to, clinics: sum("clinic"), labs: sum("lab"), people: people[index] ?? 0, stored: sum("file") };
  });
  const toPeriod = ({ from, to }: DayRange, active: number | undefined, buckets: GrowthPeriod["buckets"]) => ({
    from,
    to,
    people: active ?? 0,
    buckets,
  });
  return {
    unit,
    now: toPeriod(period, people.at(-1), figures.slice(earlier.length)),
    before: toPeriod(before, people.at(-2), figures.slice(0, earlier.length)),
  };
}

interface Addition {
  kind: string;
  /** The part of the periods, from 1; 0: before them. */
  place: number;
  n: number;
}
/** Returns the organisations and the bytes that were added in each part of the periods, and before them. */
async function listAdditions(db: Db, parts: readonly DayRange[], zone: string): Promise<Addition[]> {
  const place = sql<number>`width_bucket(created_at, array[${sql.join(parts.map(({ from }) => startOfDay(zone, from)))}])`;
  const end = startOfDay(zone, parts.at(-1)!.to, 1);
  const organisations = await db
    .selectFrom("institution")
    .select(["type as kind", place.as("place"), sql<number>`count(*)::int`.as("n")])
    .where("stub", "=", false)
    .where("created_at", "<", end)
    .groupBy([sql`1`, sql`2`])
    .execute();
  const files = await db
    .selectFrom("stored_file")
    .select([sql<string>`'file'`.as("kind"), place.as("place"), sql<number>`sum(bytes)::bigint`.as("n")])
    .where("created_at", "<", end)
    .groupBy(sql`2`)
    .execute();
  return [...organisations, ...files];
}

/** Counts for each period the people of whom a session lies in it: between its start and its last use. */
function countActivePeople(db: Db, periods: readonly DayRange[], zone: string): Promise<number[]> {
  const starts = sql.join(periods.map(({ from }) => startOfDay(zone, from)));
  const ends = sql.join(periods.map(({ to }) => startOfDay(zone, to, 1)));
  return selectValue(
    db,
    sql<number[]>`(select array_agg(n order by place) from (
      select place, count(distinct user_id)::int as n
      from unnest(array[${starts}], array[${ends}]) with ordinality as period (first, last, place)
      left join session on seen_at >= first and session.created_at < last group by place) counted)`,
  );
}

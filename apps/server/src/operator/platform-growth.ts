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
  const placeIn = (column: string) =>
    sql<number>`width_bucket(${sql.ref(column)}, array[${sql.join(parts.map(({ from }) => startOfDay(zone, from)))}])`;
  const end = startOfDay(zone, parts.at(-1)!.to, 1);
  const organisations = await db
    .selectFrom("institution")
    .select(["type as kind", placeIn("created_at").as("place"), sql<number>`count(*)::int`.as("n")])
    .where("stub", "=", false)
    .where("created_at", "<", end)
    .groupBy([sql`1`, sql`2`])
    .execute();
  // Only files since the first day are read, by the index of each institution; what was there before follows from the tally.
  const since = startOfDay(zone, parts[0]!.from);
  const file = sql<string>`'file'`.as("kind");
  const bytes = sql<number>`coalesce(sum(bytes), 0)::bigint`;
  const recent = db.selectFrom("institution as i").innerJoinLateral(
    (of) =>
      of
        .selectFrom("stored_file")
        .select(["created_at", "bytes"])
        .whereRef("institution_id", "=", "i.id")
        .where("created_at", ">=", since)
        .as("f"),
    (join) => join.onTrue(),
  );
  const files = await recent
    .select([file, placeIn("f.created_at").as("place"), sql<number>`sum(f.bytes)::bigint`.as("n")])
    .where("f.created_at", "<", end)
    .groupBy(sql`2`)
    .execute();
  const { all, later } = await db
    .selectNoFrom([
      db.selectFrom("storage_tally").select(bytes.as("bytes")).where("kind", "=", "originals").as("all"),
      recent.select(sql<number>`coalesce(sum(f.bytes), 0)::bigint`.as("bytes")).as("later"),
    ])
    .executeTakeFirstOrThrow();
  return [...organisations, { kind: "file", place: 0, n: (all ?? 0) - (later ?? 0) }, ...files];
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

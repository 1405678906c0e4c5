import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { unfinishedStates } from "@arcada/contract/order/order-today.calls";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import { startOfDay } from "../domain/institution-time-zone.ts";
import type { Db } from "../platform/database/database.ts";
import { isPerson, isWithin, sideColumns } from "./dashboard.store.ts";
import type { DashboardSubject, Period } from "./dashboard.store.ts";

// As in `dashboard.store.ts`, these queries bypass the tenant scope, and each names the institution itself.

/** Two periods that follow each other, divided into weeks or months: the parts of the earlier one first. */
export interface TrendWindow {
  whole: Period;
  /** The first day of each part. */
  firstDays: readonly string[];
  /** The number of parts of the earlier period. */
  earlier: number;
}

// The database finds the part of a time by a search among the parts' first instants, so that no row needs a conversion
// to local time.
const placeOf = (column: string, { whole, firstDays }: TrendWindow) =>
  sql<number>`width_bucket(${sql.ref(column)}, array[${sql.join(firstDays.map((day) => startOfDay(whole.zone, day)))}])`;

export interface CompletedRow {
  completed: number;
  dated: number;
  late: number;
  times: [number, number] | null;
}
interface CompletedRows {
  /** `place` counts from 1; null: in one of the two periods as a whole. */
  byTime: (CompletedRow & { now: boolean; place: number | null })[];
  /** In the later period. */
  byPerson: (CompletedRow & { person: string | null })[];
}
/**
 * Returns the orders that were completed in two periods: in each, in each part, and in the later one for each person.
 * An order is late if it was dispatched after the promised or requested day. One index scan answers all of it.
 */
export async function measureCompleted(db: Db, subject: DashboardSubject, window: TrendWindow): Promise<CompletedRows> {
  const { mine, person } = sideColumns(subject);
  const { whole, earlier } = window;
  // Rows that do not fit would be written to disk once for each grouping.
  await sql`select set_config('work_mem', '32MB', true)`.execute(db);
  const { rows } = await sql<
    CompletedRow & { now: boolean; place: number | null; person: string | null; part: number }
  >`
    with placed as materialized (
      select ${placeOf("completed_at", window)} as place, ${sql.ref(person)} as person,
        coalesce(promised_date, due_date) as due, ${isDeliveredLate(whole.zone)} as late,
        date_part('epoch', completed_at - handed_over_at) as duration
      from orders where ${sql.ref(mine)} = ${subject.iid} and ${isWithin("completed_at", whole)}
        and handed_over_at is not null and ${isPerson(person, subject.personId)}
    ), done as (select *, place > ${earlier} as now from placed)
    select now, place, person, grouping(place, person) as part, count(*)::int as completed, count(due)::int as dated,
      count(*) filter (where late)::int as late,
      percentile_cont(array[0.5, 0.9]) within group (order by duration) as times
    from done group by grouping sets ((now), (now, place), (now, person))`.execute(db);
  // The bits of `grouping`: 2 without the place, 1 without the person.
  return {
    byTime: rows.filter(({ part }) => part % 2 === 1),
    byPerson: rows.filter(({ part, now }) => part === 2 && now),
  };
}

/**
 * An order is late from the end of its due day on, by the clock of the zone. The conversion costs more than all the
 * rest of a row, so only a delivery within the days around the due day needs it: no zone differs from UTC by more than
 * 14 hours.
 */
function isDeliveredLate(zone: string) {
  const due = sql`coalesce(promised_date, due_date)`;
  const delivered = sql`coalesce(dispatched_at, completed_at)`;
  const utc = sql`(${delivered} at time zone interval '0')`;
  return sql<boolean>`case when ${utc} < ${due}::timestamp then false when ${utc} >= (${due} + 2)::timestamp then true
    else ${delivered} >= ((${due} + 1)::timestamp at time zone ${zone}::text) end`;
}

/** Counts the remakes that were handed over in two periods, by part and reason. */
export async function countRemakes(db: Db, subject: DashboardSubject, window: TrendWindow) {
  const { mine, person } = sideColumns(subject);
  const { whole } = window;
  return db
    .selectFrom("orders")
    .select([
      placeOf("handed_over_at", window).as("place"),
      "remake_class as reason",
      sql<number>`count(*)::int`.as("n"),
    ])
    .where(mine, "=", subject.iid)
    .where("remake_of", "is not", null)
    .where("handed_over_at", "is not", null)
    .where("updated_at", ">=", startOfDay(whole.zone, whole.from))
    .where(isWithin("handed_over_at", whole))
    .where(isPerson(person, subject.personId))
    .groupBy([sql`1`, sql`2`])
    .execute();
}

/** Counts the unfinished orders of each person, as the list of orders finds them by person, states and due date. */
export async function countOpenByPerson(db: Db, subject: DashboardSubject, today: string) {
  const { mine, person } = sideColumns(subject);
  const ranks = unfinishedStates.map((state) => orderStates.length - orderStates.indexOf(state));
  return db
    .selectFrom("orders")
    .select([
      `${person} as person`,
      sql<number>`count(*)::int`.as("open"),
      sql<number>`count(*) filter (where coalesce(promised_date, due_date) < ${today}::date)::int`.as("overdue"),
    ])
    .where(mine, "=", subject.iid)
    .where(sql<boolean>`order_rank(state) = any(${ranks}::int[])`)
    .where("handed_over_at", "is not", null)
    .where(isPerson(person, subject.personId))
    .groupBy(person)
    .execute();
}

export interface OpenSpan {
  person: string | null;
  /** The number of ends that passed before the order arrived, and of those that passed before it left; null: it is open. */
  arrived: number;
  left: number | null;
  n: number;
}
/**
 * Counts the orders of each person by the first and the last of these moments at which they were open. Every order that
 * was open at one of them is still open, or has left after the first: three indexes find them.
 */
export async function countOpenSpans(db: Db, subject: DashboardSubject, ends: readonly RawBuilder<string>[]) {
  const { mine, person } = sideColumns(subject);
  const first = ends[0]!;
  const passed = (time: RawBuilder<unknown>) => sql<number>`width_bucket(${time}, array[${sql.join(ends)}])`;
  const ranks = (isOpen: boolean) =>
    orderStates
      .filter((state) => state !== "completed" && isOpen === unfinishedStates.some((one) => one === state))
      .map((state) => orderStates.length - orderStates.indexOf(state));
  // The index of completed orders has no column for the last change.
  const delivered = sql<string>`coalesce(dispatched_at, completed_at)`;
  const ended = sql<string>`coalesce(dispatched_at, completed_at, updated_at)`;
  const counted = (left: RawBuilder<number | null>) =>
    db
      .selectFrom("orders")
      .select([
        `${person} as person`,
        passed(sql.ref("handed_over_at")).as("arrived"),
        left.as("left"),
        sql<number>`count(*)::int`.as("n"),
      ])
      .where(mine, "=", subject.iid)
      .where("handed_over_at", "is not", null)
      .where("handed_over_at", "<", ends.at(-1)!)
      .where(isPerson(person, subject.personId))
      .groupBy([sql`1`, sql`2`, sql`3`]);
  return counted(sql<number | null>`null::int`)
    .where(sql<boolean>`order_rank(state) = any(${ranks(true)}::int[])`)
    .unionAll(counted(passed(delivered)).where("completed_at", ">=", first).where(delivered, ">=", first))
    .unionAll(
      counted(passed(ended))
        .where(sql<boolean>`order_rank(state) = any(${ranks(false)}::int[])`)
        .where("completed_at", "is", null)
        .where("updated_at", ">=", first)
        .where(ended, ">=", first),
    )
    .execute();
}

/**
 * Returns the bytes that arrived in each part of two periods, and before them (place 0). Only files since the first day
 * are read: what was there before follows from the tally.
 */
export async function sumStored(db: Db, iid: string, window: TrendWindow) {
  const { whole } = window;
  const bytes = sql<number>`coalesce(sum(bytes), 0)::bigint`;
  const since = (day: RawBuilder<string>) =>
    db.selectFrom("stored_file").where("institution_id", "=", iid).where("created_at", ">=", day);
  const [first, end] = [startOfDay(whole.zone, whole.from), startOfDay(whole.zone, whole.to, 1)];
  const parts = await since(first)
    .select([placeOf("created_at", window).as("place"), bytes.as("bytes")])
    .where("created_at", "<", end)
    .groupBy(sql`1`)
    .execute();
  // One statement, so that a file that arrives meanwhile is in both sums or in none.
  const { all, later } = await db
    .selectNoFrom([
      db
        .selectFrom("storage_tally")
        .select(bytes.as("bytes"))
        .where("institution_id", "=", iid)
        .where("kind", "=", "originals")
        .as("all"),
      since(first).select(bytes.as("bytes")).as("later"),
    ])
    .executeTakeFirstOrThrow();
  return [{ place: 0, bytes: (all ?? 0) - (later ?? 0) }, ...parts];
}

export async function listPersonNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("users")
    .select(["id", sql<string>`coalesce(nullif(nick_name, ''), user_name)`.as("name")])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

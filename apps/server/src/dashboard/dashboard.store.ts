import { sql } from "kysely";
import type { ReworkEntry, OrderDuration } from "@arcada/contract/dashboard/dashboard.calls";
import { waitingAgeBands, openOrderStates, orderDurations } from "@arcada/contract/dashboard/dashboard.calls";
import { dashboardRules } from "@arcada/contract/dashboard/trend-buckets";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import type { Db } from "../platform/database/database.ts";
import { localDayAt, startOfDay } from "../domain/institution-time-zone.ts";
import { selectValue } from "../platform/database/select-value.ts";

/**
 * The subject of the figures: an institution, its side of the orders (a clinic sends, a lab receives), and the person
 * in charge of the orders that count; null: all orders count.
 */
export interface DashboardSubject {
  iid: string;
  side: "sender" | "receiver";
  personId: string | null;
}
/** Calendar days of a time zone, both inclusive. */
export interface Period {
  from: string;
  to: string;
  zone: string;
}

// All of these queries bypass the tenant scope, which would keep the conditions from the indexes. Each names the
// institution itself.

interface OpenCount {
  state: OrderState;
  age: number;
  mine: boolean;
  n: number;
}
/** Counts open orders of both sides, with the same definition as the list of orders; `age` is the index in `waitingAgeBands`. */
export async function countOpen(
  db: Db,
  { iid, personId }: DashboardSubject,
  zone: string,
): Promise<{ today: string; counts: OpenCount[] }> {
  const ranks = openOrderStates.map((state) => orderStates.length - orderStates.indexOf(state));
  const limits = waitingAgeBands.slice(1).map(({ min: least }) => least);
  const { rows } = await sql<OpenCount>`
    select state, mine, width_bucket(${localDayAt(zone, sql`now()`)} - ${localDayAt(zone, sql`created_at`)}, ${limits}::int[]) as age, count(*)::int as n
    from (
      select state, turn = 'sender' as mine, created_at from orders
        where institution_id = ${iid} and order_rank(state) = any(${ranks}::int[]) and ${isPerson("creator_id", personId)}
      union all
      select state, turn = 'receiver', created_at from orders
        where receiver_id = ${iid} and handed_over_at is not null and order_rank(state) = any(${ranks}::int[])
          and ${isPerson("assignee_id", personId)}
    ) open group by 1, 2, 3`.execute(db);
  const today = await selectValue(db, sql<string>`${localDayAt(zone, sql`now()`)}::text`);
  return { today, counts: rows };
}

export interface DurationStats {
  count: number;
  median: number | null;
  late: number | null;
}
interface PeriodDurations {
  spans: Record<OrderDuration, DurationStats>;
  /** Keyed by the partner's id. */
  partners: Map<string, DurationStats>;
}
interface DurationRow {
  part: OrderDuration | "partner";
  key: string | null;
  count: number;
  times: [number, number] | null;
}
/** Durations of the orders that were completed in the period: overall and by partner. One index scan. */
export async function measureDurations(db: Db, subject: DashboardSubject, period: Period): Promise<PeriodDurations> {
  const { other, mine, person } = sideColumns(subject);
  // date_part returns a float: extract's decimal numbers cost more than the scan itself.
  const seconds = (from: string, to: string) => sql`date_part('epoch', ${sql.ref(to)} - ${sql.ref(from)})`;
  const of = (span: OrderDuration) => sql`count(${sql.ref(span)})::int as ${sql.ref(`${span}_n`)},
    percentile_cont(array[0.5, 0.9]) within group (order by ${sql.ref(span)}) as ${sql.ref(`${span}_t`)}`;
  // Enough memory for the orders of a year: rows that do not fit would be written to disk once for each figure.
  await sql`select set_config('work_mem', '32MB', true)`.execute(db);
  const { rows } = await sql<DurationRow>`
    with done as materialized (
      select ${sql.ref(other)} as partner,
        ${seconds("handed_over_at", "accepted_at")} as accept, ${seconds("accepted_at", "dispatched_at")} as make,
        ${seconds("dispatched_at", "completed_at")} as receive, ${seconds("handed_over_at", "completed_at")} as whole
      from orders where ${sql.ref(mine)} = ${subject.iid} and ${isWithin("completed_at", period)}
        and handed_over_at is not null and ${isPerson(person, subject.personId)}
    ), total as (select ${sql.join(orderDurations.map(of))} from done)
    select s.part, null::text as key, s.n as count, s.t as times from total,
      lateral (values ${sql.join(orderDurations.map((span) => sql`(${span}::text, ${sql.ref(`${span}_n`)}, ${sql.ref(`${span}_t`)})`))}) as s (part, n, t)
    union all select 'partner', partner::text, count(*)::int,
      percentile_cont(array[0.5, 0.9]) within group (order by whole) from done group by partner`.execute(db);
  const timesBy = (part: DurationRow["part"]) =>
    new Map(rows.filter((row) => row.part === part).map((row) => [row.key ?? "", toDurationStats(row)]));
  const total = (span: OrderDuration) => timesBy(span).get("")!;
  return {
    spans: Object.fromEntries(orderDurations.map((span) => [span, total(span)])) as PeriodDurations["spans"],
    partners: timesBy("partner"),
  };
}
const toDurationStats = ({ count, times }: DurationRow): DurationStats => ({
  count,
  median: times?.[0] ?? null,
  late: times?.[1] ?? null,
});

/** Number of redeliveries or remakes for one partner and one reason. */
export interface RepeatCount {
  kind: ReworkEntry["kind"];
  partnerId: string;
  cause: ReworkEntry["cause"];
  bears: ReworkEntry["bears"];
  n: number;
}
/** Returns the redeliveries and remakes of the period: their counts, and the latest ones. */
export async function countRepeats(
  db: Db,
  subject: DashboardSubject,
  period: Period,
): Promise<{ counts: RepeatCount[]; latest: ReworkEntry[] }> {
  const { other, mine, person } = sideColumns(subject);
  const { rows } = await sql<Omit<RepeatCount, "n"> & ReworkEntry & { n: number | null }>`
    with touched as materialized (
      select id, institution_id, number, ${sql.ref(other)} as partner, remake_of, remake_class, remake_bears, redelivery_count, handed_over_at
      from orders where ${sql.ref(mine)} = ${subject.iid} and (remake_of is not null or redelivery_count > 0)
        and updated_at >= ${startOfDay(period.zone, period.from)} and handed_over_at is not null
        and ${isPerson(person, subject.personId)}
    ), each_time as materialized (
      select 'remake' as kind, id, number, partner, handed_over_at as at, null::text as reason, remake_class as cause, remake_bears as bears
      from touched where remake_of is not null and ${isWithin("handed_over_at", period)}
      union all
      select 'redelivery', t.id, t.number, t.partner, e.at, e.text, null, null
      from touched t join order_event e on e.institution_id = t.institution_id and e.order_id = t.id
      where t.redelivery_count > 0 and e.action = 'redeliver' and ${isWithin("e.at", period)}
    ), latest as (
      select a.*, i.name from each_time a join institution i on i.id = a.partner order by a.at desc, a.id limit ${dashboardRules.maxLatestEntries}
    )
    select kind, null::uuid as "orderId", null as number, partner as "partnerId", null as partner, null::timestamptz as at,
      null as reason, cause, bears, count(*)::int as n
    from each_time group by kind, each_time.partner, cause, bears
    union all select kind, id, number, partner, name, at, reason, cause, bears, null from latest
    order by at desc, "orderId"`.execute(db);
  return {
    counts: rows.flatMap(({ n, kind, partnerId, cause, bears }) =>
      n === null ? [] : [{ n, kind, partnerId, cause, bears }],
    ),
    latest: rows.flatMap(({ n, partnerId: _, ...one }) => (n === null ? [one] : [])),
  };
}

export async function listPartnerNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("institution")
    .select(["id", "name"])
    .where("id", "in", [...ids, noOne])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
const noOne = "00000000-0000-0000-0000-000000000000";

/** Counts what learned engines did apart from measurements, which say nothing about teeth and use no quota. */
export const countAnalyses = (
  db: Db,
  iid: string,
  period: Period,
): Promise<{ analyses: number; measurements: number }> =>
  db
    .selectFrom("analysis")
    .select([
      sql<number>`count(*) filter (where engine ->> 'kind' <> 'measurement')::int`.as("analyses"),
      sql<number>`count(*) filter (where engine ->> 'kind' = 'measurement')::int`.as("measurements"),
    ])
    .where("institution_id", "=", iid)
    .where("state", "=", "done")
    .where(isWithin("ended_at", period))
    .executeTakeFirstOrThrow();

/** The columns of the subject's side: its institution, the partner, and the person in charge. */
export const sideColumns = ({ side }: DashboardSubject) =>
  side === "sender"
    ? ({ mine: "institution_id", other: "receiver_id", person: "creator_id" } as const)
    : ({ mine: "receiver_id", other: "institution_id", person: "assignee_id" } as const);

export const isPerson = (column: "creator_id" | "assignee_id", personId: string | null) =>
  personId === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${personId}`;

export const isWithin = (column: string, period: Period) =>
  sql<boolean>`${sql.ref(column)} >= ${startOfDay(period.zone, period.from)} and ${sql.ref(column)} < ${startOfDay(period.zone, period.to, 1)}`;

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Again, Span } from "@arcada/contract/dashboard/dashboard.calls";
import { ages, openStates } from "@arcada/contract/dashboard/dashboard.calls";
import { orderStates } from "@arcada/contract/order/order.cycle";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import type { Db } from "../kernel/db.ts";

/** Whose figures, and on which side of its orders it stands for the work itself: a clinic sends, a lab receives. */
export interface House {
  iid: string;
  side: "sender" | "receiver";
}
/** Calendar days at so many minutes east of UTC, both within. */
export interface Period {
  from: string;
  to: string;
  zone: number;
}

// All of these are asked beyond the wall, which would keep the conditions from the indexes: each names the organisation.

interface OpenCount {
  state: OrderState;
  age: number;
  mine: boolean;
  n: number;
}
/** Open orders of both sides, as the list of orders has them; `age` is the place in `ages`. */
export async function countOpen(db: Db, iid: string, zone: number): Promise<{ today: string; counts: OpenCount[] }> {
  const ranks = openStates.map((state) => orderStates.length - orderStates.indexOf(state));
  const local = (instant: RawBuilder<unknown>) =>
    sql`((${instant} at time zone 'UTC') + make_interval(mins => ${zone}::int))::date`;
  const limits = ages.slice(1).map(({ least }) => least);
  const { rows } = await sql<OpenCount>`
    select state, mine, width_bucket(${local(sql`now()`)} - ${local(sql`created_at`)}, ${limits}::int[]) as age, count(*)::int as n
    from (
      select state, turn = 'sender' as mine, created_at from orders
        where institution_id = ${iid} and order_rank(state) = any(${ranks}::int[])
      union all
      select state, turn = 'receiver', created_at from orders
        where receiver_id = ${iid} and handed_over_at is not null and order_rank(state) = any(${ranks}::int[])
    ) open group by 1, 2, 3`.execute(db);
  const today = await sql<{ day: string }>`select ${local(sql`now()`)}::text as day`.execute(db);
  return { today: today.rows[0]!.day, counts: rows };
}

export interface Times {
  count: number;
  median: number | null;
  late: number | null;
}
interface TimesRow extends Times {
  part: Span | "month" | "partner";
  /** The month, or the partner's id. */
  key: string;
}
/** How long the orders took that were completed in this time: in all, by month and by partner. One walk along an index. */
export async function timesOf(db: Db, house: House, period: Period): Promise<TimesRow[]> {
  const { other, mine } = columnsOf(house);
  const seconds = (from: string, to: string) => sql`extract(epoch from ${sql.ref(to)} - ${sql.ref(from)})::float8`;
  const part = (name: Span | "month" | "partner", value: string, key = sql`null::text`, grouped = sql``) => sql`
    select ${name}::text as part, ${key} as key, count(${sql.ref(value)})::int as count,
      percentile_cont(array[0.5, 0.9]) within group (order by ${sql.ref(value)}) as times
    from done ${grouped}`;
  const { rows } = await sql<Omit<TimesRow, "median" | "late"> & { times: [number, number] | null }>`
    with done as materialized (
      select ${sql.ref(other)} as partner,
        date_trunc('month', (completed_at at time zone 'UTC') + make_interval(mins => ${period.zone}::int))::date as month,
        ${seconds("handed_over_at", "accepted_at")} as accept, ${seconds("accepted_at", "dispatched_at")} as make,
        ${seconds("dispatched_at", "completed_at")} as receive, ${seconds("handed_over_at", "completed_at")} as whole
      from orders where ${sql.ref(mine)} = ${house.iid} and state = 'completed' and ${within("completed_at", period)}
        and handed_over_at is not null
    )
    ${part("accept", "accept")} union all ${part("make", "make")} union all ${part("receive", "receive")}
    union all ${part("whole", "whole")}
    union all ${part("month", "whole", sql`to_char(month, 'YYYY-MM')`, sql`group by month`)}
    union all ${part("partner", "whole", sql`partner::text`, sql`group by partner`)}`.execute(db);
  return rows.map(({ times, ...row }) => ({ ...row, median: times?.[0] ?? null, late: times?.[1] ?? null }));
}

export interface AgainRow extends Again {
  partnerId: string;
}
/** Every work that was delivered again or made again in this time, the latest first. */
export async function againIn(db: Db, house: House, period: Period): Promise<AgainRow[]> {
  const { other, mine } = columnsOf(house);
  const { rows } = await sql<AgainRow>`
    with touched as materialized (
      select id, institution_id, number, ${sql.ref(other)} as partner, remake_of, remake_class, remake_bears, redelivery_count, handed_over_at
      from orders where ${sql.ref(mine)} = ${house.iid} and (remake_of is not null or redelivery_count > 0)
        and updated_at >= ${midnight(period.from, period, 0)} and handed_over_at is not null
    ), each_time as (
      select 'remake' as kind, id, number, partner, handed_over_at as at, null::text as reason, remake_class as cause, remake_bears as bears
      from touched where remake_of is not null and ${within("handed_over_at", period)}
      union all
      select 'redelivery', t.id, t.number, t.partner, e.at, e.text, null, null
      from touched t join order_event e on e.institution_id = t.institution_id and e.order_id = t.id
      where t.redelivery_count > 0 and e.action = 'redeliver' and ${within("e.at", period)}
    )
    select a.kind, a.id as "orderId", a.number, a.partner as "partnerId", i.name as partner, a.at, a.reason, a.cause, a.bears
    from each_time a join institution i on i.id = a.partner order by a.at desc, a.id`.execute(db);
  return rows;
}

export async function partnerNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("institution")
    .select(["id", "name"])
    .where("id", "in", [...ids, noOne])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
const noOne = "00000000-0000-0000-0000-000000000000";

/** What came into the organisation's store, by weeks that begin on Monday. */
export async function uploadsIn(db: Db, iid: string, period: Period) {
  const { rows } = await sql<{ week: string; files: number; bytes: number }>`
    select date_trunc('week', (created_at at time zone 'UTC') + make_interval(mins => ${period.zone}::int))::date as week,
      count(*)::int as files, sum(bytes)::bigint as bytes
    from stored_file where institution_id = ${iid} and ${within("created_at", period)} group by 1 order by 1`.execute(
    db,
  );
  return rows;
}

export async function analysesIn(db: Db, iid: string, period: Period): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from analysis
    where institution_id = ${iid} and state = 'done' and ${within("ended_at", period)}`.execute(db);
  return rows[0]!.n;
}

const columnsOf = ({ side }: House) =>
  side === "sender"
    ? { mine: "institution_id", other: "receiver_id" }
    : { mine: "receiver_id", other: "institution_id" };

const midnight = (day: string, { zone }: Period, later: number) =>
  sql`((${day}::date + ${later}::int)::timestamp - make_interval(mins => ${zone}::int)) at time zone 'UTC'`;
const within = (column: string, period: Period) =>
  sql`${sql.ref(column)} >= ${midnight(period.from, period, 0)} and ${sql.ref(column)} < ${midnight(period.to, period, 1)}`;

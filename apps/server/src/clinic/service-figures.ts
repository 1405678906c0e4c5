import { sql } from "kysely";
import { clinicRules } from "@arcada/contract/clinic/clinic.rules";
import type { AgeBand } from "@arcada/contract/clinic/clinic.rules";
import type { ServiceFigures } from "@arcada/contract/clinic/service-figures.calls";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderType } from "@arcada/contract/workorder/workorder.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { isOpenWork, wireTypeColumn } from "./clinic.store.ts";
import type { DeviceState } from "@arcada/contract/device/device.lifecycle";

/** Returns the after-sales statistics. Voided work was never finished and is counted nowhere. */
export async function loadServiceFigures(db: Db): Promise<ServiceFigures> {
  return {
    open: await openByAge(db),
    finished: await finishedTimes(db),
    people: await listPeople(db),
    devices: await devicesByVersion(db),
  };
}

const { bandDays } = clinicRules;
async function openByAge(db: Db): Promise<ServiceFigures["open"]> {
  const { rows } = await sql<{ state: WorkorderState; age: AgeBand; count: number }>`select w.state, case
      when w.created_at > now() - make_interval(days => ${bandDays.day}) then 'day'
      when w.created_at > now() - make_interval(days => ${bandDays.week}) then 'week'
      when w.created_at > now() - make_interval(days => ${bandDays.month}) then 'month' else 'older' end as age,
      count(*)::int as count
    from work_order w where ${isOpenWork} group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

const isRecentlyFinished = sql`w.finished_at is not null and w.state in ('finished', 'closed') and w.outcome is distinct from 'void' and w.finished_at >=
  (date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${clinicRules.months - 1})) at time zone 'UTC'`;
const durationHours = sql`extract(epoch from w.finished_at - w.created_at)::float8 / 3600`;
const median = sql`percentile_cont(0.5) within group (order by ${durationHours})`;

async function finishedTimes(db: Db): Promise<ServiceFigures["finished"]> {
  const { rows } = await sql<{
    type: WorkorderType | null;
    month: string | null;
    count: number;
    median: number | null;
    p90: number | null;
    reworked: number;
    reworks: number;
  }>`select w.type, w.month, count(*)::int as count, ${median} as median,
      percentile_cont(0.9) within group (order by ${durationHours}) as p90,
      count(*) filter (where w.rework_count > 0)::int as reworked, coalesce(sum(w.rework_count), 0)::int as reworks
    from (select w.finished_at, w.created_at, w.rework_count, ${wireTypeColumn} as type, to_char(w.finished_at at time zone 'UTC', 'YYYY-MM') as month from work_order w where ${isRecentlyFinished}) w
    group by grouping sets ((), (w.type), (w.month), (w.type, w.month)) order by w.month, w.type`.execute(db);
  const all = rows.find(({ type, month }) => type === null && month === null)!;
  const toTimes = ({ count, median: middle, p90 }: (typeof rows)[number]) => ({ count, median: middle, p90 });
  return {
    all: toTimes(all),
    byType: rows.flatMap((row) => (row.type && !row.month ? [{ type: row.type, ...toTimes(row) }] : [])),
    byMonth: rows.flatMap((row) => (row.month && !row.type ? [{ month: row.month, ...toTimes(row) }] : [])),
    byTypeAndMonth: rows.flatMap((row) =>
      row.month && row.type ? [{ type: row.type, month: row.month, ...toTimes(row) }] : [],
    ),
    reworked: all.reworked,
    reworks: all.reworks,
  };
}

/** Returns the people who have open work or finished some recently. */
const listPeople = (db: Db): Promise<ServiceFigures["people"]> =>
  bypassTenantScope(
    db,
    async () =>
      (
        await sql<ServiceFigures["people"][number]>`select u.id, coalesce(nullif(u.nick_name, ''), u.user_name) as name,
          count(*) filter (where ${isOpenWork})::int as open, min(w.created_at) filter (where ${isOpenWork}) as oldest,
          count(*) filter (where ${isRecentlyFinished})::int as finished,
          percentile_cont(0.5) within group (order by ${durationHours}) filter (where ${isRecentlyFinished}) as median
        from work_order w join users u on u.id = w.assignee_id group by u.id
        having count(*) filter (where ${isOpenWork}) > 0 or count(*) filter (where ${isRecentlyFinished}) > 0
        order by open desc, name, u.id`.execute(db)
      ).rows,
  );

const devicesByVersion = (db: Db): Promise<ServiceFigures["devices"]> => {
  const count = (state: DeviceState) => sql<number>`count(*) filter (where d.state = ${state})::int`;
  return db
    .selectFrom("device as d")
    .select(["d.product", "d.software_version as softwareVersion"])
    .select([count("unbound").as("unbound"), count("bound").as("bound"), count("locked").as("locked")])
    .groupBy(["d.product", "d.software_version"])
    .orderBy("d.product")
    .orderBy("d.software_version", (order) => order.asc().nullsLast())
    .execute();
};

import { sql } from "kysely";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { Database, Db } from "../platform/database/database.ts";
import { dueNotice } from "./due-expiry-notice.ts";
import { publishCapacityTransition } from "./capacity.notify.ts";
import type { PeriodRow } from "./capacity.store.ts";
import { requestPayment } from "./payment.ts";

const maxPerRun = 500;

/**
 * Applies the passage of time to capacity: periods begin (C4), renewals are requested, an approaching end is announced
 * and periods expire (C8). The timestamps alone decide what counts, so that a late run neither adds nor removes
 * capacity. Several processes may run it at once.
 */
export async function advanceCapacity(database: Database): Promise<void> {
  await database.asSystem(startPeriods);
  await database.asSystem(requestRenewals);
  await database.asSystem(announceEnds);
  await database.asSystem(expirePeriods);
  await database.asSystem(deleteOldAttempts);
}

async function startPeriods(db: Db): Promise<void> {
  const { rows } =
    await sql<PeriodRow>`update capacity_period p set state = 'in_effect', activated_at = starts_at, version = version + 1
    from (select id from capacity_period where state = 'subscribed' and starts_at <= now() order by starts_at limit ${maxPerRun}
      for update skip locked) due where p.id = due.id returning p.*`.execute(db);
  for (const row of rows)
    await publishCapacityTransition(
      db,
      { institution: row.institution_id, action: "start", subject: row.id, by: null },
      null,
    );
}

/** The step before C5. */
async function requestRenewals(db: Db): Promise<void> {
  const { rows } =
    await sql<PeriodRow>`select * from capacity_period p where state = 'in_effect' and auto_renew and expires_at > now()
    and expires_at <= now() + make_interval(days => ${capacityRules.renewalDays})
    and not exists (select from capacity_payment y where y.institution_id = p.institution_id and y.period_id = p.id
      and (y.state = 'waiting' or y.state <> 'withdrawn' and y.asked_at > p.expires_at - make_interval(days => ${capacityRules.renewalDays})))
    order by expires_at limit ${maxPerRun} for update skip locked`.execute(db);
  for (const { institution_id: institution, id, plan, gigabytes, analyses, expires_at: until } of rows) {
    const payment = await requestPayment(
      db,
      { institution_id: institution, kind: "renew", plan: plan!, period_id: id, starts_at: null, asked_by: null },
      null,
    );
    if (payment)
      await publishCapacityTransition(
        db,
        { institution, action: "askRenewal", subject: id, by: null },
        { what: "renewal", gigabytes, analyses, until },
      );
  }
}

/**
 * Sends a notice thirty, seven and one days before the end: of those that are due only the nearest to the end, once.
 */
async function announceEnds(db: Db): Promise<void> {
  const farthest = Math.max(...capacityRules.noticeDays);
  const { rows } = await sql<
    PeriodRow & { remaining: number }
  >`select *, extract(epoch from expires_at - now())::float8 * 1000 as remaining
    from capacity_period where state in ('in_effect', 'unsubscribed') and expires_at > now()
      and expires_at <= now() + make_interval(days => ${farthest}) and coalesce(told_days, ${farthest + 1}) > (
        select min(days) from unnest(${[...capacityRules.noticeDays]}::int[]) as days
        where expires_at <= now() + make_interval(days => days))
    order by expires_at limit ${maxPerRun} for update skip locked`.execute(db);
  for (const { institution_id: institution, id, gigabytes, analyses, expires_at: until, remaining } of rows) {
    await sql`update capacity_period set told_days = ${dueNotice(remaining)} where institution_id = ${institution} and id = ${id}`.execute(
      db,
    );
    await publishCapacityTransition(
      db,
      { institution, action: "remind", subject: id, by: null },
      { what: "ending", gigabytes, analyses, until },
    );
  }
}

async function expirePeriods(db: Db): Promise<void> {
  const { rows } =
    await sql<PeriodRow>`update capacity_period p set state = 'expired', expired_at = now(), auto_renew = false,
      version = version + 1
    from (select id from capacity_period where state in ('in_effect', 'unsubscribed') and expires_at <= now() order by expires_at
      limit ${maxPerRun} for update skip locked) due where p.id = due.id returning p.*`.execute(db);
  const used = rows.flatMap(({ card_id }) => card_id ?? []);
  await sql`update capacity_card set state = 'expired' where id = any(${used}::uuid[])`.execute(db);
  for (const { institution_id: institution, id, gigabytes, analyses, expires_at: until } of rows)
    await publishCapacityTransition(
      db,
      { institution, action: "expire", subject: id, by: null },
      { what: "ended", gigabytes, analyses, until },
    );
}

const deleteOldAttempts = (db: Db) => sql`delete from capacity_try where at < now() - interval '1 day'`.execute(db);

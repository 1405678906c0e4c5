import { sql } from "kysely";
import { planOf } from "@arcada/contract/capacity/capacity.rules";
import type { Plan } from "@arcada/contract/capacity/capacity.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { toldAtStart } from "./capacity.ts";
import { spread } from "./capacity.spread.ts";
import type { Taken } from "./capacity.spread.ts";
import { lockPeriod } from "./capacity.store.ts";
import type { PaymentRow, PeriodRow } from "./capacity.store.ts";

type By = Taken["by"];
export type NewPayment = Pick<PaymentRow, "institution_id" | "kind" | "plan" | "period_id" | "starts_at"> & {
  asked_by: string | null;
};

/**
 * The extension point for a payment provider. "waiting": the money comes by another way, and `settlePayment` is called
 * later, as the operator does here by hand; "confirmed": it has been paid already.
 */
const collect = async (_payment: NewPayment): Promise<"waiting" | "confirmed"> => "waiting";

/** Requests a payment; returns its id, or null if the same payment is requested already. */
export async function askPayment(db: Db, asked: NewPayment, by: By): Promise<string | null> {
  const id = newId();
  const { numAffectedRows } =
    await sql`insert into capacity_payment (institution_id, id, kind, plan, period_id, starts_at, asked_by)
    values (${asked.institution_id}, ${id}, ${asked.kind}, ${asked.plan}, ${asked.period_id}, ${asked.starts_at}, ${asked.asked_by})
    on conflict do nothing`.execute(db);
  if (numAffectedRows === 0n) return null;
  const { gigabytes, analyses } = demandPlan(asked.plan);
  const taken = { institution: asked.institution_id, action: "ask", subject: id, by };
  await spread(db, taken, { what: "asked", gigabytes, analyses, until: null });
  if ((await collect(asked)) === "confirmed") await settlePayment(db, id, { paid: true, by });
  return id;
}

/** A plan that is no longer offered cannot be renewed. */
const demandPlan = (id: string): Plan => planOf(id) ?? refuse("notFound");

interface Verdict {
  paid: boolean;
  reason?: string | undefined;
  by: By;
}
/**
 * Settles a payment: it was paid, and the period starts or continues; or it will not be paid. Runs outside the tenant
 * scope.
 */
export async function settlePayment(db: Db, id: string, { paid, reason, by }: Verdict): Promise<void> {
  // The period is locked first, in the same order as in its transitions.
  const seen = await db.selectFrom("capacity_payment").selectAll().where("id", "=", id).executeTakeFirst();
  if (!seen) return refuse("notFound");
  const { institution_id: institution } = seen;
  const period = seen.period_id ? await lockPeriod(db, institution, seen.period_id) : undefined;
  const { rows } =
    await sql<PaymentRow>`update capacity_payment set state = ${paid ? "confirmed" : "declined"}, decided_at = now(),
    decided_by = ${by?.uid ?? null}, reason = ${reason || null} where institution_id = ${institution} and id = ${id}
    and state = 'waiting' returning *`.execute(db);
  const payment = rows[0] ?? refuse("capacityActionNotAllowed");
  const plan = demandPlan(payment.plan);
  if (!paid)
    return spread(db, { institution, action: "decline", subject: id, by }, { what: "declined", ...plan, until: null });
  const { action, row } = period ? await prolong(db, period, plan) : await subscribe(db, payment, plan);
  await spread(
    db,
    { institution, action, subject: row.id, by },
    { what: "begun", gigabytes: row.gigabytes, analyses: row.analyses, until: row.expires_at },
  );
}

const termOf = (days: number) => sql`make_interval(secs => ${days} * 86400.0)`;

/** C3, and C4 at once unless a later day was requested. */
async function subscribe(db: Db, { institution_id, starts_at, asked_by }: PaymentRow, plan: Plan) {
  const start = sql`greatest(now(), coalesce(${starts_at}::timestamptz, now()))`;
  const { rows } =
    await sql<PeriodRow>`insert into capacity_period (institution_id, id, plan, gigabytes, analyses, days, state,
      auto_renew, made_by, starts_at, expires_at, activated_at, told_days)
    select ${institution_id}, ${newId()}, ${plan.id}, ${plan.gigabytes}, ${plan.analyses}, ${plan.days},
      case when start <= now() then 'in_effect' else 'subscribed' end, true, ${asked_by}, start, start + ${termOf(plan.days)},
      case when start <= now() then now() end, ${toldAtStart(plan.days)}
    from (select ${start} as start) chosen returning *`.execute(db);
  return { action: "subscribe", row: rows[0]! };
}

/** C5 while it is in effect: the new term follows the old one. C9 afterwards: it begins now. */
async function prolong(db: Db, { institution_id, id, state }: PeriodRow, { days }: Plan) {
  const told = toldAtStart(days);
  const { rows } =
    state === "expired"
      ? await sql<PeriodRow>`update capacity_period set state = 'in_effect', auto_renew = true, starts_at = now(),
          expires_at = now() + ${termOf(days)}, activated_at = now(), expired_at = null, unsubscribed_at = null,
          told_days = ${told}, version = version + 1
        where institution_id = ${institution_id} and id = ${id} and state = 'expired' returning *`.execute(db)
      : // A payment on time counts from the old end even if the job that expires periods has not run yet.
        await sql<PeriodRow>`update capacity_period set expires_at = expires_at + ${termOf(days)}, told_days = ${told},
          version = version + 1
        where institution_id = ${institution_id} and id = ${id} and state = 'in_effect' returning *`.execute(db);
  return { action: state === "expired" ? "renewLate" : "renew", row: rows[0] ?? refuse("capacityActionNotAllowed") };
}

/** Withdraws a payment request before it is paid. */
export async function withdrawPayment({ db, asker, address }: MemberContext, id: string): Promise<void> {
  await bypassTenantScope(db, async () => {
    // A renewal cannot be withdrawn: the admin unsubscribes instead, otherwise it would be requested again.
    const gone =
      await sql`update capacity_payment set state = 'withdrawn', decided_at = now(), decided_by = ${asker.uid}
      where institution_id = ${asker.iid} and id = ${id} and state = 'waiting' and kind <> 'renew'`.execute(db);
    if (gone.numAffectedRows === 1n) return;
    const known = await sql`select from capacity_payment where institution_id = ${asker.iid} and id = ${id}`.execute(
      db,
    );
    refuse(known.rows.length > 0 ? "capacityActionNotAllowed" : "notFound");
  });
  const by = { uid: asker.uid, address };
  await spread(db, { institution: asker.iid, action: "withdraw", subject: id, by }, null);
}

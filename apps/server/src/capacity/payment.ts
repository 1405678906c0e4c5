import { sql } from "kysely";
import { findPlan } from "@arcada/contract/capacity/capacity.rules";
import type { Plan } from "@arcada/contract/capacity/capacity.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { noticeAtStart } from "./due-expiry-notice.ts";
import { publishCapacityTransition } from "./capacity.notify.ts";
import type { CapacityTransition } from "./capacity.notify.ts";
import { lockPeriod } from "./capacity.store.ts";
import type { PaymentRow, PeriodRow } from "./capacity.store.ts";

type TransitionActor = CapacityTransition["by"];
export type NewPayment = Pick<PaymentRow, "institution_id" | "kind" | "plan" | "period_id" | "starts_at"> & {
  asked_by: string | null;
};

/**
 * The extension point for a payment provider. "waiting": the money arrives by another way, and `settlePayment` is
 * called later, as the operator does here by hand; "confirmed": it has been paid already.
 */
const collectPayment = async (_payment: NewPayment): Promise<"waiting" | "confirmed"> => "waiting";

/** Requests a payment; returns its id, or null if the same payment is requested already. */
export async function requestPayment(db: Db, payment: NewPayment, by: TransitionActor): Promise<string | null> {
  const id = newId();
  const { numAffectedRows } =
    await sql`insert into capacity_payment (institution_id, id, kind, plan, period_id, starts_at, asked_by)
    values (${payment.institution_id}, ${id}, ${payment.kind}, ${payment.plan}, ${payment.period_id}, ${payment.starts_at}, ${payment.asked_by})
    on conflict do nothing`.execute(db);
  if (numAffectedRows === 0n) return null;
  const { gigabytes, analyses } = requirePlan(payment.plan);
  const transition = { institution: payment.institution_id, action: "ask", subject: id, by };
  await publishCapacityTransition(db, transition, { what: "asked", gigabytes, analyses, until: null });
  if ((await collectPayment(payment)) === "confirmed") await settlePayment(db, id, { paid: true, by });
  return id;
}

/** A plan that is no longer offered cannot be renewed. */
const requirePlan = (id: string): Plan => findPlan(id) ?? refuse("notFound");

interface PaymentDecision {
  paid: boolean;
  reason?: string | undefined;
  by: TransitionActor;
}
/**
 * Settles a payment: it was paid, and the period starts or continues; or it will not be paid. Runs outside the tenant
 * scope.
 */
export async function settlePayment(db: Db, id: string, { paid, reason, by }: PaymentDecision): Promise<void> {
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
  const plan = requirePlan(payment.plan);
  if (!paid)
    return publishCapacityTransition(
      db,
      { institution, action: "decline", subject: id, by },
      { what: "declined", ...plan, until: null },
    );
  const { action, row } = period ? await extendPeriod(db, period, plan) : await startSubscription(db, payment, plan);
  await publishCapacityTransition(
    db,
    { institution, action, subject: row.id, by },
    { what: "begun", gigabytes: row.gigabytes, analyses: row.analyses, until: row.expires_at },
  );
}

const termInterval = (days: number) => sql`make_interval(secs => ${days} * 86400.0)`;

/** C3, and C4 at once unless a later day was requested. */
async function startSubscription(db: Db, { institution_id, starts_at, asked_by: request_by }: PaymentRow, plan: Plan) {
  const start = sql`greatest(now(), coalesce(${starts_at}::timestamptz, now()))`;
  const { rows } =
    await sql<PeriodRow>`insert into capacity_period (institution_id, id, plan, gigabytes, analyses, days, state,
      auto_renew, made_by, starts_at, expires_at, activated_at, told_days)
    select ${institution_id}, ${newId()}, ${plan.id}, ${plan.gigabytes}, ${plan.analyses}, ${plan.days},
      case when start <= now() then 'in_effect' else 'subscribed' end, true, ${request_by}, start, start + ${termInterval(plan.days)},
      case when start <= now() then now() end, ${noticeAtStart(plan.days)}
    from (select ${start} as start) chosen returning *`.execute(db);
  return { action: "subscribe", row: rows[0]! };
}

/** C5 while it is in effect: the new term follows the old one. C9 afterwards: it begins now. */
async function extendPeriod(db: Db, { institution_id, id, state }: PeriodRow, { days }: Plan) {
  const told = noticeAtStart(days);
  const { rows } =
    state === "expired"
      ? await sql<PeriodRow>`update capacity_period set state = 'in_effect', auto_renew = true, starts_at = now(),
          expires_at = now() + ${termInterval(days)}, activated_at = now(), expired_at = null, unsubscribed_at = null,
          told_days = ${told}, version = version + 1
        where institution_id = ${institution_id} and id = ${id} and state = 'expired' returning *`.execute(db)
      : // A payment on time counts from the old end even if the job that expires periods has not run yet.
        await sql<PeriodRow>`update capacity_period set expires_at = expires_at + ${termInterval(days)}, told_days = ${told},
          version = version + 1
        where institution_id = ${institution_id} and id = ${id} and state = 'in_effect' returning *`.execute(db);
  return { action: state === "expired" ? "renewLate" : "renew", row: rows[0] ?? refuse("capacityActionNotAllowed") };
}

/** Withdraws a payment request before it is paid. */
export async function withdrawPayment({ db, principal, address }: MemberContext, id: string): Promise<void> {
  await bypassTenantScope(db, async () => {
    // A renewal cannot be withdrawn: the admin unsubscribes instead, otherwise it would be requested again.
    const withdrawn =
      await sql`update capacity_payment set state = 'withdrawn', decided_at = now(), decided_by = ${principal.uid}
      where institution_id = ${principal.iid} and id = ${id} and state = 'waiting' and kind <> 'renew'`.execute(db);
    if (withdrawn.numAffectedRows === 1n) return;
    const known =
      await sql`select from capacity_payment where institution_id = ${principal.iid} and id = ${id}`.execute(db);
    refuse(known.rows.length > 0 ? "capacityActionNotAllowed" : "notFound");
  });
  const by = { uid: principal.uid, address };
  await publishCapacityTransition(db, { institution: principal.iid, action: "withdraw", subject: id, by }, null);
}

import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { Period, capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { dayMs } from "./due-expiry-notice.ts";
import { openActions } from "./period.allowed-steps.ts";
import { publishCapacityTransition } from "./capacity.notify.ts";
import { lockPeriod } from "./capacity.store.ts";
import type { PeriodRow } from "./capacity.store.ts";
import { requestPayment } from "./payment.ts";

/** The step before C3: the subscription starts when it is paid. Returns the payment's id. */
export async function subscribe(
  { db, principal, address, now }: MemberContext,
  { plan, startsAt }: Parsed<typeof capacityCalls.subscribe>,
): Promise<string> {
  const start = startsAt === undefined ? null : Date.parse(startsAt);
  if (start !== null && start > now.getTime() + capacityRules.maxDaysAhead * dayMs)
    refuse("capacityTooFar", { startsAt: "capacityTooFar", days: String(capacityRules.maxDaysAhead) });
  const payment = {
    institution_id: principal.iid,
    kind: "subscribe" as const,
    plan,
    period_id: null,
    starts_at: start === null ? null : new Date(start).toISOString(),
    asked_by: principal.uid,
  };
  const by = { uid: principal.uid, address };
  return (await bypassTenantScope(db, () => requestPayment(db, payment, by))) ?? refuse("capacityAsked");
}

interface ChosenPeriod {
  id: string;
  version: number;
}
/** C6: the period is no longer renewed; what was paid for stays. */
export async function unsubscribe(context: MemberContext, chosen: ChosenPeriod): Promise<void> {
  const { db, principal } = context;
  const row = await bypassTenantScope(db, async () => {
    await requireTransition(db, principal.iid, chosen, "unsubscribe");
    await sql`update capacity_payment set state = 'withdrawn', decided_at = now(), decided_by = ${principal.uid}
      where institution_id = ${principal.iid} and period_id = ${chosen.id} and state = 'waiting'`.execute(db);
    return updatePeriod(
      db,
      sql`state = 'unsubscribed', auto_renew = false, unsubscribed_at = now()`,
      sql`institution_id = ${principal.iid} and id = ${chosen.id} and state = 'in_effect'`,
    );
  });
  await publishCapacityTransition(
    db,
    { institution: principal.iid, action: "unsubscribe", subject: row.id, by: toActor(context) },
    { what: "unsubscribed", gigabytes: row.gigabytes, analyses: row.analyses, until: row.expires_at },
  );
}

/** C7, before it has expired. */
export async function resubscribe(context: MemberContext, chosen: ChosenPeriod): Promise<void> {
  const { db, principal } = context;
  const row = await bypassTenantScope(db, async () => {
    await requireTransition(db, principal.iid, chosen, "resubscribe");
    return updatePeriod(
      db,
      sql`state = 'in_effect', auto_renew = true, unsubscribed_at = null`,
      sql`institution_id = ${principal.iid} and id = ${chosen.id} and state = 'unsubscribed' and expires_at > now()`,
    );
  });
  await publishCapacityTransition(
    db,
    { institution: principal.iid, action: "resubscribe", subject: row.id, by: toActor(context) },
    null,
  );
}

/** The step before C9: the new term starts when it is paid. Returns the payment's id. */
export async function renewExpired(context: MemberContext, chosen: ChosenPeriod): Promise<string> {
  const { db, principal } = context;
  return bypassTenantScope(db, async () => {
    const { id, plan } = await requireTransition(db, principal.iid, chosen, "renewLate");
    const payment = {
      institution_id: principal.iid,
      kind: "renewLate" as const,
      plan: plan!,
      period_id: id,
      starts_at: null,
      asked_by: principal.uid,
    };
    return (await requestPayment(db, payment, toActor(context))) ?? refuse("capacityAsked");
  });
}

const toActor = ({ principal, address }: MemberContext) => ({ uid: principal.uid, address });

async function requireTransition(
  db: Db,
  iid: string,
  { id, version }: ChosenPeriod,
  action: Period["actions"][number],
): Promise<PeriodRow> {
  const row = (await lockPeriod(db, iid, id)) ?? refuse("notFound");
  if (row.version !== version) refuse("capacityChanged");
  const standing = { state: row.state, fromCard: row.card_id !== null, paymentWaits: false };
  if (!openActions(standing).includes(action)) refuse("capacityActionNotAllowed");
  return row;
}

async function updatePeriod(db: Db, set: ReturnType<typeof sql>, where: ReturnType<typeof sql>): Promise<PeriodRow> {
  const { rows } =
    await sql<PeriodRow>`update capacity_period set ${set}, version = version + 1 where ${where} returning *`.execute(
      db,
    );
  return rows[0] ?? refuse("capacityActionNotAllowed");
}

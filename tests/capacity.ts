import { sql } from "kysely";
import type { IssuedCard, Period } from "@arcada/contract/capacity/capacity.calls";
import type { TestUser, TestServer } from "./world.ts";

export const cardValue = { gigabytes: 50, analyses: 100, days: 60, sellBy: "2099-12-31" };

export const issueCards = async (operator: TestUser, count: number, more: Partial<typeof cardValue> = {}) =>
  (await operator.call("capacity.issue", { count, ...cardValue, ...more })).cards;

export const activateCard = (who: TestUser, { number, secret }: IssuedCard) =>
  who.ask("capacity.activate", { cardNumber: number, secret });

/** Returns the allowance of a clinic as its bars show it: storage (GB) and analyses. */
export async function readAllowance(who: TestUser): Promise<[gigabytes: number, analyses: number]> {
  const { maxSize } = await who.call("capacity.storage", {});
  return [maxSize, (await who.call("capacity.analyses", {})).total];
}

/** A subscription that was asked for and paid. */
export async function subscribe(clinic: TestUser, operator: TestUser, plan = "middle-month"): Promise<Period> {
  const { id } = await clinic.call("capacity.subscribe", { plan: plan as "middle-month" });
  await operator.call("capacity.confirmPayment", { id, paid: true });
  return (await clinic.call("capacity.subscriptions", {})).periods[0]!;
}

/** Lets so many seconds pass for an institution's capacity. */
export const passTime = (server: TestServer, iid: string, seconds: number) =>
  server.running.database.asSystem(async (db) => {
    const by = sql`make_interval(secs => ${seconds})`;
    await sql`update capacity_period set starts_at = starts_at - ${by}, expires_at = expires_at - ${by}, expired_at = expired_at - ${by}
      where institution_id = ${iid}`.execute(db);
    await sql`update quota_ledger set at = at - ${by} where institution_id = ${iid}`.execute(db);
    await sql`update capacity_payment set asked_at = asked_at - ${by}, starts_at = starts_at - ${by} where institution_id = ${iid}`.execute(
      db,
    );
  });

/** Sets its end to so many seconds from now. */
export const setPeriodEnd = (server: TestServer, { id }: { id: string }, seconds: number) =>
  server.running.database.asSystem((db) =>
    sql`update capacity_period set starts_at = starts_at + (now() + make_interval(secs => ${seconds}) - expires_at),
      expires_at = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(db),
  );

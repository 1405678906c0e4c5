import { sql } from "kysely";
import type { IssuedCard, Period } from "@arcada/contract/capacity/capacity.calls";
import type { Person, TestServer } from "./world.ts";

export const worth = { gigabytes: 50, analyses: 100, days: 60, sellBy: "2099-12-31" };

export const issued = async (operator: Person, count: number, more: Partial<typeof worth> = {}) =>
  (await operator.gets("capacity.issue", { count, ...worth, ...more })).cards;

export const tries = (who: Person, { number, secret }: IssuedCard) =>
  who.asks("capacity.activate", { cardNumber: number, secret });

/** Returns the allowance of a clinic as its bars show it: storage (GB) and analyses. */
export async function quota(who: Person): Promise<[gigabytes: number, analyses: number]> {
  const { maxSize } = await who.gets("capacity.storage", {});
  return [maxSize, (await who.gets("capacity.analyses", {})).total];
}

/** A subscription that was asked for and paid. */
export async function subscribed(clinic: Person, operator: Person, plan = "middle-month"): Promise<Period> {
  const { id } = await clinic.gets("capacity.subscribe", { plan: plan as "middle-month" });
  await operator.gets("capacity.confirmPayment", { id, paid: true });
  return (await clinic.gets("capacity.subscriptions", {})).periods[0]!;
}

/** Lets so many seconds pass for an institution's capacity. */
export const later = (server: TestServer, iid: string, seconds: number) =>
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
export const endsIn = (server: TestServer, { id }: { id: string }, seconds: number) =>
  server.running.database.asSystem((db) =>
    sql`update capacity_period set starts_at = starts_at + (now() + make_interval(secs => ${seconds}) - expires_at),
      expires_at = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(db),
  );

import { sql } from "kysely";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import { relationRules } from "@arcada/contract/relation/relation.cycle";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { DomainEvent } from "../platform/events/events.ts";
import { spread } from "./relation.spread.ts";
import { moveRelation, openBetween } from "./relation.store.ts";

/**
 * Subscriber: an order has ended, and a closing relationship may have waited for it. Works in the publisher's
 * transaction.
 */
export async function settleWhenOver(db: Db, happening: DomainEvent): Promise<void> {
  if (happening.name !== "orderMoved" || !orderCycle.terminal.includes(happening.to as OrderState)) return;
  const { sender, receiver } = happening;
  if (!receiver) return;
  await settle(
    db,
    sql`((institution_id = ${sender} and target_id = ${receiver}) or (institution_id = ${receiver} and target_id = ${sender}))`,
  );
}

/**
 * Ends relationships that were left and have no order in progress, once the side that left cannot return any more.
 * Several processes may run it at once. Returns the number that ended.
 */
export const settleLeft = async (database: Database, now = new Date()): Promise<number> => {
  const left = await database.asSystem((db) =>
    sql<{ id: string }>`select id from relation where state = 'closing'
      and left_at < ${now}::timestamptz - make_interval(days => ${relationRules.resumeDays})
      and not exists (select from orders o where ${openBetween(sql`relation`)}) order by left_at limit 500`.execute(db),
  );
  let done = 0;
  for (const { id } of left.rows) if (await database.asSystem((db) => settle(db, sql`id = ${id}`))) done++;
  return done;
};

interface Closing {
  id: string;
  institution_id: string;
  target_id: string;
  state: "closing";
  version: number;
}

async function settle(db: Db, which: ReturnType<typeof sql>): Promise<boolean> {
  const ended = await bypassTenantScope(db, async () => {
    // Locked before the orders are counted: if two last orders end at once, the second sees the result of the first.
    const { rows } =
      await sql<Closing>`select id, institution_id, target_id, state, version from relation where state = 'closing' and ${which} for update`.execute(
        db,
      );
    const row = rows[0];
    if (!row) return null;
    const open =
      await sql`select from orders o, relation where relation.id = ${row.id} and ${openBetween(sql`relation`)} limit 1`.execute(
        db,
      );
    return open.rows.length === 0 && (await moveRelation(db, row, "settle", { iid: null, reason: null })) ? row : null;
  });
  if (ended) await spread(db, { relation: ended, action: "settle", to: "ended", reason: null, by: null });
  return ended !== null;
}

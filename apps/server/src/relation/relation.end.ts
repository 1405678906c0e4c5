import { sql } from "kysely";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { relationRules } from "@arcada/contract/relation/relation.lifecycle";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { EventData } from "../platform/events/events.ts";
import { publishRelationTransition } from "./relation.notify.ts";
import { transitionRelation, isOpenOrderBetween } from "./relation.store.ts";
import type { orderTransitioned } from "../order/order.events.ts";
import type { Row } from "../tables/row.ts";

/**
 * Subscriber: an order has ended, and a closing relationship may have waited for it. Works in the publisher's
 * transaction.
 */
export async function endRelationAfterOrder(db: Db, domainEvent: EventData<typeof orderTransitioned>): Promise<void> {
  if (!orderLifecycle.terminal.includes(domainEvent.to as OrderState)) return;
  const { sender, receiver } = domainEvent;
  if (!receiver) return;
  await endRelation(
    db,
    sql`((institution_id = ${sender} and target_id = ${receiver}) or (institution_id = ${receiver} and target_id = ${sender}))`,
  );
}

/**
 * Ends relationships that were left and have no order in progress, once the side that left cannot return any more.
 * Several processes may run it at once. Returns the number that ended.
 */
export const endLeftRelations = async (database: Database, now = new Date()): Promise<number> => {
  const leftRelations = await database.asSystem((db) =>
    sql<Row<"relation", "id">>`select id from relation where state = 'closing'
      and left_at < ${now}::timestamptz - make_interval(days => ${relationRules.resumeDays})
      and not exists (select from orders o where ${isOpenOrderBetween(sql`relation`)}) order by left_at limit 500`.execute(
      db,
    ),
  );
  let endedCount = 0;
  for (const { id } of leftRelations.rows)
    if (await database.asSystem((db) => endRelation(db, sql`id = ${id}`))) endedCount++;
  return endedCount;
};

type ClosingRelation = Row<"relation", "id" | "institution_id" | "target_id" | "state" | "version">;

async function endRelation(db: Db, which: ReturnType<typeof sql>): Promise<boolean> {
  const ended = await bypassTenantScope(db, async () => {
    // Locked before the orders are counted: if two last orders end at once, the second sees the result of the first.
    const { rows } =
      await sql<ClosingRelation>`select id, institution_id, target_id, state, version from relation where state = 'closing' and ${which} for update`.execute(
        db,
      );
    const row = rows[0];
    if (!row) return null;
    const open =
      await sql`select from orders o, relation where relation.id = ${row.id} and ${isOpenOrderBetween(sql`relation`)} limit 1`.execute(
        db,
      );
    return open.rows.length === 0 && (await transitionRelation(db, row, "settle", { iid: null, reason: null }))
      ? row
      : null;
  });
  if (ended)
    await publishRelationTransition(db, { relation: ended, action: "settle", to: "ended", reason: null, by: null });
  return ended !== null;
}

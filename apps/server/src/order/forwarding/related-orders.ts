import { sql } from "kysely";
import { forwardRules } from "@arcada/contract/order/order-steps.rules";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import type { Order } from "../core/order.store.ts";

type Key = Pick<Order, "institution_id" | "id">;
type RelatedOrder = Pick<Order, "institution_id" | "id" | "receiver_id">;

/**
 * Returns the orders above this one and itself, the first sender's first. A lab alone cannot make its order a child of
 * another institution's order.
 */
export const findOrderChain = (db: Db, { institution_id: iid, id }: Key): Promise<RelatedOrder[]> =>
  bypassTenantScope(db, async () => {
    const { rows } = await sql<RelatedOrder>`with recursive line as (
        select institution_id, id, receiver_id, parent_id, 0 as above from orders where institution_id = ${iid} and id = ${id}
        union all select p.institution_id, p.id, p.receiver_id, p.parent_id, line.above + 1 from line
          join orders p on p.id = line.parent_id and p.receiver_id = line.institution_id where line.above <= ${forwardRules.maxDepth})
      select institution_id, id, receiver_id from line order by above desc`.execute(db);
    return rows;
  });

/** Blocks other steps on the orders of this chain until this transaction ends: a step on one may move them all. */
export async function lockOrderChain(db: Db, order: Key): Promise<void> {
  const [first] = await findOrderChain(db, order);
  await sql`select pg_advisory_xact_lock(hashtextextended(${first?.id ?? order.id}, 27))`.execute(db);
}

/** Returns the order that this one serves, and locks it; only with the tenant scope bypassed. */
export async function lockParent(db: Db, child: Order): Promise<Order | undefined> {
  if (child.parent_id === null) return undefined;
  const { rows } =
    await sql<Order>`select * from orders where id = ${child.parent_id} and receiver_id = ${child.institution_id}
    for update`.execute(db);
  return rows[0];
}

/** Returns the newest order by which this one was passed on, and locks it; only with the tenant scope bypassed. */
export async function lockChild(db: Db, parent: Order): Promise<Order | undefined> {
  const { rows } = await sql<Order>`${newestChildQuery(parent)} for update`.execute(db);
  return rows[0];
}

export const findNewestChild = (db: Db, parent: Order): Promise<Order | undefined> =>
  bypassTenantScope(db, async () => (await sql<Order>`${newestChildQuery(parent)}`.execute(db)).rows[0]);

const newestChildQuery = ({ id, receiver_id }: Order) =>
  sql`select * from orders where parent_id = ${id} and institution_id = ${receiver_id} order by created_at desc, id desc limit 1`;

/** Returns true if the sender lets the receiver pass the order on: stated in the order, else agreed between the two. */
export async function mayForward(db: Db, order: Order): Promise<boolean> {
  if (typeof order.rx.mayForward === "boolean") return order.rx.mayForward;
  const { rows } = await sql<{
    may: boolean;
  }>`${prepared} select coalesce((terms -> ${order.institution_id}::text ->> 'mayForward')::boolean, false) as may
    from relation where state = 'established' and ((institution_id = ${order.institution_id} and target_id = ${order.receiver_id})
      or (institution_id = ${order.receiver_id} and target_id = ${order.institution_id}))`.execute(db);
  return rows[0]?.may ?? false;
}

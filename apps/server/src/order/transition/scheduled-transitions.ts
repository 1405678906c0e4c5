import { sql } from "kysely";
import { receiptRules } from "@arcada/contract/order/order-steps.rules";
import type { Database, Db } from "../../platform/database/database.ts";
import { lockOrderChain } from "../forwarding/related-orders.ts";
import { systemInput, applyTransition, publishReceiptDue } from "./apply-transition.ts";
import { handOver } from "./send-order.ts";
import { findRefusal } from "./guards.ts";
import { lockOrder } from "../core/order.store.ts";
import type { Order } from "../core/order.store.ts";

/** Closes receipts that nobody confirmed; returns their number. Several processes may run it at once. */
export const autoCompleteOrders = (database: Database, now = new Date()): Promise<number> =>
  forEachOrder(
    database,
    sql`state = 'awaiting_receipt' and dispatched_at < ${now}::timestamptz - (
      select receipt_days from institution where institution.id = orders.institution_id) * interval '1 day'`,
    async (db, order) => {
      await lockOrderChain(db, order);
      const isOpen = findRefusal(order, "autoComplete", ["system"], now) === null;
      return isOpen ? applyTransition(db, order, "autoComplete", systemInput(now)) : undefined;
    },
  );

/** Retries orders in the outbox for changes without an event: a process died, a disk came back. */
export const handOverWaitingOrders = (database: Database, now = new Date()): Promise<number> =>
  forEachOrder(
    database,
    sql`state = 'awaiting_sending' and holder = 'sender' and step = 'uploading'`,
    async (db, order) => {
      await lockOrderChain(db, order);
      const held = await lockOrder(db, order);
      const moved = held?.state === "awaiting_sending" ? await handOver(db, held, now) : undefined;
      return moved?.state === "pending" ? moved : undefined;
    },
  );

/** Reminds of receipts that nobody confirms, once on each configured day. */
export const remindReceipts = (database: Database, now = new Date()): Promise<number> => {
  const days = sql`(select max(day) from unnest(${[...receiptRules.reminders]}::int[]) day
    where dispatched_at <= ${now}::timestamptz - day * interval '1 day'
      and day < coalesce((select receipt_days from institution where institution.id = orders.institution_id), day + 1))`;
  return forEachOrder(
    database,
    sql`state = 'awaiting_receipt' and not straight and info_request is null and cancel_request is null and ${days} > receipt_reminded`,
    async (db, order) => {
      const { rows } = await sql<Order>`update orders set receipt_reminded = ${days}
        where institution_id = ${order.institution_id} and id = ${order.id} and state = 'awaiting_receipt' and ${days} > receipt_reminded returning *`.execute(
        db,
      );
      if (rows[0]) await publishReceiptDue(db, rows[0]);
      return rows[0];
    },
  );
};

const batchSize = 500;

/** Each order in its own transaction: one that fails does not affect the others. */
async function forEachOrder(
  database: Database,
  condition: ReturnType<typeof sql>,
  work: (db: Db, order: Order) => Promise<Order | undefined>,
): Promise<number> {
  const found = await database.asSystem((db) =>
    sql<Order>`select * from orders where ${condition} order by updated_at limit ${batchSize}`.execute(db),
  );
  let done = 0;
  let failure: unknown;
  for (const order of found.rows)
    try {
      if (await database.asSystem((db) => work(db, order))) done++;
    } catch (error) {
      failure ??= error;
    }
  if (failure) throw failure;
  return done;
}

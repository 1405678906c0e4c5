import { sql } from "kysely";
import { orderRules } from "@arcada/contract/order/order.rules";
import type { Database, Db } from "../kernel/db.ts";
import { bySystem, perform } from "./order.perform.ts";
import { handOver } from "./order.transfer.ts";
import { whyNot } from "./order.ts";
import { holdOrder } from "./order.store.ts";
import type { Order } from "./order.store.ts";

/** Closes receipts that nobody confirmed; answers how many. Several processes may run it at once. */
export const autoComplete = (database: Database, now = new Date()): Promise<number> =>
  each(
    database,
    sql`state = 'awaiting_receipt' and dispatched_at < ${now}::timestamptz - ${orderRules.receiptDays} * interval '1 day'`,
    async (db, order) =>
      whyNot(order, "autoComplete", ["system"], now) === null
        ? perform(db, order, "autoComplete", bySystem(now))
        : undefined,
  );

/** Tries orders in the outbox again, for what no event told: a process died, a disk came back. */
export const handOverWaiting = (database: Database, now = new Date()): Promise<number> =>
  each(database, sql`state = 'awaiting_sending' and holder = 'sender' and step = 'uploading'`, async (db, order) => {
    const held = await holdOrder(db, order);
    const moved = held?.state === "awaiting_sending" ? await handOver(db, held, now) : undefined;
    return moved?.state === "pending" ? moved : undefined;
  });

const most = 500;

/** Each order in a transaction of its own: one that fails leaves the others alone. */
async function each(
  database: Database,
  condition: ReturnType<typeof sql>,
  work: (db: Db, order: Order) => Promise<Order | undefined>,
): Promise<number> {
  const found = await database.asSystem((db) =>
    sql<Order>`select * from orders where ${condition} order by updated_at limit ${most}`.execute(db),
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

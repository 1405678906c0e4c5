import { sql } from "kysely";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.lifecycle";
import { sendPipelined } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { asPrepared, prepared } from "../../platform/database/prepared-statements.ts";
import type { DesignFault, OrderSide } from "../../tables/order-columns.ts";
import type {
  OrderEventTable,
  OrderFileTable,
  OrderMessageTable,
  OrderRevisionTable,
  OrdersTable,
} from "../../tables/schema.generated.ts";
import type { RevisionChanges } from "../transition/transition-types.ts";

export type Order = Selectable<OrdersTable>;
export type NewFile = Omit<
  Selectable<OrderFileTable>,
  "institution_id" | "order_id" | "place" | "created_at" | "proposal_id" | "message_id"
> & { proposal_id?: string | null; message_id?: string | null };
type Key = Pick<Order, "institution_id" | "id">;

/** Returns an order of this institution: one that it made, or one that was handed over to it. */
export async function findVisibleOrder(db: Db, iid: string, id: string): Promise<Order | undefined> {
  const { rows } = await sql<Order>`${prepared} select * from orders where id = ${id}
    and (institution_id = ${iid} or (receiver_id = ${iid} and handed_over_at is not null))`.execute(db);
  return rows[0];
}

export const findOrder = (db: Db, { institution_id, id }: Key): Promise<Order | undefined> =>
  db
    .selectFrom("orders")
    .selectAll()
    .where("institution_id", "=", institution_id)
    .where("id", "=", id)
    .executeTakeFirst();

/** `today` is the sender's calendar day, with which the number begins. */
export async function insertOrder(
  db: Db,
  row: Omit<Insertable<OrdersTable>, "id" | "number">,
  today: string,
): Promise<Order> {
  const number = sql<string>`${today.slice(2).replaceAll("-", "")} || '-' || nextval('order_number')`;
  return db
    .insertInto("orders")
    .values({ ...row, id: newId(), number })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the current order and locks it until this transaction ends. */
export const lockOrder = (db: Db, order: Key): Promise<Order | undefined> =>
  db
    .selectFrom("orders")
    .selectAll()
    .where("institution_id", "=", order.institution_id)
    .where("id", "=", order.id)
    .forUpdate()
    .executeTakeFirst();

/** Changes an order only if it is still as it was read; returns undefined if another change came first. */
export async function updateOrder(
  db: Db,
  order: Order,
  from: readonly OrderState[],
  change: Updateable<OrdersTable>,
): Promise<Order | undefined> {
  const update = db
    .updateTable("orders")
    .set({ ...change, version: order.version + 1, updated_at: sql`clock_timestamp()` })
    .where("institution_id", "=", order.institution_id)
    .where("id", "=", order.id)
    .where("state", "in", from)
    .where("version", "=", order.version)
    .returningAll();
  const { rows } = await db.executeQuery(asPrepared(update.compile()));
  return rows[0];
}

export async function deleteOrder(db: Db, order: Order): Promise<boolean> {
  const deleted = await db
    .deleteFrom("orders")
    .where("institution_id", "=", order.institution_id)
    .where("id", "=", order.id)
    .where("state", "=", "draft")
    .where("version", "=", order.version)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

const orderKey = ({ institution_id, id }: Key) => ({ institution_id, order_id: id });

export async function addFiles(db: Db, order: Key, files: readonly NewFile[]): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((file, place) => ({ ...file, ...orderKey(order), place }));
  // Parameters of one statement are limited to 65,535.
  for (let at = 0; at < rows.length; at += 1000)
    await db
      .insertInto("order_file")
      .values(rows.slice(at, at + 1000))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Removes files that the sender attached to its prescription. */
export async function removeFiles(db: Db, order: Key, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from order_file where institution_id = ${order.institution_id} and order_id = ${order.id}
    and side = 'sender' and id = any(${ids}::uuid[])`.execute(db);
}

export async function setFileRole(db: Db, order: Key, id: string, role: NewFile["role"]): Promise<void> {
  await db
    .updateTable("order_file")
    .set({ role })
    .where("institution_id", "=", order.institution_id)
    .where("order_id", "=", order.id)
    .where("id", "=", id)
    .execute();
}

export async function addPrescriptionVersion(db: Db, order: Order, uid: string | null): Promise<void> {
  await db
    .insertInto("order_rx")
    .values({
      ...orderKey(order),
      revision: order.rx_revision,
      rx: order.rx,
      case_type: order.case_type,
      due_date: order.due_date,
      user_id: uid,
    })
    .execute();
}

export async function addRevision(
  db: Db,
  order: Key,
  row: Pick<Selectable<OrderRevisionTable>, "kind" | "number" | "hash" | "text" | "user_id"> & { id: string },
): Promise<void> {
  await db
    .insertInto("order_revision")
    .values({ ...row, ...orderKey(order), state: "submitted", decided_by: null, decided_at: null })
    .execute();
}

/** Writes a decision to the newest revision of each kind in `changes`. */
export async function updateRevisions(
  db: Db,
  order: Order,
  changes: RevisionChanges,
  uid: string | null,
): Promise<void> {
  for (const kind of ["scheme", "design"] as const) {
    const newState = changes[kind];
    if (!newState || newState === "new") continue;
    await db
      .updateTable("order_revision")
      .set({ state: newState, decided_by: uid, decided_at: sql`now()` })
      .where("institution_id", "=", order.institution_id)
      .where("order_id", "=", order.id)
      .where("kind", "=", kind)
      .where("number", "=", kind === "scheme" ? order.scheme_revision : order.design_revision)
      .execute();
  }
}

/** Returns the newest revision of a kind, and whether this person has opened it. */
export const findNewestRevision = (
  db: Db,
  order: Order,
  kind: "scheme" | "design",
  uid: string,
): Promise<{ hash: string; opened: string | null } | undefined> =>
  db
    .selectFrom("order_revision as revision")
    .leftJoin("order_revision_opening as opening", (join) =>
      join
        .onRef("opening.institution_id", "=", "revision.institution_id")
        .onRef("opening.order_id", "=", "revision.order_id")
        .onRef("opening.revision_id", "=", "revision.id")
        .on("opening.user_id", "=", uid),
    )
    .select(["revision.hash", "opening.at as opened"])
    .where("revision.institution_id", "=", order.institution_id)
    .where("revision.order_id", "=", order.id)
    .where("revision.kind", "=", kind)
    .orderBy("revision.number", "desc")
    .executeTakeFirst();

/** Keeps the first time at which a person opened a revision of this order. */
export async function addRevisionOpening(db: Db, order: Key, revision: string, uid: string): Promise<void> {
  await db
    .insertInto("order_revision_opening")
    .columns(["institution_id", "order_id", "revision_id", "user_id"])
    .expression(
      db
        .selectFrom("order_revision")
        .select(["institution_id", "order_id", "id", sql<string>`${uid}::uuid`.as("user_id")])
        .where("institution_id", "=", order.institution_id)
        .where("order_id", "=", order.id)
        .where("id", "=", revision),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function addEvent(
  db: Db,
  order: Order,
  row: {
    action: OrderAction;
    from: OrderState | null;
    uid: string | null;
    side: OrderSide | "system";
    text: string | null;
    revision: number | null;
    changed: string[] | null;
    code?: string | null;
    faults?: DesignFault[] | null;
  },
): void {
  const { from, uid, code, faults, ...rest } = row;
  const event: Insertable<OrderEventTable> = {
    ...orderKey(order),
    ...rest,
    code: code ?? null,
    // An array would be treated as a PostgreSQL array.
    faults: faults ? JSON.stringify(faults) : null,
    id: newId(),
    from_state: from,
    to_state: order.state,
    user_id: uid,
    inner_only: order.handed_over_at === null,
  };
  sendPipelined(db, asPrepared(db.insertInto("order_event").values(event).compile()));
}

export const addMessage = (
  db: Db,
  order: Key,
  row: { id: string; user_id: string; side: OrderSide; text: string; mentions: string[] },
): Promise<Selectable<OrderMessageTable>> =>
  db
    .insertInto("order_message")
    .values({ ...row, ...orderKey(order) })
    .returningAll()
    .executeTakeFirstOrThrow();

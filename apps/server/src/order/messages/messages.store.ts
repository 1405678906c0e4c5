import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import type { OrderRxTable, OrderPinAnswerTable, OrderPinTable } from "../../tables/schema.generated.ts";
import type { OrderSide } from "../../tables/order-columns.ts";
import type { Order } from "../core/order.store.ts";
import type { Row } from "../../tables/row.ts";

type Key = Pick<Order, "institution_id" | "id">;
interface Author {
  uid: string;
  side: OrderSide;
}
export type NamedPin = Selectable<OrderPinTable> & { who: string | null; settler: string | null };
export type NamedReply = Selectable<OrderPinAnswerTable> & { who: string | null };

/** A reading position only moves forward; returns true if it moved. */
export async function saveReadPosition(db: Db, order: Key, author: Author, message: string): Promise<boolean> {
  const { rows } = await sql`insert into order_reading (institution_id, order_id, user_id, side, up_to)
    select m.institution_id, m.order_id, ${author.uid}, ${author.side}, m.at from order_message m
    where m.institution_id = ${order.institution_id} and m.order_id = ${order.id} and m.id = ${message}
    on conflict (institution_id, order_id, user_id) do update set up_to = excluded.up_to, at = excluded.at
      where order_reading.up_to < excluded.up_to returning 1`.execute(db);
  return rows.length > 0;
}

const displayName = (alias: string) =>
  sql<string | null>`coalesce(nullif(${sql.ref(`${alias}.nick_name`)}, ''), ${sql.ref(`${alias}.user_name`)})`;
const ofOrder = (order: Key, alias: string) =>
  sql<boolean>`${sql.ref(`${alias}.institution_id`)} = ${order.institution_id} and ${sql.ref(`${alias}.order_id`)} = ${order.id}`;

export async function readPins(db: Db, order: Key): Promise<{ pins: NamedPin[]; answers: NamedReply[] }> {
  const pins = await db
    .selectFrom("order_pin as p")
    .innerJoin("users", "users.id", "p.user_id")
    .leftJoin("users as settler", "settler.id", "p.settled_by")
    .selectAll("p")
    .select([displayName("users").as("who"), displayName("settler").as("settler")])
    .where(ofOrder(order, "p"))
    .orderBy("p.number")
    .execute();
  const answers = await db
    .selectFrom("order_pin_answer as a")
    .innerJoin("users", "users.id", "a.user_id")
    .selectAll("a")
    .select(displayName("users").as("who"))
    .where(ofOrder(order, "a"))
    .orderBy("a.at")
    .orderBy("a.id")
    .execute();
  return { pins, answers };
}

export const pinById = (db: Db, order: Key, id: string): Promise<Selectable<OrderPinTable> | undefined> =>
  db
    .selectFrom("order_pin")
    .selectAll()
    .where("institution_id", "=", order.institution_id)
    .where("order_id", "=", order.id)
    .where("id", "=", id)
    .executeTakeFirst();

/** The order must be locked: two concurrent calls would use the same number. */
export async function addPin(
  db: Db,
  order: Key,
  author: Author,
  pin: { file: string; surface: string; point: readonly [number, number, number]; text: string },
): Promise<{ id: string; number: number }> {
  const [x, y, z] = pin.point;
  const { rows } = await sql<Row<"order_pin", "id" | "number">>`
    insert into order_pin (institution_id, order_id, id, number, file_id, surface, x, y, z, text, user_id, side)
    select ${order.institution_id}, ${order.id}, ${newId()}, coalesce(max(number), 0) + 1, ${pin.file}, ${pin.surface},
      ${x}, ${y}, ${z}, ${pin.text}, ${author.uid}, ${author.side}
    from order_pin where institution_id = ${order.institution_id} and order_id = ${order.id}
    returning id, number`.execute(db);
  return rows[0]!;
}

export async function addReply(db: Db, order: Key, author: Author, pin: string, text: string): Promise<void> {
  await db
    .insertInto("order_pin_answer")
    .values({
      institution_id: order.institution_id,
      order_id: order.id,
      pin_id: pin,
      id: newId(),
      text,
      user_id: author.uid,
      side: author.side,
    })
    .execute();
}

export async function settlePin(db: Db, order: Key, pin: string, by: string | null): Promise<void> {
  await sql`update order_pin set settled_by = ${by}, settled_at = ${by === null ? null : sql`clock_timestamp()`}
    where institution_id = ${order.institution_id} and order_id = ${order.id} and id = ${pin}
      and (settled_by is null) = ${by !== null}`.execute(db);
}

/** Removes a user's own pin if it has no answer; returns true if it was removed. */
export async function removePin(db: Db, order: Key, pin: string, uid: string): Promise<boolean> {
  const { rows } =
    await sql`delete from order_pin p where ${ofOrder(order, "p")} and p.id = ${pin} and p.user_id = ${uid}
    and not exists (select from order_pin_answer a where ${ofOrder(order, "a")} and a.pin_id = p.id) returning 1`.execute(
      db,
    );
  return rows.length > 0;
}

export const readPrescriptionVersions = (db: Db, order: Key): Promise<Selectable<OrderRxTable>[]> =>
  db
    .selectFrom("order_rx")
    .selectAll()
    .where("institution_id", "=", order.institution_id)
    .where("order_id", "=", order.id)
    .orderBy("revision")
    .execute();

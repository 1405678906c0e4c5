import { sql } from "kysely";
import type { Selectable } from "kysely";
import { afterSalesRoles, roles } from "@arcada/contract/kernel/roles";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import type { WorkorderAction, WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { WorkOrderFileTable, WorkOrderTable } from "../tables/schema.generated.ts";
import type { Row } from "../tables/row.ts";

export type WorkOrderFile = Selectable<WorkOrderFileTable>;
export interface WorkOrderRow extends Omit<Selectable<WorkOrderTable>, "haystack" | "grams"> {
  /** The assignee no longer works in after-sales. */
  assignee_gone: boolean;
  /** The alternate no longer works in after-sales. */
  alternate_gone: boolean;
}
/** The reader: an after-sales person (`iid` null), or a member of a clinic. */
export interface OrderReader {
  uid: string;
  iid: string | null;
  /** Sees the orders of others, too. */
  seesAll: boolean;
}

const staffRoleIds = afterSalesRoles.map((role) => roles[role].authorityId);
const staffMembership = (user: ReturnType<typeof sql>) => sql`select from membership m where m.user_id = ${user}
  and m.institution_id is null and m.state = 'normal' and m.authority_id = any(${staffRoleIds}::int[])`;
const isStaffMember = (user: ReturnType<typeof sql>) => sql<boolean>`exists (${staffMembership(user)})`;

/** A clinic's own; a member's own, and those that they may take over or made; all to managers. */
export const isReadable = ({ uid, iid, seesAll }: OrderReader) =>
  iid !== null
    ? sql<boolean>`w.institution_id = ${iid}`
    : seesAll
      ? sql<boolean>`true`
      : sql<boolean>`(w.assignee_id = ${uid} or w.alternate_id = ${uid} or w.created_by = ${uid}
          or exists (select from work_order_event e where e.work_order_id = w.id and e.user_id = ${uid}))`;

/**
 * Bypasses the tenant scope to check who still works in after-sales; the query itself restricts the orders to the
 * reader's.
 */
export const findOrder = (db: Db, reader: OrderReader, id: string, lock?: "held"): Promise<WorkOrderRow | undefined> =>
  bypassTenantScope(db, () =>
    db
      .selectFrom("work_order as w")
      .selectAll("w")
      .select([
        sql<boolean>`w.assignee_id is not null and not ${isStaffMember(sql`w.assignee_id`)}`.as("assignee_gone"),
        sql<boolean>`w.alternate_id is not null and not ${isStaffMember(sql`w.alternate_id`)}`.as("alternate_gone"),
      ])
      .where("w.id", "=", id)
      .where(isReadable(reader))
      .$if(lock !== undefined, (query) => query.forUpdate("w"))
      .executeTakeFirst(),
  );

/** Locks the place until the transaction ends: nobody is dismissed while work is assigned to them. */
export const lockStaff = (db: Db, uid: string): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const { rows } = await sql`${staffMembership(sql`${uid}`)} for share`.execute(db);
    return rows.length > 0;
  });

/** After-sales people with the orders that each has open. */
export const listStaff = (db: Db): Promise<{ id: string; name: string; open: number }[]> =>
  bypassTenantScope(db, () =>
    db
      .selectFrom("users as u")
      .select(["u.id", "u.nick_name as name"])
      .select(
        sql<number>`(select count(*)::int from work_order w
          where w.assignee_id = u.id and w.state not in ('finished', 'closed'))`.as("open"),
      )
      .where(isStaffMember(sql`u.id`))
      .orderBy("u.nick_name")
      .orderBy("u.id")
      .limit(500)
      .execute(),
  );

/** A clinic's zone; one without an account has none that is known. */
export const findClinicZone = (db: Db, clinic: string): Promise<string> =>
  bypassTenantScope(db, async () => {
    const { rows } = await sql<Row<"institution", "time_zone" | "country">>`select i.time_zone, i.country from clinic c
      join institution i on i.id = c.institution_id where c.id = ${clinic}`.execute(db);
    return rows[0] ? resolveZone(rows[0]) : utcZone;
  });

/** The next number of a calendar day. */
export const nextOrderNumber = (db: Db, day: string): Promise<string> =>
  bypassTenantScope(db, async () => {
    const { rows } = await sql<
      Row<"work_order_counter", "last">
    >`insert into work_order_counter (day, last) values (${day}, 1)
      on conflict (day) do update set last = work_order_counter.last + 1 returning last`.execute(db);
    return `W${day.replaceAll("-", "")}-${String(rows[0]!.last).padStart(3, "0")}`;
  });

export type OrderChange = Partial<
  Omit<WorkOrderRow, "id" | "assignee_gone" | "alternate_gone" | "finish_parts" | "version">
>;
/** Changes only the version that was read; returns false if another change came first. */
export async function updateOrder(db: Db, row: { id: string; version: number }, change: OrderChange): Promise<boolean> {
  const moved = await db
    .updateTable("work_order")
    .set({ ...change, version: row.version + 1 })
    .where("id", "=", row.id)
    .where("version", "=", row.version)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

export interface OrderEvent {
  uid: string | null;
  action: WorkorderAction | null;
  to: WorkorderState | null;
  text: string | null;
  isInternal: boolean;
}
export const addEvent = (db: Db, row: { id: string; institution_id: string | null }, event: OrderEvent) =>
  db
    .insertInto("work_order_event")
    .values({
      id: newId(),
      work_order_id: row.id,
      institution_id: row.institution_id,
      user_id: event.uid,
      action: event.action,
      to_state: event.to,
      text: event.text,
      inner_only: event.isInternal,
    })
    .execute();

/** True the first time since the order was given to this person. */
export async function markRead(db: Db, id: string, uid: string): Promise<boolean> {
  const made = await db
    .insertInto("work_order_read")
    .values({ work_order_id: id, user_id: uid })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === 1n;
}
export const markUnread = (db: Db, id: string, uid: string) =>
  db.deleteFrom("work_order_read").where("work_order_id", "=", id).where("user_id", "=", uid).execute();

export const listFiles = (db: Db, id: string): Promise<WorkOrderFile[]> =>
  db.selectFrom("work_order_file").selectAll().where("work_order_id", "=", id).orderBy("id").execute();

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { WorkorderRow, workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { workorderStates } from "@arcada/contract/workorder/workorder.cycle";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.cycle";
import { bypassTenantScope } from "../platform/database/database.ts";
import { searchTerms } from "../platform/text/search-terms.ts";
import { readable } from "./workorder.store.ts";
import type { WorkOrderRow } from "./workorder.store.ts";
import { storedType } from "./workorder.ts";
import { readerOf, rowShown } from "./workorder.view.ts";
import type { Asking } from "./workorder.view.ts";

type Wish = Parsed<typeof workorderCalls.list>;
interface Listed extends WorkOrderRow {
  clinic: string;
  assignee: string | null;
  unread: boolean;
}

/** A page of orders, newest first, with how many there are in each state. */
export const listOrders = ({ db, asker }: Asking, wish: Wish) =>
  bypassTenantScope(db, async () => {
    const theirs = theirsOf(asker, wish);
    const narrowed = sql.join(conditions(asker, wish), sql` and `);
    // A subquery per order: for a join, PostgreSQL would rather read all orders that the asker has ever opened than
    // look up 20.
    const unread = sql<boolean>`(select r.at from work_order_read r where r.work_order_id = w.id and r.user_id = ${asker.uid}) is null`;
    const counted = await sql<{
      state: WorkorderState;
      count: number;
      unread: number;
    }>`select w.state, count(*)::int as count,
        count(*) filter (where case when ${isOpen} then ${unread} end)::int as unread
      from work_order w where ${anyOf(theirs, asker.uid)} and ${narrowed} group by w.state`.execute(db);
    const { rows } =
      await sql<Listed>`select w.*, false as assignee_gone, false as alternate_gone, c.name as clinic, u.nick_name as assignee, ${unread} as unread
      from (${pageOf(theirs, asker.uid, wish, narrowed)}) page join work_order w on w.id = page.id
        join clinic c on c.id = w.clinic_id left join users u on u.id = w.assignee_id
      order by w.id desc`.execute(db);
    const list: WorkorderRow[] = rows.slice(0, wish.pageSize).map((row) => rowShown(row, row));
    const counts = Object.fromEntries(
      workorderStates.map((state) => [state, counted.rows.find((one) => one.state === state)?.count ?? 0]),
    ) as Record<WorkorderState, number>;
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      list,
      total: wish.state ? counts[wish.state] : all,
      next: rows.length > list.length ? list.at(-1)!.id : null,
      counts,
      unread: counted.rows.reduce((sum, row) => sum + row.unread, 0),
    };
  });

/** Reasons why orders are in somebody's list. Each reason has an index in which its orders are sorted newest first. */
interface Theirs {
  orders: RawBuilder<unknown>[];
  /** Entries that the asker wrote into an order's log. */
  events: RawBuilder<unknown> | null;
}

function theirsOf(asker: Asking["asker"], wish: Wish): Theirs {
  const { iid, seesAll } = readerOf(asker);
  const is = (column: string) => sql`${sql.ref(`w.${column}`)} = ${asker.uid}`;
  // Orders that somebody made, and those that they submitted for review.
  if (wish.reported) return { orders: [is("created_by")], events: sql`e.action = 'submit'` };
  if (wish.mine) return { orders: [is("assignee_id")], events: null };
  if (iid !== null || seesAll) return { orders: [sql`true`], events: null };
  return { orders: ["assignee_id", "alternate_id", "created_by"].map(is), events: sql`true` };
}

function anyOf({ orders, events }: Theirs, uid: string): RawBuilder<unknown> {
  if (!events) return orders[0]!;
  const lists = orders.map((reason) => sql`select w.id from work_order w where ${reason}`);
  return sql`w.id in (${sql.join(lists, sql` union `)} union
    select e.work_order_id from work_order_event e where e.user_id = ${uid} and ${events})`;
}

/** Returns the ids of a page and one order more; each reason contributes no more than that, however many it has. */
function pageOf({ orders, events }: Theirs, uid: string, wish: Wish, narrowed: RawBuilder<unknown>) {
  const here = sql`${narrowed} and ${wish.state ? sql`w.state = ${wish.state}` : sql`true`}
    and ${wish.cursor ? sql`w.id < ${wish.cursor}` : sql`true`}`;
  const first = sql`order by 1 desc limit ${wish.pageSize + 1}`;
  const lists = orders.map((reason) => sql`(select w.id from work_order w where ${reason} and ${here} ${first})`);
  if (events)
    lists.push(sql`(select distinct e.work_order_id from work_order_event e join work_order w on w.id = e.work_order_id
      where e.user_id = ${uid} and ${events} and ${here} ${first})`);
  return lists.length === 1 ? lists[0]! : sql`${sql.join(lists, sql` union `)} ${first}`;
}

function conditions(asker: Asking["asker"], wish: Wish): RawBuilder<unknown>[] {
  const { grams, patterns } = searchTerms(wish.search);
  const reader = readerOf(asker);
  return [
    // For readers outside a clinic, `theirsOf` already restricts the orders.
    reader.iid === null ? sql`true` : readable(reader),
    ...(wish.mine ? [sql`w.assignee_id = ${asker.uid}`] : []),
    ...(wish.type ? [sql`w.type = ${storedType(wish.type)}`] : []),
    ...(wish.clinic ? [sql`w.clinic_id = ${wish.clinic}`] : []),
    ...(wish.device ? [sql`w.device_id = ${wish.device}`] : []),
    ...(grams.length > 0 ? [sql`w.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`w.haystack like ${pattern}`),
  ];
}

const isOpen = sql`w.state not in ('finished', 'closed')`;

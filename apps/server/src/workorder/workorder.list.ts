import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderRow } from "@arcada/contract/workorder/workorder.schema";
import { workorderStates } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import { searchTerms } from "../platform/text/search-terms.ts";
import { isReadable } from "./workorder.store.ts";
import type { WorkOrderRow } from "./workorder.store.ts";
import { toStoredType } from "./workorder.allowed-steps.ts";
import { toOrderReader, toWorkorderRow } from "./workorder.view.ts";
import type { OrderContext } from "./workorder.view.ts";

type ListInput = Parsed<typeof workorderCalls.list>;
interface ListedOrder extends WorkOrderRow {
  clinic: string;
  assignee: string | null;
  unread: boolean;
}

/** A page of orders, newest first, with how many there are in each state. */
export const listOrders = ({ db, principal }: OrderContext, input: ListInput) =>
  bypassTenantScope(db, async () => {
    const ownOrders = ownOrdersOf(principal, input);
    const filtered = sql.join(conditions(principal, input), sql` and `);
    // A subquery per order: for a join, PostgreSQL would rather read all orders that the principal has ever opened than
    // look up 20.
    const unread = sql<boolean>`(select r.at from work_order_read r where r.work_order_id = w.id and r.user_id = ${principal.uid}) is null`;
    const counted = await db
      .selectFrom("work_order as w")
      .select([
        "w.state",
        sql<number>`count(*)::int`.as("count"),
        sql<number>`count(*) filter (where case when ${isOpen} then ${unread} end)::int`.as("unread"),
      ])
      .where(sql<boolean>`${ownOrdersCondition(ownOrders, principal.uid)} and ${filtered}`)
      .groupBy("w.state")
      .execute();
    const { rows } =
      await sql<ListedOrder>`select w.*, false as assignee_gone, false as alternate_gone, c.name as clinic, u.nick_name as assignee, ${unread} as unread
      from (${pageQuery(ownOrders, principal.uid, input, filtered)}) page join work_order w on w.id = page.id
        join clinic c on c.id = w.clinic_id left join users u on u.id = w.assignee_id
      order by ${pageOrder(input)}`.execute(db);
    const list: WorkorderRow[] = rows.slice(0, input.pageSize).map((row) => toWorkorderRow(row, row));
    const counts = Object.fromEntries(
      workorderStates.map((state) => [state, counted.find((one) => one.state === state)?.count ?? 0]),
    ) as Record<WorkorderState, number>;
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      list,
      total: input.state ? counts[input.state] : all,
      next: rows.length > list.length ? list.at(-1)!.id : null,
      counts,
      unread: counted.reduce((sum, row) => sum + row.unread, 0),
    };
  });

/** Open orders with an appointment before an instant, the earliest first: a member's own, to managers all. */
export const listPlanned = ({ db, principal }: OrderContext, before: string) =>
  bypassTenantScope(db, async () => {
    const { seesAll, uid } = toOrderReader(principal);
    const rows = await db
      .selectFrom("work_order as w")
      .innerJoin("clinic as c", "c.id", "w.clinic_id")
      .leftJoin("users as u", "u.id", "w.assignee_id")
      .selectAll("w")
      .select([
        "c.name as clinic",
        "u.nick_name as assignee",
        sql<boolean>`(select r.at from work_order_read r where r.work_order_id = w.id and r.user_id = ${uid}) is null`.as(
          "unread",
        ),
        sql<number>`(count(*) over ())::int`.as("total"),
      ])
      .where("w.planned_at", "<", before)
      .where("w.state", "in", ["new", "in_progress"])
      .$if(!seesAll, (query) => query.where("w.assignee_id", "=", uid))
      .orderBy("w.planned_at")
      .orderBy("w.id")
      .limit(workorderRules.maxPlanned)
      .execute();
    const list: WorkorderRow[] = rows.map((row) =>
      toWorkorderRow({ ...row, assignee_gone: false, alternate_gone: false }, row),
    );
    return { list, total: rows[0]?.total ?? 0 };
  });

/** Reasons why orders are in a user's list. Each reason has an index in which its orders are sorted newest first. */
interface OwnOrders {
  orders: RawBuilder<unknown>[];
  /** Entries that the principal wrote into an order's log. */
  events: RawBuilder<unknown> | null;
}

function ownOrdersOf(principal: OrderContext["principal"], input: ListInput): OwnOrders {
  const { iid, seesAll } = toOrderReader(principal);
  const is = (column: string) => sql`${sql.ref(`w.${column}`)} = ${principal.uid}`;
  // Orders that the user made, and those that they submitted for review.
  if (input.reported) return { orders: [is("created_by")], events: sql`e.action = 'submit'` };
  if (input.mine) return { orders: [is("assignee_id")], events: null };
  if (iid !== null || seesAll) return { orders: [sql`true`], events: null };
  return { orders: ["assignee_id", "alternate_id", "created_by"].map(is), events: sql`true` };
}

function ownOrdersCondition({ orders, events }: OwnOrders, uid: string): RawBuilder<unknown> {
  if (!events) return orders[0]!;
  const lists = orders.map((reason) => sql`select w.id from work_order w where ${reason}`);
  return sql`w.id in (${sql.join(lists, sql` union `)} union
    select e.work_order_id from work_order_event e where e.user_id = ${uid} and ${events})`;
}

/** The value by which a page is sorted, before the id. Orders without an appointment come last in both directions. */
const sortKey = ({ sort, way }: ListInput): RawBuilder<unknown> =>
  sort === "created"
    ? sql`null::timestamptz`
    : sql`coalesce(w.planned_at, ${sql.lit(way === "down" ? "-infinity" : "infinity")})`;
const isAscending = ({ sort, way }: ListInput): boolean => (way ?? (sort === "created" ? "down" : "up")) === "up";
const pageOrder = (input: ListInput): RawBuilder<unknown> => {
  const direction = isAscending(input) ? sql`asc` : sql`desc`;
  return input.sort === "created" ? sql`w.id ${direction}` : sql`${sortKey(input)} ${direction}, w.id ${direction}`;
};

/** The condition that an order comes after the last one of the page before. */
function isAfter(input: ListInput): RawBuilder<unknown> {
  if (!input.cursor) return sql`true`;
  const comparison = isAscending(input) ? sql`>` : sql`<`;
  if (input.sort === "created") return sql`w.id ${comparison} ${input.cursor}`;
  return sql`(${sortKey(input)}, w.id) ${comparison} (select ${sortKey(input)}, w.id from work_order w where w.id = ${input.cursor})`;
}

/** Returns the ids of a page and one order more; each reason contributes no more than that, however many it has. */
function pageQuery({ orders, events }: OwnOrders, uid: string, input: ListInput, filtered: RawBuilder<unknown>) {
  const here = sql`${filtered} and ${input.state ? sql`w.state = ${input.state}` : sql`true`}
    and ${isAfter(input)}`;
  const most = sql`limit ${input.pageSize + 1}`;
  const direction = isAscending(input) ? sql`asc` : sql`desc`;
  const columns = sql`w.id, ${sortKey(input)} as key`;
  const lists = orders.map(
    (reason) =>
      sql`(select ${columns} from work_order w where ${reason} and ${here} order by ${pageOrder(input)} ${most})`,
  );
  if (events)
    lists.push(sql`(select distinct ${columns} from work_order_event e join work_order w on w.id = e.work_order_id
      where e.user_id = ${uid} and ${events} and ${here} order by 2 ${direction}, 1 ${direction} ${most})`);
  return lists.length === 1
    ? lists[0]!
    : sql`${sql.join(lists, sql` union `)} order by 2 ${direction}, 1 ${direction} ${most}`;
}

function conditions(principal: OrderContext["principal"], input: ListInput): RawBuilder<unknown>[] {
  const { grams, patterns } = searchTerms(input.search);
  const reader = toOrderReader(principal);
  return [
    // For readers outside a clinic, `ownOrdersOf` already restricts the orders.
    reader.iid === null ? sql`true` : isReadable(reader),
    ...(input.mine ? [sql`w.assignee_id = ${principal.uid}`] : []),
    ...(input.type ? [sql`w.type = ${toStoredType(input.type)}`] : []),
    ...(input.clinic ? [sql`w.clinic_id = ${input.clinic}`] : []),
    ...(input.device ? [sql`w.device_id = ${input.device}`] : []),
    ...(grams.length > 0 ? [sql`w.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`w.haystack like ${pattern}`),
  ];
}

const isOpen = sql`w.state not in ('finished', 'closed')`;

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { parseStates } from "@arcada/contract/order/order-list.filter";
import { unfinishedStates } from "@arcada/contract/order/order-today.calls";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { taskRules } from "@arcada/contract/order/order-tasks";
import { orderRow } from "@arcada/contract/order/order.calls";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import type { Db } from "../../platform/database/database.ts";
import { searchTerms } from "../../platform/text/search-terms.ts";
import { localDayAt, startOfDay } from "../../domain/institution-time-zone.ts";
import type { Column, Row } from "../../tables/row.ts";

export type ListQuery = Parsed<(typeof orderCalls)["list"]>;
export type SqlFragment = RawBuilder<unknown>;
export interface OrderListSource {
  from: SqlFragment;
  where: SqlFragment;
  id: SqlFragment;
}

/** The institution that reads a list, and the time zone in which its days begin. */
export interface ListReader {
  iid: string;
  timeZone: string;
}

export interface OrderHits {
  /** The hits, up to this number. */
  upTo: (most: number) => SqlFragment;
  /** Sources that can be scanned in sort order once all hits are available. */
  orderedScans: OrderListSource[];
}

/** The filter of a list of orders. */
export interface ListFilter {
  /** Filtered by state and turn alone: their number is known. */
  isPlain: boolean;
  count: SqlFragment;
  /** Set if an index on the entries answers the whole filter; then `finds` reads these hits. */
  hits: OrderHits | null;
  /** Sources in which an index finds few of many rows. */
  lookups: OrderListSource[];
  /** Sources that can be scanned in sort order. */
  orderedScans: OrderListSource[];
}

/**
 * `order_sent` and `order_received` (`s`) are what moves of an order, as that side has it before it; `order_entry` (`e`)
 * what stays, with the words by which this reader may find it: a receiver never finds one by a name that is hidden.
 */
export async function buildListFilter(
  db: Db,
  { iid, timeZone }: ListReader,
  query: ListQuery,
  isFixedSort: boolean,
): Promise<ListFilter> {
  const states = query.state ? [query.state] : query.states ? parseStates(query.states) : null;
  const stateFilter = stateConditions(states, query);
  const changing = [
    ...stateFilter,
    ...taskConditions(query),
    ...changingConditions(query),
    ...historyConditions(query, timeZone),
  ];
  const list = query.task ? taskRules[query.task].list : query.list;
  const sides = list ? [orderSides[list]] : Object.values(orderSides);
  const searched = query.search ? [await searchCondition(db, query.search)] : [];
  const entryConditions = [...searched, ...fixedConditions(sql`e`, query, timeZone)];
  const sideConditions = [...changing, ...fixedConditions(sql`s`, query, timeZone)];
  return {
    isPlain: changing.length === stateFilter.length && entryConditions.length === 0,
    count: sql`select coalesce(sum(n), 0)::int as n from order_tally where institution_id = ${iid}
      and ${states ? sql`state = any(${states}::text[])` : sql`true`} and ${query.turn ? sql`mine` : sql`true`}`,
    hits:
      changing.length === 0 && !isFixedSort
        ? {
            upTo: (most) =>
              sql`select e.order_id from order_entry_mine e where ${allOf(entryConditions)} limit ${most}`,
            // Written this way so that they are looked up during an index-only scan, not joined.
            orderedScans: sideSources(sides, [sql`(s.id in (select order_id from hits)) is true`], false),
          }
        : null,
    lookups:
      changing.length > 0
        ? sideSources(sides, [...sideConditions, ...searched], isFixedSort || searched.length > 0)
        : isFixedSort
          ? [entrySource(entryConditions)]
          : joinSides(sides, sql`hits e`, sql`true`),
    orderedScans: !isFixedSort
      ? sideSources(sides, [...sideConditions, ...searched], searched.length > 0)
      : changing.length > 0
        ? sideSources(sides, [...changing, ...entryConditions], true)
        : [entrySource(entryConditions)],
  };
}

const allOf = (conditions: SqlFragment[]): SqlFragment => sql.join([sql`true`, ...conditions], sql` and `);

const entrySource = (conditions: SqlFragment[]): OrderListSource => ({
  from: sql`order_entry_mine e`,
  where: allOf(conditions),
  id: sql`e.order_id as id`,
});

const orderSides = { sent: sql`order_sent s`, received: sql`order_received s` } as const;

const sideSources = (sides: SqlFragment[], conditions: SqlFragment[], withEntry: boolean): OrderListSource[] =>
  withEntry
    ? joinSides(sides, sql`order_entry_mine e`, allOf(conditions))
    : sides.map((from) => ({
        from,
        where: allOf(conditions),
        id: sql`s.id`,
      }));

const joinSides = (sides: SqlFragment[], entry: SqlFragment, where: SqlFragment): OrderListSource[] =>
  sides.map((side) => ({
    from: sql`${side} join ${entry} on e.order_id = s.id`,
    where,
    id: sql`e.order_id as id`,
  }));

const stateConditions = (states: OrderState[] | null, query: ListQuery): SqlFragment[] => [
  ...(states?.length === 1 ? [sql`s.rank = ${sql.lit(rankOf(states[0]!))}`] : []),
  ...(states && states.length !== 1 ? [sql`s.rank = any(${states.map(rankOf)}::int[])`] : []),
  ...(query.turn ? [sql`s.mine`] : []),
];

/** The side is chosen by the source: see `sides`. An index on the tasks has the column of the turn, not a comparison. */
function taskConditions({ task }: ListQuery): SqlFragment[] {
  if (!task) return [];
  const { list, states, isMyTurn, isAsked } = taskRules[task];
  const ranks = states.map(rankOf);
  const own = list === "sent" ? "sender" : "receiver";
  return [
    ranks.length === 1 ? sql`s.rank = ${sql.lit(ranks[0]!)}` : sql`s.rank = any(${ranks}::int[])`,
    isMyTurn ? sql`s.turn = ${own}` : sql`s.turn = any(${turns.filter((turn) => turn !== own)}::text[])`,
    ...(isAsked === undefined ? [] : [isAsked ? sql`s.asked` : sql`not s.asked`]),
  ];
}

const turns = orderRow.shape.turn.options;

/** True if an index has the orders of the task by their due days: those of one state that wait for one side. */
export const isTaskInDueOrder = ({ task }: ListQuery): boolean =>
  task !== undefined && taskRules[task].states.length === 1 && taskRules[task].isMyTurn;

/** Same order as in the index; must agree with `order_rank` in the database. */
export const rankOf = (state: OrderState): number => orderStates.length - orderStates.indexOf(state);

const changingConditions = (query: ListQuery): SqlFragment[] => [
  ...(query.patientId ? [sql`s.patient_id = ${query.patientId}`] : []),
  ...(query.personId ? [sql`s.person_id = ${query.personId}`] : []),
  ...(query.dueFrom ? [sql`s.due >= ${query.dueFrom}::date and s.due < 'infinity'`] : []),
  ...(query.dueTo ? [sql`s.due <= ${query.dueTo}::date`] : []),
];

/** The hand-over, delivery and completion of an order: the statistics count by the same conditions. */
function historyConditions(query: ListQuery, zone: string): SqlFragment[] {
  const deliveredOn = localDayAt(zone, sql`coalesce(s.dispatched_at, s.completed_at)`);
  return [
    // The side is chosen by the source, which an index on the entries does not know.
    ...(query.list ? [sql`true`] : []),
    // The index of remakes is sorted by the last change, which is never before the hand-over.
    ...(query.sentFrom
      ? [
          sql`s.handed_over_at >= ${startOfDay(zone, query.sentFrom)}`,
          sql`s.updated_at >= ${startOfDay(zone, query.sentFrom)}`,
        ]
      : []),
    ...(query.sentTo ? [sql`s.handed_over_at < ${startOfDay(zone, query.sentTo, 1)}`] : []),
    ...(query.completedFrom ? [sql`s.completed_at >= ${startOfDay(zone, query.completedFrom)}`] : []),
    ...(query.completedTo ? [sql`s.completed_at < ${startOfDay(zone, query.completedTo, 1)}`] : []),
    ...(query.openOn ? openOnConditions(startOfDay(zone, query.openOn, 1)) : []),
    ...(query.delivered
      ? [
          sql`s.due < 'infinity'`,
          query.delivered === "late" ? sql`${deliveredOn} > s.due` : sql`${deliveredOn} <= s.due`,
        ]
      : []),
    ...(query.remake ? [sql`s.remake_of is not null`] : []),
    ...(query.remake === "unstated" ? [sql`s.remake_class is null`] : []),
    ...(query.remake && query.remake !== "any" && query.remake !== "unstated"
      ? [sql`s.remake_class = ${query.remake}`]
      : []),
  ];
}

/** An order that was dispatched and came back is open again. One that was cancelled or declined ends with its last change. */
const openOnConditions = (end: SqlFragment): SqlFragment[] => [
  sql`s.handed_over_at < ${end}`,
  sql`(s.rank = any(${unfinishedStates.map(rankOf)}::int[]) or coalesce(s.dispatched_at, s.completed_at, s.updated_at) >= ${end})`,
];

/** Both tables have these columns; use the table that is being read. */
function fixedConditions(table: SqlFragment, query: ListQuery, zone: string): SqlFragment[] {
  return [
    ...(query.caseType ? [sql`${table}.case_type = ${query.caseType}`] : []),
    ...(query.otherIid ? [sql`${table}.other_id = ${query.otherIid}`] : []),
    ...(query.createdFrom ? [sql`${table}.created_at >= ${startOfDay(zone, query.createdFrom)}`] : []),
    ...(query.createdTo ? [sql`${table}.created_at < ${startOfDay(zone, query.createdTo, 1)}`] : []),
  ];
}

/** Searches by the words of the order, or by the name or number of the institution on the other side. */
async function searchCondition(db: Db, search: string): Promise<SqlFragment> {
  if (orderNumberPrefix.test(search)) return sql`e.number like ${`${search}%`}`;
  const { grams, patterns } = searchTerms(search);
  const words = allOf([
    ...(grams.length > 0 ? [sql`e.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`e.haystack like ${pattern}`),
  ]);
  const institutions = await findInstitutionsNamed(db, search);
  return institutions.length > 0 ? sql`((${words}) or e.other_id = any(${institutions}::uuid[]))` : sql`(${words})`;
}

/**
 * Returns some orders that the list would find for a text, the latest among them, the latest first. A text
 * that many orders match is found among the latest orders, any other by the index, as with patients. So the search of
 * the whole product does not wait for an exact page of the list.
 */
export async function searchOrders(db: Db, iid: string, text: string): Promise<FoundOrder[]> {
  const matches = await searchCondition(db, text);
  const { rows } = await sql<FoundOrder>`with
    latest as materialized (
      select e.order_id, e.haystack, e.created_at from (
        select * from order_entry_mine where institution_id = ${iid}
        order by created_at desc, order_id desc limit ${sql.lit(latestOrders)}
      ) e where ${matches} limit ${sql.lit(enough)}),
    others as materialized (
      select e.order_id, e.haystack, e.created_at from order_entry_mine e
      where e.institution_id = ${iid} and ${matches} and (select count(*) from latest) < ${sql.lit(enough)}
      limit ${sql.lit(mostMatches)})
    select * from latest union select * from others order by created_at desc`.execute(db);
  return rows;
}
type FoundOrder = Row<"order_entry", "order_id" | "haystack" | "created_at">;
const latestOrders = 1000;
const enough = 12;
const mostMatches = 100;

/** Only an order number begins with a day and a dash. */
const orderNumberPrefix = /^\d{6}-\d*$/;

/** Disables sequential scans for this transaction: in a large table most rows belong to other institutions. */
async function findInstitutionsNamed(db: Db, search: string): Promise<string[]> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<{ id: Column<"institution", "id"> | null }>`
    select i.id from (select set_config('enable_seqscan', 'off', true)) how
    left join lateral (select id from institution i where (lower(name) like ${pattern} or number = ${search})
      and exists (select from order_entry_mine e where e.other_id = i.id) limit 100) i on true`.execute(db);
  return rows.flatMap(({ id }) => id ?? []);
}

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { statesOf } from "@arcada/contract/order/list.filter";
import { orderStates } from "@arcada/contract/order/order.cycle";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import type { Db } from "../platform/database/database.ts";
import { searchTerms } from "../platform/text/search-terms.ts";
import { dayBegins } from "../domain/institution-time-zone.ts";

export type ListQuery = Parsed<(typeof orderCalls)["list"]>;
export type Part = RawBuilder<unknown>;
export interface Source {
  from: Part;
  where: Part;
  id: Part;
}

/** The institution that reads a list, and the time zone in which its days begin. */
export interface House {
  iid: string;
  timeZone: string;
}

export interface Hits {
  /** The hits, up to this number. */
  upTo: (most: number) => Part;
  /** Sources that can be scanned in sort order once all hits are at hand. */
  walks: Source[];
}

/** The filter of a list of orders. */
export interface Narrowing {
  /** Filtered by state and turn alone: their number is known. */
  isPlain: boolean;
  tally: Part;
  /** Set if an index on the entries answers the whole filter; then `finds` reads these hits. */
  hits: Hits | null;
  /** Sources in which an index finds few of many rows. */
  finds: Source[];
  /** Sources that can be scanned in sort order. */
  walks: Source[];
}

/**
 * `order_sent` and `order_received` (`s`) are what moves of an order, as that side has it before it; `order_entry` (`e`)
 * what stays, with the words by which this reader may find it: a receiver never finds one by a name that is hidden.
 */
export async function narrowingOf(
  db: Db,
  { iid, timeZone }: House,
  query: ListQuery,
  sortStays: boolean,
): Promise<Narrowing> {
  const states = query.state ? [query.state] : query.states ? statesOf(query.states) : null;
  const standing = standingOf(states, query);
  const moving = [...standing, ...movingOf(query)];
  const sought = query.search ? [await soughtBy(db, query.search)] : [];
  const ofEntry = [...sought, ...stayingOf(sql`e`, query, timeZone)];
  const ofSide = [...moving, ...stayingOf(sql`s`, query, timeZone)];
  return {
    isPlain: moving.length === standing.length && ofEntry.length === 0,
    tally: sql`select coalesce(sum(n), 0)::int as n from order_tally where institution_id = ${iid}
      and ${states ? sql`state = any(${states}::text[])` : sql`true`} and ${query.turn ? sql`mine` : sql`true`}`,
    hits:
      moving.length === 0 && !sortStays
        ? {
            upTo: (most) => sql`select e.order_id from order_entry_mine e where ${all(ofEntry)} limit ${most}`,
            // Written this way so that they are looked up during an index-only scan, not joined.
            walks: sides([sql`(s.id in (select order_id from hits)) is true`], false),
          }
        : null,
    finds:
      moving.length > 0
        ? sides([...ofSide, ...sought], sortStays || sought.length > 0)
        : sortStays
          ? [entries(ofEntry)]
          : fromSides(sql`hits e`, sql`true`),
    walks: !sortStays
      ? sides([...ofSide, ...sought], sought.length > 0)
      : moving.length > 0
        ? sides([...moving, ...ofEntry], true)
        : [entries(ofEntry)],
  };
}

const all = (conditions: Part[]): Part => sql.join([sql`true`, ...conditions], sql` and `);

const entries = (conditions: Part[]): Source => ({
  from: sql`order_entry_mine e`,
  where: all(conditions),
  id: sql`e.order_id as id`,
});

const sides = (conditions: Part[], withEntry: boolean): Source[] =>
  withEntry
    ? fromSides(sql`order_entry_mine e`, all(conditions))
    : [sql`order_sent s`, sql`order_received s`].map((from) => ({
        from,
        where: all(conditions),
        id: sql`s.id`,
      }));

const fromSides = (entry: Part, where: Part): Source[] =>
  [sql`order_sent s`, sql`order_received s`].map((side) => ({
    from: sql`${side} join ${entry} on e.order_id = s.id`,
    where,
    id: sql`e.order_id as id`,
  }));

const standingOf = (states: OrderState[] | null, query: ListQuery): Part[] => [
  ...(states?.length === 1 ? [sql`s.rank = ${sql.lit(rankOf(states[0]!))}`] : []),
  ...(states && states.length !== 1 ? [sql`s.rank = any(${states.map(rankOf)}::int[])`] : []),
  ...(query.turn ? [sql`s.mine`] : []),
];

/** Same order as in the index; must agree with `order_rank` in the database. */
const rankOf = (state: OrderState): number => orderStates.length - orderStates.indexOf(state);

const movingOf = (query: ListQuery): Part[] => [
  ...(query.patientId ? [sql`s.patient_id = ${query.patientId}`] : []),
  ...(query.personId ? [sql`s.person_id = ${query.personId}`] : []),
  ...(query.dueFrom ? [sql`s.due >= ${query.dueFrom}::date and s.due < 'infinity'`] : []),
  ...(query.dueTo ? [sql`s.due <= ${query.dueTo}::date`] : []),
];

/** Both tables have these columns; use the table that is being read. */
function stayingOf(table: Part, query: ListQuery, zone: string): Part[] {
  return [
    ...(query.caseType ? [sql`${table}.case_type = ${query.caseType}`] : []),
    ...(query.otherIid ? [sql`${table}.other_id = ${query.otherIid}`] : []),
    ...(query.createdFrom ? [sql`${table}.created_at >= ${dayBegins(zone, query.createdFrom)}`] : []),
    ...(query.createdTo ? [sql`${table}.created_at < ${dayBegins(zone, query.createdTo, 1)}`] : []),
  ];
}

/** Searches by the words of the order, or by the name or number of the institution on the other side. */
async function soughtBy(db: Db, search: string): Promise<Part> {
  if (numberBegun.test(search)) return sql`e.number like ${`${search}%`}`;
  const { grams, patterns } = searchTerms(search);
  const words = all([
    ...(grams.length > 0 ? [sql`e.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`e.haystack like ${pattern}`),
  ]);
  const houses = await housesNamed(db, search);
  return houses.length > 0 ? sql`((${words}) or e.other_id = any(${houses}::uuid[]))` : sql`(${words})`;
}

/** Only an order number begins with a day and a dash. */
const numberBegun = /^\d{6}-\d*$/;

/** Disables sequential scans for this transaction: in a large table most rows belong to other institutions. */
async function housesNamed(db: Db, search: string): Promise<string[]> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<{ id: string | null }>`
    select i.id from (select set_config('enable_seqscan', 'off', true)) how
    left join lateral (select id from institution i where (lower(name) like ${pattern} or number = ${search})
      and exists (select from order_entry_mine e where e.other_id = i.id) limit 100) i on true`.execute(db);
  return rows.flatMap(({ id }) => id ?? []);
}

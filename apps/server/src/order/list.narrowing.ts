import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { statesOf } from "@arcada/contract/order/list.filter";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import type { Db } from "../kernel/db.ts";
import { searchTerms } from "../kernel/search-words.ts";

export type ListQuery = Parsed<(typeof orderCalls)["list"]>;
export type Part = RawBuilder<unknown>;

/** Which orders a list is of. */
export interface Narrowing {
  /** By state and turn alone: how many these are is known. */
  isPlain: boolean;
  tally: Part;
  source: { from: Part; where: Part; ids: Part };
}

/**
 * `order_side` is what moves of an order, as one of its sides has it before it; `order_entry` what stays, with the words
 * that this reader may find it by: a receiver never finds an order by a name that is hidden from it.
 */
export async function narrowingOf(db: Db, iid: string, query: ListQuery, sortStays: boolean): Promise<Narrowing> {
  const states = query.state ? [query.state] : query.states ? statesOf(query.states) : null;
  const standing = [
    ...(states ? [sql`s.rank = any(select order_rank(state) from unnest(${states}::text[]) as state)`] : []),
    ...(query.turn ? [sql`s.mine`] : []),
  ];
  const moving = movingOf(query);
  const staying = await stayingOf(db, query);
  return {
    isPlain: moving.length === 0 && staying.length === 0,
    tally: sql`select coalesce(sum(n), 0)::int as n from order_tally where institution_id = ${iid}
      and ${states ? sql`state = any(${states}::text[])` : sql`true`} and ${query.turn ? sql`mine` : sql`true`}`,
    source: sourceOf([...standing, ...moving], staying, sortStays),
  };
}

function sourceOf(moving: Part[], staying: Part[], sortStays: boolean): Narrowing["source"] {
  const where = sql.join([sql`true`, ...moving, ...staying], sql` and `);
  const needsEntry = sortStays || staying.length > 0;
  if (!needsEntry) return { from: sql`order_side s`, where, ids: sql`s.owner_id, s.id` };
  const ids = sql`e.owner_id, e.order_id as id`;
  return sortStays && moving.length === 0
    ? { from: sql`order_entry_mine e`, where, ids }
    : { from: sql`order_side s join order_entry_mine e on e.order_id = s.id`, where, ids };
}

const movingOf = (query: ListQuery): Part[] => [
  ...(query.patientId ? [sql`s.patient_id = ${query.patientId}`] : []),
  ...(query.personId ? [sql`s.person_id = ${query.personId}`] : []),
  ...(query.dueFrom ? [sql`s.due >= ${query.dueFrom}::date and s.due < 'infinity'`] : []),
  ...(query.dueTo ? [sql`s.due <= ${query.dueTo}::date`] : []),
];

async function stayingOf(db: Db, query: ListQuery): Promise<Part[]> {
  const midnight = (day: string, later: number): Part =>
    sql`(${day}::date + ${later}::int)::timestamp at time zone 'UTC' - make_interval(mins => ${query.zone}::int)`;
  return [
    ...(query.caseType ? [sql`e.case_type = ${query.caseType}`] : []),
    ...(query.otherIid ? [sql`e.other_id = ${query.otherIid}`] : []),
    ...(query.createdFrom ? [sql`e.created_at >= ${midnight(query.createdFrom, 0)}`] : []),
    ...(query.createdTo ? [sql`e.created_at < ${midnight(query.createdTo, 1)}`] : []),
    ...(query.search ? [await soughtBy(db, query.search)] : []),
  ];
}

/** By the words of the order, or by the name or number of the organisation on the other side. */
async function soughtBy(db: Db, search: string): Promise<Part> {
  const { grams, patterns } = searchTerms(search);
  const words = [
    ...(grams.length > 0 ? [sql`e.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`e.haystack like ${pattern}`),
  ];
  const houses = await housesNamed(db, search);
  const all = words.length > 0 ? sql`(${sql.join(words, sql` and `)})` : sql`true`;
  return houses.length > 0 ? sql`(${all} or e.other_id = any(${houses}::uuid[]))` : all;
}

async function housesNamed(db: Db, search: string): Promise<string[]> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<{
    id: string;
  }>`select id from institution i where (lower(name) like ${pattern} or number = ${search})
    and exists (select from order_entry_mine e where e.other_id = i.id) limit 100`.execute(db);
  return rows.map(({ id }) => id);
}

import { sql } from "kysely";
import { z } from "zod";
import { day, moment, whole } from "@arcada/contract/kernel/fields";
import { isStorable } from "@arcada/contract/kernel/storable";
import { listRules, orderSorts, usualSort, usualWay } from "@arcada/contract/order/list.filter";
import type { OrderSort } from "@arcada/contract/order/list.filter";
import type { Db } from "../platform/database/database.ts";
import { prepared, preparedForPageSize } from "../platform/database/prepared-statements.ts";
import { refuse } from "../platform/http/refuse.ts";
import { narrowingOf } from "./list.narrowing.ts";
import type { Hits, House, ListQuery, Narrowing, Part, Source } from "./list.narrowing.ts";
import { columns, joins } from "./order.read.ts";
import type { NamedOrder } from "./order.read.ts";

type Way = "up" | "down";
interface Page {
  list: NamedOrder[];
  total: number;
  next: string | null;
}

/**
 * Returns one page of an institution's orders, sent and received: after a cursor by keyset, after a page number by
 * counting. `total` is exact if only state and turn filter the list, and up to `totalMost` otherwise.
 */
export async function listOrders(db: Db, house: House, query: ListQuery): Promise<Page> {
  const { iid } = house;
  const sort = query.sort ?? usualSort(query);
  const way = query.way ?? usualWay[sort];
  const span = spanOf(query, sort, way);
  const narrowing = await narrowingOf(db, house, query, span.stays);
  // An index has each state in the order of the moving columns, not of the staying ones.
  const isOrdered = narrowing.isPlain && !(span.stays && (query.state || query.states || query.turn));
  const keys = isOrdered ? plainKeys(narrowing, span) : foundKeys(narrowing, span);
  // The best plan depends only on the index for the sort and one state.
  const isFixed = isOrdered && !query.states && (query.cursor !== undefined || query.page === 1);
  const isKept = isFixed && preparedForPageSize(query.pageSize) === prepared;
  const { rows, total } = await (isKept
    ? pageAtOnce(db, iid, sql`${prepared} with ${keys}`, span)
    : pageByKeys(db, iid, sql`with ${keys}`, span));
  const last = rows[query.pageSize - 1];
  const next = rows.length > query.pageSize && last ? writeCursor([sort, way, last.k, last.k2, last.id]) : null;
  return { list: rows.slice(0, query.pageSize).flatMap(({ order }) => order ?? []), total, next };
}

interface Place {
  id: string;
  k: string | number;
  k2: string | null;
}
interface Rows {
  /** Undefined for an order that was removed since its position was found. */
  rows: (Place & { order: NamedOrder | undefined })[];
  total: number;
}

/** Uses one round trip: for a prepared statement. */
async function pageAtOnce(db: Db, iid: string, keys: Part, span: Span): Promise<Rows> {
  const { rows } = await sql<NamedOrder & Place & { total: number }>`${keys}
    select page.k, page.k2, (select n from total) as total, ${columns(iid)}
    from page join orders o on o.id = page.id ${joins}
    ${span.order("page")}`.execute(db);
  const total = rows[0]?.total ?? (await placesOf(db, keys, span)).total;
  return { rows: rows.map((order) => ({ id: order.id, k: order.k, k2: order.k2, order })), total };
}

/**
 * Uses two round trips, for a query that is planned each time: the columns of a row take longer to plan than to read,
 * and are the same for every list.
 */
async function pageByKeys(db: Db, iid: string, keys: Part, span: Span): Promise<Rows> {
  const { places, total } = await placesOf(db, keys, span);
  if (places.length === 0) return { rows: [], total };
  const ids = places.map(({ id }) => id);
  const { rows } = await sql<NamedOrder>`${prepared} select ${columns(iid)}
    from orders o ${joins} where o.id = any(${ids}::uuid[])`.execute(db);
  const orders = new Map(rows.map((order) => [order.id, order]));
  return { rows: places.map((place) => ({ ...place, order: orders.get(place.id) })), total };
}

async function placesOf(db: Db, keys: Part, span: Span): Promise<{ places: Place[]; total: number }> {
  const { rows } = await sql<(Place | { id: null }) & { total: number }>`${keys}
    select page.id, page.k, page.k2, total.n as total from total left join page on true ${span.order("page")}`.execute(
    db,
  );
  return { places: rows.filter((row) => row.id !== null), total: rows[0]!.total };
}

interface Sort {
  /** Sort key, of the columns that move (`s`) or of those that stay (`e`); a second key if the first has few values. */
  key: Part;
  key2?: Part;
  id: Part;
  type: Part;
  shape: z.ZodType<string | number>;
  stays: boolean;
  /** The order in the database is reversed. */
  turned?: true;
}
const instant = moment;
const word = z.string().refine(isStorable);
const moving = { id: sql`s.id`, stays: false };
const staying = { id: sql`e.order_id`, stays: true };
const sorts: Record<OrderSort, Sort> = {
  updated: { ...moving, key: sql`s.updated_at`, type: sql`timestamptz`, shape: instant },
  due: { ...moving, key: sql`s.due`, type: sql`date`, shape: z.union([day, z.literal("infinity")]) },
  state: { ...moving, key: sql`s.rank`, key2: sql`s.updated_at`, type: sql`int`, shape: whole, turned: true },
  number: { ...staying, key: sql`e.number`, type: sql`text collate "C"`, shape: word },
  created: { ...staying, key: sql`e.created_at`, type: sql`timestamptz`, shape: instant },
  patient: { ...staying, key: sql`e.sort_name`, type: sql`text collate "C"`, shape: word },
};

/** The parts of a query that cut out a page: after the cursor, in sort order, one row more than the page has. */
interface Span {
  stays: boolean;
  keys: Part;
  after: Part;
  order: (table: "page" | "found" | "source") => Part;
  /** Condition on `found` for rows after the cursor. */
  afterFound: Part;
  limit: Part;
  /** Limit on all rows up to the end of the page. */
  reach: Part;
}

function spanOf({ cursor, page, pageSize, state }: ListQuery, sort: OrderSort, way: Way): Span {
  const { key, key2, id, type, stays, turned } = sorts[sort];
  const descends = (way === "down") !== (turned ?? false);
  const [to, beyond] = descends ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const from = cursor ? readCursor(cursor, sort, way) : null;
  const skip = from ? 0 : (page - 1) * pageSize;
  const behind = (one: Part, two: Part, last: Part) =>
    !from
      ? sql`true`
      : key2
        ? sql`(${one}, ${two}, ${last}) ${beyond} (${from.key}::${type}, ${from.key2}::timestamptz, ${from.id}::uuid)`
        : sql`(${one}, ${last}) ${beyond} (${from.key}::${type}, ${from.id}::uuid)`;
  const ordered = (one: Part, two: Part, last: Part) =>
    key2 ? sql`order by ${one} ${to}, ${two} ${to}, ${last} ${to}` : sql`order by ${one} ${to}, ${last} ${to}`;
  // Within one state the index has this order, but PostgreSQL does not see it: behind row-level security, even a policy
  // that lets everything through, it treats no column as constant.
  const isOneState = state !== undefined && sort === "updated";
  return {
    stays,
    keys: sql`${key} as k, ${key2 ?? sql`null::timestamptz`} as k2`,
    after: behind(key, key2 ?? sql`null`, id),
    afterFound: behind(sql`found.k`, sql`found.k2`, sql`found.id`),
    order: (table) =>
      table === "source"
        ? isOneState
          ? sql`order by s.rank ${to}, ${key} ${to}, ${id} ${to}`
          : ordered(key, key2 ?? sql`null`, id)
        : ordered(sql.ref(`${table}.k`), sql.ref(`${table}.k2`), sql.ref(`${table}.id`)),
    limit: sql`limit ${sql.lit(pageSize + 1)} offset ${sql.lit(skip)}`,
    reach: sql`limit ${sql.lit(skip + pageSize + 1)}`,
  };
}

/** Filter by state and turn alone: an index has the orders sorted, and they are already counted. */
const plainKeys = ({ walks, tally }: Narrowing, span: Span): Part => sql`
  page as materialized (select * from (${walked(walks, span, sql`true`)}) page ${span.order("page")} ${span.limit}),
  total as (${tally})`;

/**
 * Few matches are sorted. Many matches are found soon enough by an ordered scan. By columns that stay, more rows are
 * sorted: their keys are available without a lookup, and matches of a name are close together in the order of names.
 */
function foundKeys({ hits, finds, walks, isPlain, tally }: Narrowing, span: Span): Part {
  if (hits) return hitKeys(hits, finds, walks, span);
  const few = span.stays ? sortedMost.atHand : sortedMost.lookedUp;
  const isFew = sql`(select n from size) <= ${few}`;
  const found = sql`found as materialized (
    select * from (${each(
      finds,
      ({ id, from, where }) =>
        sql`select ${id}, ${span.keys} from ${from} where ${isPlain ? isFew : sql`true`} and ${where} limit ${few + 1}`,
    )}) found limit ${few + 1})`;
  const sized = isPlain
    ? sql`size as materialized (${tally}), ${found}`
    : sql`${found}, size as materialized (select count(*)::int as n from found)`;
  const many = walked(walks, span, sql`(select n from size) > ${few}`);
  return sql`${sized}, ${foundPage(span, isFew, many)},
    total as (select ${isPlain ? sql`n` : sql`least(n, ${listRules.totalMost})`} as n from size)`;
}

/**
 * Between few and many, the hits are kept and only the index is scanned: of a million orders the scan passes thousands
 * in the time in which a hundred are looked up.
 */
function hitKeys(hits: Hits, finds: Source[], walks: Source[], span: Span): Part {
  const n = sql`(select n from size)`;
  const [few, known] = [sortedMost.lookedUp, sortedMost.hit];
  const isFew = sql`${n} <= ${few}`;
  const some = walked(hits.walks, span, sql`${n} > ${few} and ${n} <= ${known}`);
  const many = walked(walks, span, sql`${n} > ${known}`);
  return sql`hits as materialized (${hits.upTo(known + 1)}),
    size as materialized (select count(*)::int as n from hits),
    found as materialized (${each(finds, ({ id, from, where }) => sql`select ${id}, ${span.keys} from ${from} where ${isFew} and ${where}`)}),
    ${foundPage(span, isFew, sql`${some} union all ${many}`)},
    total as (select least(n, ${listRules.totalMost}) as n from size)`;
}

const foundPage = (span: Span, isFew: Part, walks: Part): Part => sql`page as materialized (
    select * from (
      select * from found where ${isFew} and ${span.afterFound}
      union all
      ${walks}
    ) page ${span.order("page")} ${span.limit})`;

const sortedMost = { atHand: 50_000, hit: 15_000, lookedUp: listRules.totalMost } as const;

/** An ordered scan from the cursor to the end of the page. */
const walked = (sources: Source[], span: Span, when: Part): Part =>
  each(
    sources,
    ({ id, from, where }) =>
      sql`select ${id}, ${span.keys} from ${from} where ${when} and ${where} and ${span.after} ${span.order("source")} ${span.reach}`,
  );

const each = (sources: Source[], one: (source: Source) => Part): Part =>
  sql.join(
    sources.map((source) => sql`(${one(source)})`),
    sql` union all `,
  );

const cursorShape = z.tuple([z.enum(orderSorts), z.enum(["up", "down"]), z.unknown(), z.string().nullable(), z.uuid()]);

const writeCursor = (place: z.output<typeof cursorShape>): string =>
  Buffer.from(JSON.stringify(place)).toString("base64url");

function readCursor(
  text: string,
  sort: OrderSort,
  way: Way,
): { key: string | number; key2: string | null; id: string } {
  const unknown = () => refuse("badInput", { cursor: "cursorUnknown" });
  const read = cursorShape.safeParse(parsed(Buffer.from(text, "base64url").toString()));
  if (!read.success) return unknown();
  const [ofSort, ofWay, given, key2, id] = read.data;
  const key = sorts[sort].shape.safeParse(given);
  const second = sorts[sort].key2 ? instant.safeParse(key2).success : key2 === null;
  return ofSort === sort && ofWay === way && key.success && second ? { key: key.data, key2, id } : unknown();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

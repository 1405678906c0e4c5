import { sql } from "kysely";
import { listRules } from "@arcada/contract/order/order-list.filter";
import type { Db } from "../../platform/database/database.ts";
import { prepared, preparedForPageSize } from "../../platform/database/prepared-statements.ts";
import { buildListFilter } from "./list-filter.ts";
import type { OrderHits, ListReader, ListQuery, ListFilter, SqlFragment, OrderListSource } from "./list-filter.ts";
import { buildPageWindow, findSorting, writeCursor } from "./page-window.ts";
import type { PageWindow } from "./page-window.ts";
import { orderColumns, orderJoins, readOrders } from "../core/order.read.ts";
import type { NamedOrder } from "../core/order.read.ts";

interface Page {
  list: NamedOrder[];
  total: number;
  next: string | null;
}

/**
 * Returns one page of an institution's orders, sent and received: after a cursor by keyset, after a page number by
 * counting. `total` is exact if only state and turn filter the list, and up to `maxTotalCount` otherwise.
 */
export async function listOrders(db: Db, reader: ListReader, query: ListQuery): Promise<Page> {
  const { iid } = reader;
  const { keys, pageWindow, isPrepared } = await buildPageQuery(db, reader, query);
  const found = await (isPrepared
    ? readPageDirectly(db, iid, sql`${prepared} with ${keys}`, pageWindow)
    : readPageByKeys(db, iid, sql`with ${keys}`, pageWindow));
  return toPage(query, found);
}

/**
 * Returns the first pages of several lists. Their rows are read by one statement: it takes longer to plan than to
 * execute.
 */
export async function listFirstPages(db: Db, reader: ListReader, queries: readonly ListQuery[]): Promise<Page[]> {
  const pages = await Promise.all(
    queries.map(async (query) => {
      const { keys, pageWindow } = await buildPageQuery(db, reader, query);
      return readPositions(db, sql`with ${keys}`, pageWindow);
    }),
  );
  const ids = new Set(pages.flatMap(({ positions }) => positions.map(({ id }) => id)));
  const orders = await readOrdersById(db, reader.iid, [...ids]);
  return pages.map(({ positions, total }, place) =>
    toPage(queries[place]!, {
      rows: positions.map((position) => ({ ...position, order: orders.get(position.id) })),
      total,
    }),
  );
}

async function buildPageQuery(db: Db, reader: ListReader, query: ListQuery) {
  const [sort, direction] = findSorting(query);
  const pageWindow = buildPageWindow(query, sort, direction);
  const filter = await buildListFilter(db, reader, query, pageWindow.isFixed);
  // An index has each state in the order of the moving columns, not of the staying ones.
  const isOrdered = filter.isPlain && !(pageWindow.isFixed && (query.state || query.states || query.turn));
  // The best plan depends only on the index for the sort and one state.
  const isFixed = isOrdered && !query.states && (query.cursor !== undefined || query.page === 1);
  return {
    keys: isOrdered ? indexedKeys(filter, pageWindow) : matchedKeys(filter, pageWindow),
    pageWindow,
    isPrepared: isFixed && preparedForPageSize(query.pageSize) === prepared,
  };
}

function toPage(query: ListQuery, { rows, total }: Rows): Page {
  const last = rows[query.pageSize - 1];
  const next =
    rows.length > query.pageSize && last ? writeCursor([...findSorting(query), last.k, last.k2, last.id]) : null;
  return { list: rows.slice(0, query.pageSize).flatMap(({ order }) => order ?? []), total, next };
}

interface RowPosition {
  id: string;
  k: string | number;
  k2: string | null;
}
interface Rows {
  /** Undefined for an order that was removed since its position was found. */
  rows: (RowPosition & { order: NamedOrder | undefined })[];
  total: number;
}

/** Uses one round trip: for a prepared statement. */
async function readPageDirectly(db: Db, iid: string, keys: SqlFragment, pageWindow: PageWindow): Promise<Rows> {
  const { rows } = await sql<NamedOrder & RowPosition & { total: number }>`${keys}
    select page.k, page.k2, (select n from total) as total, ${orderColumns(iid)}
    from page join orders o on o.id = page.id ${orderJoins}
    ${pageWindow.order("page")}`.execute(db);
  const total = rows[0]?.total ?? (await readPositions(db, keys, pageWindow)).total;
  return { rows: rows.map((order) => ({ id: order.id, k: order.k, k2: order.k2, order })), total };
}

/**
 * Uses two round trips, for a query that is planned each time: the columns of a row take longer to plan than to read,
 * and are the same for every list.
 */
async function readPageByKeys(db: Db, iid: string, keys: SqlFragment, pageWindow: PageWindow): Promise<Rows> {
  const { positions, total } = await readPositions(db, keys, pageWindow);
  if (positions.length === 0) return { rows: [], total };
  const orders = await readOrdersById(
    db,
    iid,
    positions.map(({ id }) => id),
  );
  return { rows: positions.map((position) => ({ ...position, order: orders.get(position.id) })), total };
}

async function readOrdersById(db: Db, iid: string, ids: string[]): Promise<Map<string, NamedOrder>> {
  const rows = ids.length > 0 ? await readOrders(db, iid, ids) : [];
  return new Map(rows.map((order) => [order.id, order]));
}

async function readPositions(
  db: Db,
  keys: SqlFragment,
  pageWindow: PageWindow,
): Promise<{ positions: RowPosition[]; total: number }> {
  const { rows } = await sql<(RowPosition | { id: null }) & { total: number }>`${keys}
    select page.id, page.k, page.k2, total.n as total from total left join page on true ${pageWindow.order("page")}`.execute(
    db,
  );
  return { positions: rows.filter((row) => row.id !== null), total: rows[0]!.total };
}

/** Filter by state and turn alone: an index has the orders sorted, and they are already counted. */
const indexedKeys = ({ orderedScans, count }: ListFilter, pageWindow: PageWindow): SqlFragment => sql`
  page as materialized (select * from (${orderedScan(orderedScans, pageWindow, sql`true`)}) page ${pageWindow.order("page")} ${pageWindow.limit}),
  total as (${count})`;

/**
 * Few matches are sorted. Many matches are found soon enough by an ordered scan. By columns that stay, more rows are
 * sorted: their keys are available without a lookup, and matches of a name are close together in the order of names.
 */
function matchedKeys({ hits, lookups, orderedScans, isPlain, count }: ListFilter, pageWindow: PageWindow): SqlFragment {
  if (hits) return hitKeys(hits, lookups, orderedScans, pageWindow);
  const few = pageWindow.isFixed ? sortLimits.atHand : sortLimits.lookedUp;
  const isFew = sql`(select n from size) <= ${few}`;
  const found = sql`found as materialized (
    select * from (${unionAll(
      lookups,
      ({ id, from, where }) =>
        sql`select ${id}, ${pageWindow.keys} from ${from} where ${isPlain ? isFew : sql`true`} and ${where} limit ${few + 1}`,
    )}) found limit ${few + 1})`;
  const sized = isPlain
    ? sql`size as materialized (${count}), ${found}`
    : sql`${found}, size as materialized (select count(*)::int as n from found)`;
  const many = orderedScan(orderedScans, pageWindow, sql`(select n from size) > ${few}`);
  return sql`${sized}, ${foundPage(pageWindow, isFew, many)},
    total as (select ${isPlain ? sql`n` : sql`least(n, ${listRules.maxTotalCount})`} as n from size)`;
}

/**
 * Between few and many, the hits are kept and only the index is scanned: of a million orders the scan passes thousands
 * in the time in which a hundred are looked up.
 */
function hitKeys(
  hits: OrderHits,
  lookups: OrderListSource[],
  orderedScans: OrderListSource[],
  pageWindow: PageWindow,
): SqlFragment {
  const n = sql`(select n from size)`;
  const [few, known] = [sortLimits.lookedUp, sortLimits.hit];
  const isFew = sql`${n} <= ${few}`;
  const some = orderedScan(hits.orderedScans, pageWindow, sql`${n} > ${few} and ${n} <= ${known}`);
  const many = orderedScan(orderedScans, pageWindow, sql`${n} > ${known}`);
  return sql`hits as materialized (${hits.upTo(known + 1)}),
    size as materialized (select count(*)::int as n from hits),
    found as materialized (${unionAll(lookups, ({ id, from, where }) => sql`select ${id}, ${pageWindow.keys} from ${from} where ${isFew} and ${where}`)}),
    ${foundPage(pageWindow, isFew, sql`${some} union all ${many}`)},
    total as (select least(n, ${listRules.maxTotalCount}) as n from size)`;
}

const foundPage = (
  pageWindow: PageWindow,
  isFew: SqlFragment,
  orderedScans: SqlFragment,
): SqlFragment => sql`page as materialized (
    select * from (
      select * from found where ${isFew} and ${pageWindow.afterFound}
      union all
      ${orderedScans}
    ) page ${pageWindow.order("page")} ${pageWindow.limit})`;

const sortLimits = { atHand: 50_000, hit: 15_000, lookedUp: listRules.maxTotalCount } as const;

/** An ordered scan from the cursor to the end of the page. */
const orderedScan = (sources: OrderListSource[], pageWindow: PageWindow, when: SqlFragment): SqlFragment =>
  unionAll(
    sources,
    ({ id, from, where }) =>
      sql`select ${id}, ${pageWindow.keys} from ${from} where ${when} and ${where} and ${pageWindow.after} ${pageWindow.order("source")} ${pageWindow.scanLimit}`,
  );

const unionAll = (sources: OrderListSource[], one: (source: OrderListSource) => SqlFragment): SqlFragment =>
  sql.join(
    sources.map((source) => sql`(${one(source)})`),
    sql` union all `,
  );

import { sql } from "kysely";
import { z } from "zod";
import { day, timestampInput, int32 } from "@arcada/contract/kernel/fields";
import { isStorable } from "@arcada/contract/kernel/storable-text";
import { orderSorts, defaultSort, defaultDirection } from "@arcada/contract/order/order-list.filter";
import type { OrderSort } from "@arcada/contract/order/order-list.filter";
import { refuse } from "../../platform/http/refuse.ts";
import { isTaskInDueOrder } from "./list-filter.ts";
import type { ListQuery, SqlFragment } from "./list-filter.ts";

type Direction = "up" | "down";

export function findSorting(query: ListQuery): [OrderSort, Direction] {
  const sort = query.sort ?? defaultSort(query);
  return [sort, query.way ?? defaultDirection[sort]];
}

interface Sort {
  /** Sort key, of the columns that move (`s`) or of those that stay (`e`); a second key if the first has few values. */
  key: SqlFragment;
  key2?: SqlFragment;
  id: SqlFragment;
  type: SqlFragment;
  shape: z.ZodType<string | number>;
  isFixed: boolean;
  /** The order in the database is reversed. */
  isReversed?: true;
}
const instant = timestampInput;
const word = z.string().refine(isStorable);
const changingColumn = { id: sql`s.id`, isFixed: false };
const fixedColumn = { id: sql`e.order_id`, isFixed: true };
const sorts: Record<OrderSort, Sort> = {
  updated: { ...changingColumn, key: sql`s.updated_at`, type: sql`timestamptz`, shape: instant },
  due: { ...changingColumn, key: sql`s.due`, type: sql`date`, shape: z.union([day, z.literal("infinity")]) },
  state: {
    ...changingColumn,
    key: sql`s.rank`,
    key2: sql`s.updated_at`,
    type: sql`int`,
    shape: int32,
    isReversed: true,
  },
  number: { ...fixedColumn, key: sql`e.number`, type: sql`text collate "C"`, shape: word },
  created: { ...fixedColumn, key: sql`e.created_at`, type: sql`timestamptz`, shape: instant },
  patient: { ...fixedColumn, key: sql`e.sort_name`, type: sql`text collate "C"`, shape: word },
};

/** The parts of a query that cut out a page: after the cursor, in sort order, one row more than the page has. */
export interface PageWindow {
  isFixed: boolean;
  keys: SqlFragment;
  after: SqlFragment;
  order: (table: "page" | "found" | "source") => SqlFragment;
  /** Condition on `found` for rows after the cursor. */
  afterFound: SqlFragment;
  limit: SqlFragment;
  /** Limit on all rows up to the end of the page. */
  scanLimit: SqlFragment;
}

export function buildPageWindow(query: ListQuery, sort: OrderSort, direction: Direction): PageWindow {
  const { cursor, page, pageSize, state } = query;
  const { key, key2, id, type, isFixed, isReversed } = sorts[sort];
  const isDescending = (direction === "down") !== (isReversed ?? false);
  const [to, comparison] = isDescending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const from = cursor ? readCursor(cursor, sort, direction) : null;
  const skip = from ? 0 : (page - 1) * pageSize;
  const afterCursor = (one: SqlFragment, two: SqlFragment, last: SqlFragment) =>
    !from
      ? sql`true`
      : key2
        ? sql`(${one}, ${two}, ${last}) ${comparison} (${from.key}::${type}, ${from.key2}::timestamptz, ${from.id}::uuid)`
        : sql`(${one}, ${last}) ${comparison} (${from.key}::${type}, ${from.id}::uuid)`;
  const orderBy = (one: SqlFragment, two: SqlFragment, last: SqlFragment) =>
    key2 ? sql`order by ${one} ${to}, ${two} ${to}, ${last} ${to}` : sql`order by ${one} ${to}, ${last} ${to}`;
  // Within one state or task the index has this order, but PostgreSQL does not see it: behind row-level security, even a policy
  // that lets everything through, it treats no column as constant.
  const leading =
    state !== undefined && sort === "updated"
      ? sql`s.rank ${to},`
      : sort === "due" && isTaskInDueOrder(query)
        ? sql`s.rank ${to}, s.turn ${to},`
        : null;
  return {
    isFixed,
    keys: sql`${key} as k, ${key2 ?? sql`null::timestamptz`} as k2`,
    after: afterCursor(key, key2 ?? sql`null`, id),
    afterFound: afterCursor(sql`found.k`, sql`found.k2`, sql`found.id`),
    order: (table) =>
      table === "source"
        ? leading
          ? sql`order by ${leading} ${key} ${to}, ${id} ${to}`
          : orderBy(key, key2 ?? sql`null`, id)
        : orderBy(sql.ref(`${table}.k`), sql.ref(`${table}.k2`), sql.ref(`${table}.id`)),
    limit: sql`limit ${sql.lit(pageSize + 1)} offset ${sql.lit(skip)}`,
    scanLimit: sql`limit ${sql.lit(skip + pageSize + 1)}`,
  };
}

const cursorShape = z.tuple([z.enum(orderSorts), z.enum(["up", "down"]), z.unknown(), z.string().nullable(), z.uuid()]);

export const writeCursor = (position: z.output<typeof cursorShape>): string =>
  Buffer.from(JSON.stringify(position)).toString("base64url");

function readCursor(
  text: string,
  sort: OrderSort,
  direction: Direction,
): { key: string | number; key2: string | null; id: string } {
  const unknown = () => refuse("badInput", { cursor: "cursorUnknown" });
  const read = cursorShape.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (!read.success) return unknown();
  const [cursorSort, cursorDirection, given, key2, id] = read.data;
  const key = sorts[sort].shape.safeParse(given);
  const second = sorts[sort].key2 ? instant.safeParse(key2).success : key2 === null;
  return cursorSort === sort && cursorDirection === direction && key.success && second
    ? { key: key.data, key2, id }
    : unknown();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

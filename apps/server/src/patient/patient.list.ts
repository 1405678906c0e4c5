import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import { patientRules, patientSorts, type PatientRow, type patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { Db } from "../kernel/db.ts";
import { refuse } from "../kernel/refuse.ts";
import { rowOf, type RowColumns } from "./patient.ts";
import { searchTerms } from "./patient.search.ts";

type Query = Parsed<(typeof patientCalls)["list"]>;
interface Page {
  list: PatientRow[];
  total: number;
  next: string | null;
}

/**
 * One page of the organisation's patients, in one statement: the page by keyset, the counts for its rows alone.
 * `total` is exact without a filter and up to `totalMost` with one; later pages carry it in their cursor.
 */
export async function listPatients(db: Db, iid: string, query: Query, today: string): Promise<Page> {
  const cursor = query.cursor ? readCursor(query.cursor, query.sort) : null;
  const filters = filtersOf(query);
  const { rows } = await pageQuery(iid, query, filters, cursor).execute(db);
  const page = rows.slice(0, query.pageSize);
  const total = cursor?.total ?? rows[0]?.total ?? 0;
  const last = page.at(-1);
  const next = rows.length > query.pageSize && last ? writeCursor({ sort: query.sort, key: keyOf(last, query.sort), id: last.id, total }) : null;
  return { list: page.map((row) => rowOf(row, today)), total, next };
}

type ListRow = RowColumns & { sort_name: string; total: number };

const orders: Record<Query["sort"], { column: RawBuilder<unknown>; type: RawBuilder<unknown>; way: RawBuilder<unknown>; beyond: RawBuilder<unknown> }> = {
  recentVisitAt: { column: sql`recent_visit_at`, type: sql`timestamptz`, way: sql`desc`, beyond: sql`<` },
  createdAt: { column: sql`created_at`, type: sql`timestamptz`, way: sql`desc`, beyond: sql`<` },
  name: { column: sql`sort_name`, type: sql`text`, way: sql`asc`, beyond: sql`>` },
};

// A patient may be in the bin while drafts still name it, so drafts count as orders too.
const counts = (iid: string) => sql`
  (select count(*)::int from study where study.institution_id = ${iid} and study.patient_id = page.id and study.deleted_at is null) as studies,
  (select count(*)::int from orders where orders.institution_id = ${iid} and orders.patient_id = page.id) as orders`;

function pageQuery(iid: string, { sort, pageSize }: Query, filters: RawBuilder<unknown>[], cursor: Cursor | null) {
  const { column, type, way, beyond } = orders[sort];
  const where = filters.length > 0 ? sql`and ${sql.join(filters, sql` and `)}` : sql``;
  const after = cursor ? sql`and (${column}, id) ${beyond} (${cursor.key}::${type}, ${cursor.id}::uuid)` : sql``;
  return sql<ListRow>`
    select page.*, ${counts(iid)}, ${cursor ? sql`0` : totalOf(iid, filters, where)} as total
    from (
      select id, number, name, sex, birth_date, age_given, age_given_on, phone, entry_number, created_at, recent_visit_at, sort_name
      from patient_living where institution_id = ${iid} ${where} ${after}
      order by ${column} ${way}, id ${way} limit ${pageSize + 1}
    ) page order by ${column} ${way}, id ${way}`;
}

const totalOf = (iid: string, filters: RawBuilder<unknown>[], where: RawBuilder<unknown>) =>
  filters.length === 0
    ? sql`(select living from patient_counter where institution_id = ${iid})`
    : sql`(select count(*)::int from (select 1 from patient_living where institution_id = ${iid} ${where} limit ${patientRules.totalMost}) found)`;

function filtersOf({ search, sex }: Query): RawBuilder<unknown>[] {
  const { grams, patterns } = searchTerms(search ?? "");
  return [
    ...(sex ? [sql`sex = ${sex}`] : []),
    ...(grams.length > 0 ? [sql`grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`haystack like ${pattern}`),
  ];
}

const cursorShape = z.tuple([z.enum(patientSorts), z.string(), z.uuid(), z.int()]);
interface Cursor {
  sort: Query["sort"];
  key: string;
  id: string;
  total: number;
}

const keyOf = (row: ListRow, sort: Query["sort"]): string =>
  sort === "name" ? row.sort_name : sort === "createdAt" ? row.created_at : row.recent_visit_at;

const writeCursor = ({ sort, key, id, total }: Cursor): string => Buffer.from(JSON.stringify([sort, key, id, total])).toString("base64url");

function readCursor(text: string, sort: Query["sort"]): Cursor {
  const read = cursorShape.safeParse(parsed(Buffer.from(text, "base64url").toString()));
  if (!read.success) return refuse("badInput", { cursor: "cursorUnknown" });
  const [of, key, id, total] = read.data;
  const fits = of === sort && (sort === "name" || z.iso.datetime().safeParse(key).success) && !key.includes("\0");
  return fits ? { sort, key, id, total } : refuse("badInput", { cursor: "cursorUnknown" });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Orders that still run for a patient. */
export const openOrders = (db: Db, iid: string, patientId: string): Promise<boolean> =>
  sql<{ open: boolean }>`select exists (select from orders where institution_id = ${iid} and patient_id = ${patientId}
    and state <> all(${[...orderCycle.terminal]}::text[])) as open`
    .execute(db)
    .then(({ rows }) => rows[0]!.open);

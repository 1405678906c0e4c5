import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import { patientRules, patientSorts, defaultDirection } from "@arcada/contract/patient/patient.calls";
import type { PatientRow, patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { day, timestampInput } from "@arcada/contract/kernel/fields";
import { isStorable } from "@arcada/contract/kernel/storable-text";
import type { Db } from "../platform/database/database.ts";
import { preparedForPageSize } from "../platform/database/prepared-statements.ts";
import { refuse } from "../platform/http/refuse.ts";
import { listedColumns, toPatientRow, type RowColumns } from "./patient-column-mapping.ts";
import { hasRelatedRows, buildConditions, buildSorting } from "./patient.filters.ts";
import type { PatientScope, PatientConditions, SqlPart, RelatedRows } from "./patient.filters.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import { selectValue } from "../platform/database/select-value.ts";

type Query = Parsed<(typeof patientCalls)["list"]>;
interface Page {
  list: PatientRow[];
  total: number;
  next: string | null;
}

/**
 * One page of the institution's patients in a single statement: the page by keyset, the counts only for its rows.
 * `total` is exact without a filter and up to `maxTotalCount` with one.
 */
export function buildListQueries(scope: PatientScope, query: Query): RawBuilder<unknown>[] {
  const { iid } = scope;
  const filters = buildConditions(scope, query);
  const isWhole = Object.values(filters).every((parts) => parts.length === 0);
  if (isWhole) return [unfilteredPage(iid, query.pageSize, toKeysetRange(query))];
  // The planner assumes a rotating disk: it would rather read a million patients than a few thousand by an index.
  return [sql`set local random_page_cost = 1.1`, filteredPage(iid, toKeysetRange(query), filters)];
}

export function toPatientsPage(rows: ListRow[], query: Query, today: string): Page {
  const page = rows.slice(0, query.pageSize);
  const last = page.at(-1);
  const next = rows.length > query.pageSize && last ? writeCursor(query, last) : null;
  // A list that ends on its first page is counted by it.
  const total = query.cursor === undefined && next === null ? page.length : (rows[0]?.total ?? 0);
  return { list: page.map((row) => toPatientRow(row, today)), total, next };
}

type ListRow = RowColumns & { sort_name: string; recent_visit_at: string; born: string; total: number };
/** The parts of a query that cut out a page: after the cursor, in sort order, one row more than the page has. */
interface KeysetRange {
  after: SqlPart;
  cut: SqlPart;
  /** The page before it found more matches than are counted: they need not be counted again. */
  isAmongMany: boolean;
}

function toKeysetRange(query: Query): KeysetRange {
  const { column, type, way, beyond } = buildSorting(query);
  const from = query.cursor ? readCursor(query.cursor, query) : null;
  return {
    after: from ? sql`(${column}, id) ${beyond} (${from.key}::${type}, ${from.id}::uuid)` : sql`true`,
    cut: sql`order by ${column} ${way}, id ${way} limit ${sql.lit(query.pageSize + 1)}`,
    isAmongMany: from?.isAmongMany ?? false,
  };
}

const ownColumns = ["id", "number", "created_at", "recent_visit_at", "last_visit_at", "sort_name", "born"] as const;
const columns = sql.join([...ownColumns, ...listedColumns].map((column) => sql.ref(column)));

const counts = (iid: string) => sql`
  (select count(*)::int from study_living s where s.institution_id = ${iid} and s.patient_id = page.id) as studies,
  (select count(*)::int from orders o where o.institution_id = ${iid} and o.patient_id = page.id) as orders`;

const unfilteredPage = (
  iid: string,
  pageSize: number,
  { after, cut }: KeysetRange,
) => sql<ListRow>`${preparedForPageSize(pageSize)}
  select page.*, ${counts(iid)}, (select living from patient_counter where institution_id = ${iid}) as total
  from (select ${columns} from patient_living where institution_id = ${iid} and ${after} ${cut}) page ${cut}`;

// An ordered scan of all patients to find three takes long, and their number is not known in advance. So the indexes
// are used first: few matches are sorted, and only many matches are found soon enough by an ordered scan.
function filteredPage(iid: string, { after, cut, isAmongMany }: KeysetRange, narrowing: PatientConditions) {
  const all = allConditions(iid, narrowing);
  if (isAmongMany)
    return sql<ListRow>`select page.*, ${counts(iid)}, ${maxTotal}::int as total
      from (select ${columns} from patient_living p where ${all} and ${after} ${cut}) page ${cut}`;
  return sql<ListRow>`with ${matchesQuery(iid, narrowing)}
  select page.*, ${counts(iid)}, (select least(n, ${maxTotal}) from size) as total
  from (
    select * from found where (select n from size) <= ${maxTotal} and ${after}
    union all
    (select ${columns} from patient_living p where (select n from size) > ${maxTotal} and ${all} and ${after} ${cut})
  ) page ${cut}`;
}
const maxTotal = patientRules.maxTotalCount;

/** `found`: the matches where they are not too many, and `size`: how many, or one more than the most. */
function matchesQuery(iid: string, narrowing: PatientConditions): SqlPart {
  const { words, fields, relatedRows } = narrowing;
  if (words.length > 0 && fields.length + relatedRows.length > 0) return matchWordsFirst(iid, narrowing);
  const first = relatedRows.find(({ wanted: input }) => input === "yes");
  if (first && words.length + fields.length === 0) return matchRelatedRowFirst(iid, first, relatedRows);
  return sql`
  found as materialized (select ${columns} from patient_living p where ${allConditions(iid, narrowing)} limit ${maxTotal + 1}),
  size as materialized (select count(*)::int as n from found)`;
}

// The typed words match fewer people than a CBCT or a report does, but the planner by itself begins with either. The
// hits are read up to the first match too many and no further, which the planner must not know. They are kept as ids:
// the records of those that match are read again, one by one.
const matchWordsFirst = (iid: string, { words, fields, relatedRows }: PatientConditions) => sql`
  hits as materialized (select p.id from patient_living p where ${allConditions(iid, { words, fields, relatedRows: [] })} limit ${maxHits + 1}),
  found as materialized (
    select p.* from (select id from hits where ${both(sql`true`, ...relatedRowConditions(relatedRows, sql`hits.id`))} offset 0) hit
    cross join lateral (select ${columns} from patient_living p where p.institution_id = ${iid} and p.id = hit.id offset 0) p),
  begun as materialized (select count(*)::int as n from (select from found limit ${maxTotal + 1}) matches),
  size as materialized (
    select case when n <= ${maxTotal} and (select count(*) from hits) <= ${maxHits} then n else ${maxTotal + 1} end as n from begun)`;

// The patients who have a CBCT are known without their records. These are looked up one by one until there are enough;
// the planner alone would scan all records as well.
const matchRelatedRowFirst = (iid: string, first: RelatedRows, relatedRows: RelatedRows[]) => sql`
  found as materialized (
    select p.* from (
      select id from (select distinct t.patient_id as id from ${first.rows}) owner
      where ${both(sql`true`, ...relatedRowConditions(relatedRows, sql`owner.id`, first))} offset 0
    ) owner
    cross join lateral (select ${columns} from patient_living p where p.institution_id = ${iid} and p.id = owner.id offset 0) p
    limit ${maxTotal + 1}),
  size as materialized (select count(*)::int as n from found)`;

const allConditions = (iid: string, { words, fields, relatedRows }: PatientConditions): SqlPart =>
  both(sql`p.institution_id = ${iid}`, ...words, ...fields, ...relatedRowConditions(relatedRows, sql`p.id`));
const relatedRowConditions = (relatedRows: RelatedRows[], patientId: SqlPart, but?: RelatedRows): SqlPart[] =>
  relatedRows.filter((one) => one !== but).map((one) => hasRelatedRows(one, patientId));
const both = (...conditions: SqlPart[]): SqlPart => sql.join(conditions, sql` and `);

/** Words and fields that more patients match than this are looked for by walking in order. */
const maxHits = 40_000;

const sortDirections = ["up", "down"] as const;
const cursorShape = z.tuple([z.enum(patientSorts), z.enum(sortDirections), z.string(), z.uuid(), z.boolean()]);

function writeCursor({ sort, way = defaultDirection[sort] }: Query, row: ListRow): string {
  const key = { name: row.sort_name, ...pickColumns(row, "created_at", "recent_visit_at"), age: row.born }[sort];
  return Buffer.from(JSON.stringify([sort, way, key, row.id, row.total >= maxTotal])).toString("base64url");
}

interface ListCursor {
  key: string;
  id: string;
  isAmongMany: boolean;
}
function readCursor(text: string, { sort, way = defaultDirection[sort] }: Query): ListCursor {
  const read = cursorShape.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (!read.success) return refuse("badInput", { cursor: "cursorUnknown" });
  const [of, going, key, id, isAmongMany] = read.data;
  const fits = of === sort && going === way && keys[sort].safeParse(key).success && isStorable(key);
  return fits ? { key, id, isAmongMany } : refuse("badInput", { cursor: "cursorUnknown" });
}

const keys: Record<Query["sort"], z.ZodType> = {
  name: z.string(),
  age: day,
  createdAt: timestampInput,
  recentVisitAt: timestampInput,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Orders that still run for a patient. */
export const hasOpenOrders = (db: Db, iid: string, patientId: string): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from orders where institution_id = ${iid} and patient_id = ${patientId}
      and state <> all(${[...orderLifecycle.terminal]}::text[]))`,
  );

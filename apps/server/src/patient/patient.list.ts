import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import { patientRules, patientSorts, usualWay } from "@arcada/contract/patient/patient.calls";
import type { PatientRow, patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { day, moment } from "@arcada/contract/kernel/fields";
import { isStorable } from "@arcada/contract/kernel/storable";
import type { Db } from "../platform/database/database.ts";
import { preparedForPageSize } from "../platform/database/prepared-statements.ts";
import { refuse } from "../platform/http/refuse.ts";
import { rowOf, type RowColumns } from "./patient.ts";
import { havingIt, narrowing, sorting } from "./patient.narrowing.ts";
import type { House, Narrowing, Part, Thing } from "./patient.narrowing.ts";

type Query = Parsed<(typeof patientCalls)["list"]>;
interface Page {
  list: PatientRow[];
  total: number;
  next: string | null;
}

/**
 * One page of the institution's patients in a single statement: the page by keyset, the counts only for its rows.
 * `total` is exact without a filter and up to `totalMost` with one.
 */
export function patientsAsked(house: House, query: Query): RawBuilder<unknown>[] {
  const { iid } = house;
  const filters = narrowing(house, query);
  const isWhole = Object.values(filters).every((parts) => parts.length === 0);
  if (isWhole) return [wholePage(iid, query.pageSize, spanOf(query))];
  // The planner assumes a rotating disk: it would rather read a million patients than a few thousand by an index.
  return [sql`set local random_page_cost = 1.1`, foundPage(iid, spanOf(query), filters)];
}

export function patientsPage(rows: ListRow[], query: Query, today: string): Page {
  const page = rows.slice(0, query.pageSize);
  const last = page.at(-1);
  const next = rows.length > query.pageSize && last ? writeCursor(query, last) : null;
  // A list that ends on its first page is counted by it.
  const total = query.cursor === undefined && next === null ? page.length : (rows[0]?.total ?? 0);
  return { list: page.map((row) => rowOf(row, today)), total, next };
}

type ListRow = RowColumns & { sort_name: string; recent_visit_at: string; born: string; total: number };
/** The parts of a query that cut out a page: after the cursor, in sort order, one row more than the page has. */
interface Span {
  after: Part;
  cut: Part;
  /** The page before it found more matches than are counted: they need not be counted again. */
  isAmongMany: boolean;
}

function spanOf(query: Query): Span {
  const { column, type, way, beyond } = sorting(query);
  const from = query.cursor ? readCursor(query.cursor, query) : null;
  return {
    after: from ? sql`(${column}, id) ${beyond} (${from.key}::${type}, ${from.id}::uuid)` : sql`true`,
    cut: sql`order by ${column} ${way}, id ${way} limit ${sql.lit(query.pageSize + 1)}`,
    isAmongMany: from?.isAmongMany ?? false,
  };
}

const columns = sql`id, number, name, sex, birth_date, age_given, age_given_on, phone, entry_number, created_at, recent_visit_at, last_visit_at, sort_name, born`;

const counts = (iid: string) => sql`
  (select count(*)::int from study_living s where s.institution_id = ${iid} and s.patient_id = page.id) as studies,
  (select count(*)::int from orders o where o.institution_id = ${iid} and o.patient_id = page.id) as orders`;

const wholePage = (iid: string, pageSize: number, { after, cut }: Span) => sql<ListRow>`${preparedForPageSize(pageSize)}
  select page.*, ${counts(iid)}, (select living from patient_counter where institution_id = ${iid}) as total
  from (select ${columns} from patient_living where institution_id = ${iid} and ${after} ${cut}) page ${cut}`;

// An ordered scan of all patients to find three takes long, and their number is not known in advance. So the indexes
// are used first: few matches are sorted, and only many matches are found soon enough by an ordered scan.
function foundPage(iid: string, { after, cut, isAmongMany }: Span, narrowing: Narrowing) {
  const all = allOf(iid, narrowing);
  if (isAmongMany)
    return sql<ListRow>`select page.*, ${counts(iid)}, ${most}::int as total
      from (select ${columns} from patient_living p where ${all} and ${after} ${cut}) page ${cut}`;
  return sql<ListRow>`with ${found(iid, narrowing)}
  select page.*, ${counts(iid)}, (select least(n, ${most}) from size) as total
  from (
    select * from found where (select n from size) <= ${most} and ${after}
    union all
    (select ${columns} from patient_living p where (select n from size) > ${most} and ${all} and ${after} ${cut})
  ) page ${cut}`;
}
const most = patientRules.totalMost;

/** `found`: the matches where they are not too many, and `size`: how many, or one more than the most. */
function found(iid: string, narrowing: Narrowing): Part {
  const { words, fields, things } = narrowing;
  if (words.length > 0 && fields.length + things.length > 0) return wordsFirst(iid, narrowing);
  const first = things.find(({ wish }) => wish === "yes");
  if (first && words.length + fields.length === 0) return thingFirst(iid, first, things);
  return sql`
  found as materialized (select ${columns} from patient_living p where ${allOf(iid, narrowing)} limit ${most + 1}),
  size as materialized (select count(*)::int as n from found)`;
}

// The typed words match fewer people than a CBCT or a report does, but the planner by itself begins with either. The
// hits are read up to the first match too many and no further, which the planner must not know.
const wordsFirst = (iid: string, { words, fields, things }: Narrowing) => sql`
  hits as materialized (select ${columns} from patient_living p where ${allOf(iid, { words, fields, things: [] })} limit ${hitsMost + 1}),
  found as materialized (select * from hits p where ${both(sql`true`, ...having(things, sql`p.id`))}),
  begun as materialized (select count(*)::int as n from (select from found limit ${most + 1}) matches),
  size as materialized (
    select case when n <= ${most} and (select count(*) from hits) <= ${hitsMost} then n else ${most + 1} end as n from begun)`;

// The patients who have a CBCT are known without their records. These are looked up one by one until there are enough;
// the planner by itself would scan all records beside that.
const thingFirst = (iid: string, first: Thing, things: Thing[]) => sql`
  found as materialized (
    select p.* from (
      select id from (select distinct t.patient_id as id from ${first.rows}) owner
      where ${both(sql`true`, ...having(things, sql`owner.id`, first))} offset 0
    ) owner
    cross join lateral (select ${columns} from patient_living p where p.institution_id = ${iid} and p.id = owner.id offset 0) p
    limit ${most + 1}),
  size as materialized (select count(*)::int as n from found)`;

const allOf = (iid: string, { words, fields, things }: Narrowing): Part =>
  both(sql`p.institution_id = ${iid}`, ...words, ...fields, ...having(things, sql`p.id`));
const having = (things: Thing[], patientId: Part, but?: Thing): Part[] =>
  things.filter((thing) => thing !== but).map((thing) => havingIt(thing, patientId));
const both = (...conditions: Part[]): Part => sql.join(conditions, sql` and `);

/** Words and fields that more patients match than this are looked for by walking in order. */
const hitsMost = 40_000;

const ways = ["up", "down"] as const;
const cursorShape = z.tuple([z.enum(patientSorts), z.enum(ways), z.string(), z.uuid(), z.boolean()]);

function writeCursor({ sort, way = usualWay[sort] }: Query, row: ListRow): string {
  const key = { name: row.sort_name, createdAt: row.created_at, recentVisitAt: row.recent_visit_at, age: row.born }[
    sort
  ];
  return Buffer.from(JSON.stringify([sort, way, key, row.id, row.total >= most])).toString("base64url");
}

interface Place {
  key: string;
  id: string;
  isAmongMany: boolean;
}
function readCursor(text: string, { sort, way = usualWay[sort] }: Query): Place {
  const read = cursorShape.safeParse(parsed(Buffer.from(text, "base64url").toString()));
  if (!read.success) return refuse("badInput", { cursor: "cursorUnknown" });
  const [of, going, key, id, isAmongMany] = read.data;
  const fits = of === sort && going === way && keys[sort].safeParse(key).success && isStorable(key);
  return fits ? { key, id, isAmongMany } : refuse("badInput", { cursor: "cursorUnknown" });
}

const keys: Record<Query["sort"], z.ZodType> = {
  name: z.string(),
  age: day,
  createdAt: moment,
  recentVisitAt: moment,
};

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

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import type { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { ChainVerdict } from "../platform/audit/audit-verify.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { startOfDay } from "../domain/institution-time-zone.ts";

export type AuditFilter = Omit<Parsed<typeof operatorCalls.audit>, "cursor" | "pageSize">;
/** The position at which a page ended; the id distinguishes lines of the same instant. */
export interface AuditCursor {
  micros: string;
  id: string;
}
export interface AuditLine extends AuditCursor {
  at: string;
  institution_id: string | null;
  house: string | null;
  user_id: string | null;
  person: string | null;
  action: string;
  step: string | null;
  subject: string | null;
  address: string | null;
}
type SqlPart = RawBuilder<unknown>;

/** Returns lines of all institutions, newest first; call it with the tenant scope bypassed. */
export async function listAuditLines(
  db: Db,
  filter: AuditFilter,
  { after, most }: { after: AuditCursor | null; most: number },
): Promise<AuditLine[]> {
  const { rows } = await sql<AuditLine>`with ${matchingLines(filter, after, most)}
    select line.id::text, line.at, line.institution_id, i.name as house, line.user_id, nullif(u.nick_name, '') as person, line.action,
      line.detail ->> 'action' as step, line.subject, line.address, (extract(epoch from line.at) * 1000000)::bigint::text as micros
    from (select * from found order by at desc, id desc limit ${most}) line
    left join institution i on i.id = line.institution_id left join users u on u.id = line.user_id
    order by line.at desc, line.id desc`.execute(db);
  return rows;
}

/**
 * Each index of the audit log begins with the institution, or with the action. If the filter has neither, the known
 * institutions (or the actions of a group) are looked up one after the other, and each contributes its newest lines.
 */
function matchingLines(filter: AuditFilter, after: AuditCursor | null, most: number): SqlPart {
  const { organisation, person, action, subject } = filter;
  const conditions = [...filterConditions(filter), ...afterCursor(after)];
  const newest = (more: SqlPart) =>
    sql`(select * from audit a where ${sql.join([more, ...conditions], sql` and `)} order by at desc, id desc limit ${most})`;
  const byAction = action ? [sql`split_part(action, '.', 1) = ${action.split(".")[0]!}`] : [];
  const withoutInstitution = sql`a.institution_id is null`;
  if (organisation) {
    const whose = organisation === "none" ? withoutInstitution : sql`a.institution_id = ${organisation}`;
    return sql`found as ${newest(sql.join([whose, ...byAction], sql` and `))}`;
  }
  if (person || subject)
    return sql`recursive ${distinctValues("house", "institution_id")},
      found as (select line.* from house, lateral ${newest(sql`a.institution_id = house.one`)} line where house.one is not null
        union all ${newest(withoutInstitution)})`;
  if (action && !action.includes("."))
    return sql`recursive ${distinctValues("deed", "action")},
      found as (select line.* from deed, lateral ${newest(sql`a.action = deed.one`)} line
        where split_part(deed.one, '.', 1) = ${action})`;
  return sql`found as ${newest(sql`true`)}`;
}

const distinctValues = (name: string, column: string): SqlPart => {
  const next = (more: SqlPart) =>
    sql`(select ${sql.ref(column)} from audit where ${sql.ref(column)} is not null ${more} order by ${sql.ref(column)} limit 1)`;
  return sql`${sql.table(name)} (one) as (
    select * from ${next(sql``)} first union all
    select ${next(sql`and ${sql.ref(column)} > ${sql.ref(`${name}.one`)}`)} from ${sql.table(name)} where ${sql.ref(`${name}.one`)} is not null)`;
};

function filterConditions({ person, action, subject, from, to, zone, timeZone }: AuditFilter): SqlPart[] {
  const begins = (day: string, later: number) =>
    timeZone === undefined
      ? sql`${startOfDay(utcZone, day, later)} - make_interval(mins => ${zone}::int)`
      : startOfDay(timeZone, day, later);
  return [
    ...(person ? [sql`a.user_id = ${person}`] : []),
    ...(subject ? [sql`a.subject = ${subject}`] : []),
    ...(action?.includes(".") ? [sql`a.action = ${action}`] : []),
    ...(action && !action.includes(".") && (person || subject) ? [sql`split_part(a.action, '.', 1) = ${action}`] : []),
    ...(from ? [sql`a.at >= ${begins(from, 0)}`] : []),
    ...(to ? [sql`a.at < ${begins(to, 1)}`] : []),
  ];
}

const afterCursor = (after: AuditCursor | null): SqlPart[] =>
  after
    ? [
        sql`(a.at, a.id) < (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::bigint)`,
      ]
    : [];

/** Finds people by their names or contact data. */
export async function searchPeople(db: Db, search: string, most: number) {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const contacts = sql<
    string | null
  >`(select string_agg(value, ' · ' order by kind) from contact c where c.user_id = u.id)`;
  return db
    .selectFrom("users as u")
    .select(["u.id", "u.nick_name as name", contacts.as("contact")])
    .where(
      sql<boolean>`(lower(u.nick_name) like ${pattern}
        or exists (select from contact c where c.user_id = u.id and lower(c.value) like ${pattern}))`,
    )
    .orderBy("u.nick_name")
    .orderBy("u.id")
    .limit(most)
    .execute();
}

const maxChecksKept = 20;

export const listAuditChecks = (db: Db) =>
  db.selectFrom("audit_check").selectAll().orderBy("started_at", "desc").limit(5).execute();

/** Begins a check. An earlier check that has not finished was interrupted and is removed. */
export async function beginCheck(db: Db): Promise<string> {
  const id = newId();
  await sql`delete from audit_check where finished_at is null or id in (
    select id from audit_check order by started_at desc offset ${maxChecksKept})`.execute(db);
  await db.insertInto("audit_check").values({ id, finished_at: null, rows: null, broken: null, fault: null }).execute();
  return id;
}

export const endCheck = (
  db: Db,
  id: string,
  { rows, broken, fault }: Pick<ChainVerdict, "rows" | "broken" | "fault">,
) =>
  db
    .updateTable("audit_check")
    .set({ rows, broken, fault, finished_at: sql<string>`now()` })
    .where("id", "=", id)
    .execute();

const maxCounted = 10_001;
/** The rows that nobody has sealed yet. Counting them all could take long where nothing was sealed for days. */
export async function findUnsealed(db: Db): Promise<{ rows: number; age: number }> {
  const unsealed = db.selectFrom("audit").where("seq", "is", null);
  const counted = await db
    .selectFrom(unsealed.select("id").limit(maxCounted).as("some"))
    .select(sql<number>`count(*)::int`.as("rows"))
    .executeTakeFirstOrThrow();
  const oldest = await unsealed
    .select(sql<number>`greatest(0, extract(epoch from now() - at))::float`.as("age"))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return { rows: counted.rows, age: oldest?.age ?? 0 };
}

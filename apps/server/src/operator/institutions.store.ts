import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { Db } from "../platform/database/database.ts";
import type { NameCursor } from "../platform/http/list-cursor.ts";
import { refuse } from "../platform/http/refuse.ts";
import { isPeriodActive } from "../platform/upload/storage-quota.ts";
import { freeQuota } from "../platform/runtime/services.ts";
import { selectValue } from "../platform/database/select-value.ts";

type Filter = Omit<Parsed<typeof operatorCalls.organisations>, "cursor" | "pageSize">;
export interface InstitutionRow {
  id: string;
  name: string;
  sort_name: string;
  number: string;
  type: "clinic" | "lab";
  country: string;
  created_at: string;
  members: number;
  used: number;
  allowed: number;
  last_active: string | null;
}

// Bypasses the tenant scope: of an institution's data only sizes and the last day of use are shown.

/** Returns institutions by name, after a position in that order. */
export async function listInstitutions(
  db: Db,
  filter: Filter,
  { after, most }: { after: NameCursor | null; most: number },
): Promise<InstitutionRow[]> {
  const { rows } = await sql<InstitutionRow>`with page as materialized (
      select i.id, i.name, ${sortName} as sort_name, i.number, i.type, i.country, i.created_at from institution i
      where ${matchesFilter(filter)} and ${after ? sql`(${sortName}, i.id) > (${after.name}, ${after.id}::uuid)` : sql`true`}
      order by ${sortName}, i.id limit ${most})
    select i.*, ${sizeColumns()} from page i order by i.sort_name, i.id`.execute(db);
  return rows;
}

export async function requireInstitution(db: Db, id: string): Promise<InstitutionRow & InstitutionDetails> {
  const { rows } = await sql<
    InstitutionRow & InstitutionDetails
  >`select i.id, i.name, ${sortName} as sort_name, i.number, i.type, i.country,
      i.created_at, i.address, i.contact_person, i.contact_way, ${sizeColumns()},
      (select count(*)::int from relation r where i.id in (r.institution_id, r.target_id) and r.state = 'established') as relations,
      (select count(*)::int from device d where d.institution_id = i.id) as devices,
      exists (select from engine_pack_permission e where e.institution_id = i.id) as engine_packs,
      (select c.id from clinic c where c.institution_id = i.id) as clinic_id
    from institution i where i.id = ${id} and not i.stub`.execute(db);
  return rows[0] ?? refuse("notFound");
}
interface InstitutionDetails {
  address: string | null;
  contact_person: string | null;
  contact_way: string | null;
  relations: number;
  devices: number;
  clinic_id: string | null;
  engine_packs: boolean;
}

export const countRoles = (db: Db, id: string): Promise<{ authorityId: number; count: number }[]> =>
  db
    .selectFrom("membership")
    .select(["authority_id as authorityId", sql<number>`count(*)::int`.as("count")])
    .where("institution_id", "=", id)
    .where("state", "=", "normal")
    .groupBy("authority_id")
    .orderBy("authority_id")
    .execute();

export const countInstitutions = (db: Db, filter: Filter): Promise<number> =>
  selectValue(db, sql<number>`(select count(*)::int from institution i where ${matchesFilter(filter)})`);

export async function listCountries(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("institution").select("country").distinct().where("stub", "=", false).execute();
  return rows.map(({ country }) => country).toSorted();
}

const sizeColumns = () => sql`
  (select count(*)::int from membership m where m.institution_id = i.id and m.state = 'normal') as members,
  (select coalesce(sum(t.bytes), 0)::bigint from storage_tally t where t.institution_id = i.id and t.kind = 'originals') as used,
  (coalesce((select q.gigabytes::bigint * 1073741824 from institution_quota q where q.institution_id = i.id),
    ${freeQuota().gigabytes}::bigint * 1073741824) + (select coalesce(sum(p.gigabytes), 0)::bigint * 1073741824 from capacity_period p
    where p.institution_id = i.id and ${isPeriodActive})) as allowed,
  (select max(a.at) from audit a where a.institution_id = i.id) as last_active`;

const sortName = sql`lower(i.name) collate "C"`;

function matchesFilter({ search, type, country }: Filter) {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const conditions = [
    sql`not i.stub`,
    ...(search ? [sql`(lower(i.name) like ${pattern} or i.number like ${pattern})`] : []),
    ...(type ? [sql`i.type = ${type}`] : []),
    ...(country ? [sql`i.country = ${country}`] : []),
  ];
  return sql.join(conditions, sql` and `);
}

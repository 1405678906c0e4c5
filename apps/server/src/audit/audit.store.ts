import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { auditCalls } from "@arcada/contract/audit/audit.calls";
import type { Db } from "../platform/database/database.ts";
import { startOfDay } from "../domain/institution-time-zone.ts";
import type { Column, Row } from "../tables/row.ts";

export type AuditFilter = Omit<Parsed<typeof auditCalls.list>, "cursor" | "pageSize"> & { zone: string };
/**
 * The position at which a page ended; the origin (imported or not) and the id distinguish lines of the same instant.
 */
export interface AuditCursor {
  micros: string;
  imported: boolean;
  id: string;
}
export interface AuditRow extends AuditCursor {
  at: string;
  user_id: string | null;
  user_name: string | null;
  action: string;
  step: string | null;
  subject: string | null;
  patient_id: string | null;
  order_number: string | null;
  address: string | null;
}

/**
 * Returns lines of the institution's audit log, newest first, including those imported from earlier instances. Bypasses
 * the tenant scope, which would keep the conditions from the indexes: each query names the institution.
 */
export async function listAuditRows(
  db: Db,
  iid: string,
  filter: AuditFilter,
  page: { after: AuditCursor | null; most: number },
): Promise<AuditRow[]> {
  const subjects = filter.patient ? await listPatientRecordIds(db, iid, filter.patient) : null;
  const part = (name: "audit" | "imported_audit") => {
    const imported = name === "imported_audit";
    return sql`(select id, at, user_id, action, subject, detail, address, ${sql.lit(imported)} as imported from ${sql.table(name)}
      where ${sql.join([sql`institution_id = ${iid}`, ...filterConditions(filter, subjects), ...afterCursor(page.after, imported)], sql` and `)}
      order by at desc, id desc limit ${page.most})`;
  };
  const { rows } =
    await sql<AuditRow>`select line.id::text, line.imported, line.at, line.user_id, line.action, line.subject, line.address,
      (extract(epoch from line.at) * 1000000)::bigint::text as micros, line.detail ->> 'action' as step,
      nullif(u.nick_name, '') as user_name, o.number as order_number,
      coalesce(case when line.action = 'study.list' or split_part(line.action, '.', 1) in ('patient', 'visit', 'consent') then key.id end,
        case when line.detail ->> 'patient' ~ ${uuidPattern} then (line.detail ->> 'patient')::uuid end,
        s.patient_id, case when o.institution_id = ${iid} then o.patient_id end) as patient_id
    from (select * from (${part("audit")} union all ${part("imported_audit")}) both_trails
      order by at desc, imported, id desc limit ${page.most}) line
    cross join lateral (select case when line.subject ~ ${uuidPattern} then line.subject::uuid end as id) key
    left join users u on u.id = line.user_id
    left join study s on line.action like 'study.%' and s.institution_id = ${iid} and s.id = key.id
    left join orders o on line.action like 'order.%' and o.id = key.id and ${iid} in (o.institution_id, o.receiver_id)
    order by line.at desc, line.imported, line.id desc`.execute(db);
  return rows;
}

const uuidPattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

function filterConditions(
  { user, group, from, to, zone }: AuditFilter,
  subjects: string[] | null,
): RawBuilder<unknown>[] {
  return [
    ...(user ? [sql`user_id = ${user}`] : []),
    ...(group ? [sql`split_part(action, '.', 1) = ${group}`] : []),
    ...(from ? [sql`at >= ${startOfDay(zone, from)}`] : []),
    ...(to ? [sql`at < ${startOfDay(zone, to, 1)}`] : []),
    ...(subjects ? [sql`subject = any(${subjects}::text[])`] : []),
  ];
}

/** Condition for the lines after a given line: older, or of the same instant and sorted after it. */
function afterCursor(after: AuditCursor | null, imported: boolean): RawBuilder<unknown>[] {
  if (!after) return [];
  const at = sql`timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond'`;
  if (imported === after.imported) return [sql`(at, id) < (${at}, ${after.id}::bigint)`];
  return [after.imported ? sql`at < ${at}` : sql`at <= ${at}`];
}

export interface AccessRow extends AuditCursor {
  at: string;
  user_name: string | null;
  house: string | null;
  action: string;
  step: string | null;
  order_id: string | null;
  order_number: string | null;
  share: string | null;
}

/**
 * Returns lines about one patient, newest first: of the institution's own audit log, and what labs did with orders of
 * the patient. Of people in other institutions, only the institution is named.
 */
export async function listPatientAccesses(
  db: Db,
  iid: string,
  patient: string,
  { after, most }: { after: AuditCursor | null; most: number },
): Promise<AccessRow[]> {
  const subjects = await listPatientRecordIds(db, iid, patient);
  const part = (name: "audit" | "imported_audit", whose: RawBuilder<unknown>) => {
    const imported = name === "imported_audit";
    return sql`(select id, institution_id, at, user_id, action, subject, detail, ${sql.lit(imported)} as imported
      from ${sql.table(name)} where ${sql.join([whose, sql`subject = any(${subjects}::text[])`, sql`action <> 'patient.looks'`, ...afterCursor(after, imported)], sql` and `)}
      order by at desc, id desc limit ${most})`;
  };
  const own = sql`institution_id = ${iid}`;
  const labs = sql`institution_id in (select receiver_id from orders
    where institution_id = ${iid} and patient_id = ${patient} and handed_over_at is not null)`;
  const { rows } = await sql<AccessRow>`select line.id::text, line.imported, line.at, line.action,
      (extract(epoch from line.at) * 1000000)::bigint::text as micros, line.detail ->> 'action' as step,
      case when line.institution_id = ${iid} then nullif(u.nick_name, '') end as user_name,
      case when line.institution_id <> ${iid} then i.name end as house,
      o.id as order_id, o.number as order_number, h.label as share
    from (select * from (${part("audit", own)} union all ${part("imported_audit", own)} union all ${part("audit", labs)}) all_trails
      order by at desc, imported, id desc limit ${most}) line
    join institution i on i.id = line.institution_id
    left join users u on u.id = line.user_id
    left join orders o on line.action like 'order.%' and o.institution_id = ${iid}
      and o.id = case when line.subject ~ ${uuidPattern} then line.subject::uuid end
    left join share h on h.institution_id = ${iid}
      and h.id = case when line.detail ->> 'share' ~ ${uuidPattern} then (line.detail ->> 'share')::uuid end
    order by line.at desc, line.imported, line.id desc`.execute(db);
  return rows;
}

/** Returns the ids of a patient and of all of the patient's records, as the audit log names them. */
async function listPatientRecordIds(db: Db, iid: string, patient: string): Promise<string[]> {
  const { rows } = await sql<Row<"patient", "id">>`select ${patient}::uuid as id
    union all select id from study where institution_id = ${iid} and patient_id = ${patient}
    union all select id from orders where institution_id = ${iid} and patient_id = ${patient}
    union all select id from ingest_job where institution_id = ${iid} and patient_id = ${patient}
    union all select a.id from analysis a join study s on s.institution_id = a.institution_id and s.id = a.study_id
      where s.institution_id = ${iid} and s.patient_id = ${patient}
    union all select id from ceph_tracing where institution_id = ${iid} and patient_id = ${patient}
    union all select id from report where institution_id = ${iid} and patient_id = ${patient}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function listAuditPeople(db: Db, iid: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<
    Row<"users", "id"> & { name: Column<"users", "nick_name"> }
  >`select u.id, u.nick_name as name from users u
    where u.id in (select user_id from membership where institution_id = ${iid}
      union select distinct user_id from imported_audit where institution_id = ${iid}) and u.nick_name <> ''
    order by u.nick_name, u.id`.execute(db);
  return rows;
}

export const patientExists = async (db: Db, iid: string, id: string): Promise<boolean> =>
  (await sql`select from patient where institution_id = ${iid} and id = ${id} and deleted_at is null`.execute(db)).rows
    .length > 0;

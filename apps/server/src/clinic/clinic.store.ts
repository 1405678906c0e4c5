import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderType } from "@arcada/contract/workorder/workorder.rules";
import type { Principal } from "../platform/http/request-context.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { NameCursor } from "../platform/http/list-cursor.ts";
import { refuse } from "../platform/http/refuse.ts";
import { searchTerms } from "../platform/text/search-terms.ts";
import type { ClinicJoinTable, ClinicTable } from "../tables/schema.generated.ts";
import type { ClinicWords } from "../tables/clinic-columns.ts";
import type { Row } from "../tables/row.ts";
import { selectValue } from "../platform/database/select-value.ts";

export type ClinicColumns = Selectable<ClinicTable>;
export interface ClinicRow extends ClinicColumns {
  /** True if the caller sees all of the clinic, not only its name and place. */
  is_open: boolean;
  members: number;
  devices: number;
  open_work: number;
}
export interface ClinicFilter {
  search: string;
  country?: string | undefined;
  province?: string | undefined;
  city?: string | undefined;
  has?: "openWork" | "devices" | "noAccount" | undefined;
}
type ClinicReader = Pick<Principal, "uid" | "role">;

/**
 * Returns the clinics after a cursor in the order of their names. Members are counted outside the tenant scope: only
 * their number is shown.
 */
export const listClinics = (
  db: Db,
  reader: ClinicReader,
  filter: ClinicFilter,
  { after, most }: { after: NameCursor | null; most: number },
): Promise<ClinicRow[]> =>
  queryClinics(
    db,
    reader,
    sql`${matchesFilter(reader, filter)} and ${after ? sql`(c.sort_name, c.id) > (${after.name}, ${after.id}::uuid)` : sql`true`}`,
    sql`order by c.sort_name, c.id limit ${most}`,
  );

export const findClinic = async (db: Db, reader: ClinicReader, id: string): Promise<ClinicRow> =>
  (await queryClinics(db, reader, sql`c.id = ${id}`, sql``))[0] ?? refuse("notFound");

const queryClinics = (
  db: Db,
  reader: ClinicReader,
  where: RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): Promise<ClinicRow[]> =>
  bypassTenantScope(
    db,
    async () =>
      (
        await sql<ClinicRow>`select c.*, ${isOpenTo(reader)} as is_open,
          (select count(*)::int from membership m where m.institution_id = c.institution_id and m.state = 'normal') as members,
          (select count(*)::int from device d where d.clinic_id = c.id) as devices,
          (select count(*)::int from work_order w where w.clinic_id = c.id and ${isOpenWork} and ${isAssignedTo(reader)}) as open_work
        from clinic c where ${where} ${rest}`.execute(db)
      ).rows,
  );

export const countClinics = (db: Db, reader: ClinicReader, filter: ClinicFilter): Promise<number> =>
  selectValue(db, sql<number>`(select count(*)::int from clinic c where ${matchesFilter(reader, filter)})`);

/** Members of after-sales look after the clinics to which they were sent. */
const isServiceMember = ({ role }: ClinicReader): boolean => role === "afterSalesMember";
const isAssignedTo = (reader: ClinicReader) =>
  isServiceMember(reader) ? sql`${reader.uid} in (w.assignee_id, w.alternate_id)` : sql`true`;
const isOpenTo = (reader: ClinicReader) =>
  isServiceMember(reader)
    ? sql`exists (select from work_order w where w.clinic_id = c.id and ${isAssignedTo(reader)})`
    : sql`true`;
/** The type as calls name it. */
export const wireTypeColumn = sql`case w.type when 'move_machine' then 'moveMachine' else w.type end`;
export const isOpenWork = sql`w.state not in ('finished', 'closed')`;

const matchesFilter = (reader: ClinicReader, { search, country, province, city, has }: ClinicFilter) =>
  sql.join(
    [
      ...(search === "" ? [] : [matchesSearch(reader, search)]),
      ...(country ? [sql`c.country = ${country}`] : []),
      ...(province ? [sql`c.province = ${province}`] : []),
      ...(city ? [sql`c.city = ${city}`] : []),
      ...(has === "openWork"
        ? [
            sql`exists (select from work_order w where w.clinic_id = c.id and ${isOpenWork} and ${isAssignedTo(reader)})`,
          ]
        : []),
      ...(has === "devices" ? [sql`exists (select from device d where d.clinic_id = c.id)`] : []),
      ...(has === "noAccount" ? [sql`c.institution_id is null`] : []),
      sql`true`,
    ],
    sql` and `,
  );

/**
 * Searches by words of the name, number and place; by address and contact only for clinics whose address the caller may
 * see.
 */
function matchesSearch(reader: ClinicReader, search: string) {
  const { grams, patterns } = searchTerms(search);
  const like = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const named = sql.join(
    [sql`c.grams @> ${grams}::text[]`, ...patterns.map((one) => sql`c.haystack like ${one}`)],
    sql` and `,
  );
  return sql`(${grams.length + patterns.length > 0 ? named : sql`false`} or ${isOpenTo(reader)} and
    lower(concat_ws(' ', c.address, c.leader, c.phone, c.alternate_name, c.alternate_phone)) like ${like})`;
}

export type ClinicDevice = Row<
  "device",
  "id" | "product" | "model" | "serial_number" | "name" | "state" | "software_version"
>;
export const listDevices = async (db: Db, id: string): Promise<ClinicDevice[]> =>
  (
    await sql<ClinicDevice>`select d.id, d.product, d.model, d.serial_number, d.name, d.state, d.software_version
      from device d where d.clinic_id = ${id} order by d.product, d.serial_number`.execute(db)
  ).rows;

interface OpenWorkList {
  id: string;
  number: string;
  type: WorkorderType;
  state: WorkorderState;
  assignee: string | null;
  created_at: string;
}
export const listOpenWork = (db: Db, reader: ClinicReader, id: string): Promise<OpenWorkList[]> =>
  bypassTenantScope(
    db,
    async () =>
      (
        await sql<OpenWorkList>`select w.id, w.number, ${wireTypeColumn} as type, w.state, w.created_at,
          coalesce(nullif(u.nick_name, ''), u.user_name) as assignee
        from work_order w left join users u on u.id = w.assignee_id
        where w.clinic_id = ${id} and ${isOpenWork} and ${isAssignedTo(reader)} order by w.created_at, w.id`.execute(db)
      ).rows,
  );

/** True if devices, work orders or feedback refer to the clinic. */
export const isReferenced = (db: Db, id: string): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from device where clinic_id = ${id})
      or exists (select from work_order where ${id} in (clinic_id, to_clinic_id))
      or exists (select from software_feedback where clinic_id = ${id})`,
  );

/** Writes a clinic if its record is still as it was seen. */
export async function updateClinicRow(
  db: Db,
  { id, version }: { id: string; version: number },
  values: Partial<ClinicColumns>,
): Promise<void> {
  const done = await db
    .updateTable("clinic")
    .set({ ...values, version: version + 1 })
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  if (done.numUpdatedRows !== 1n) refuse("clinicChanged");
}

export type ClinicLink = Selectable<ClinicJoinTable>;

/** Records what is taken over from a record that ends, before it is deleted. */
export async function insertLink(
  db: Db,
  { clinic, from, before, by }: { clinic: string; from: ClinicColumns; before: Partial<ClinicWords>; by: string },
): Promise<void> {
  const { institution_id, version, haystack, grams, sort_name, ...record } = from;
  await sql`insert into clinic_join (id, clinic_id, record, before, devices, work_orders, destinations, feedback, joined_by)
    values (${newId()}, ${clinic}, ${JSON.stringify(record)}, ${JSON.stringify(before)},
      array(select id from device where clinic_id = ${from.id}), array(select id from work_order where clinic_id = ${from.id}),
      array(select id from work_order where to_clinic_id = ${from.id}),
      array(select id from software_feedback where clinic_id = ${from.id}), ${by})`.execute(db);
}

export interface LinkedClinic {
  id: string;
  name: string;
  number: string;
  by: string;
  at: string;
}
/** Returns the records that can be separated from it again, the latest first. */
export const listLinkedClinics = async (db: Db, clinic: string): Promise<LinkedClinic[]> =>
  (
    await sql<LinkedClinic>`select j.id, j.record ->> 'name' as name, j.record ->> 'number' as number, j.joined_at as at,
        coalesce(nullif(u.nick_name, ''), u.user_name, '') as by
      from clinic_join j join users u on u.id = j.joined_by
      where j.clinic_id = ${clinic} and j.parted_at is null order by j.joined_at desc, j.id`.execute(db)
  ).rows;

export const lockLink = (db: Db, id: string, clinic: string): Promise<ClinicLink | undefined> =>
  db
    .selectFrom("clinic_join")
    .selectAll()
    .where("id", "=", id)
    .where("clinic_id", "=", clinic)
    .where("parted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();

export const endLink = (db: Db, id: string, by: string) =>
  db
    .updateTable("clinic_join")
    .set({ parted_by: by, parted_at: sql<string>`now()` })
    .where("id", "=", id)
    .execute();

/**
 * Returns what came with a joined record and is still there, and what was written about its devices since. A device
 * that the institution has bound in the meantime stays with the institution: the activation code alone decides who owns
 * it.
 */
export async function listReturningRows(db: Db, join: ClinicLink) {
  const idsOf = async (rows: RawBuilder<{ id: string }>) => (await rows.execute(db)).rows.map(({ id }) => id);
  const devices = await idsOf(sql`select id from device where id = any(${join.devices}::uuid[])
    and clinic_id = ${join.clinic_id} and institution_id is null order by id for update`);
  const since = sql`or device_id = any(${devices}::uuid[]) and created_at > ${join.joined_at}`;
  return {
    devices,
    workorders: await idsOf(sql`select id from work_order where clinic_id = ${join.clinic_id}
      and (id = any(${join.work_orders}::uuid[]) ${since}) order by id for update`),
    destinations: await idsOf(sql`select id from work_order where to_clinic_id = ${join.clinic_id}
      and id = any(${join.destinations}::uuid[]) order by id for update`),
    feedback: await idsOf(sql`select id from software_feedback where clinic_id = ${join.clinic_id}
      and (id = any(${join.feedback}::uuid[]) ${since}) order by id for update`),
  };
}

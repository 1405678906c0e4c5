import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { institutionRules } from "@arcada/contract/institution/institution.calls";
import { roleNames, roles } from "@arcada/contract/kernel/roles";
import { insertOrReplaceStub } from "../institution/institution.writes.ts";
import { requestRelations } from "../relation/relation.writes.ts";
import type { Db } from "../platform/database/database.ts";
import { audit } from "../platform/audit/audit.ts";
import { newDigits } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Manifest } from "./archive-manifest.ts";
import { archiveTables, readOnlyTables } from "./archive-tables.ts";
import { institutionReferenceColumns, personReferenceColumns } from "./archive-references.ts";
import { importInstitutions, releaseStub } from "./import-other-institutions.ts";
import { importPeople } from "./import-people.ts";
import { selectValue } from "../platform/database/select-value.ts";

type SqlValue = RawBuilder<unknown>;
interface InsertOptions {
  /** Values that replace those of the archive, by column. */
  values?: Record<string, SqlValue>;
  where?: RawBuilder<boolean>;
}

/** Creates the institution from the lines in `arriving`, in the caller's transaction. */
export async function insertRows(db: Db, manifest: Manifest, by: string | null): Promise<void> {
  const iid = manifest.institution.id;
  await requireOwnRows(db, iid);
  await requireOwnRoles(db, manifest.institution.type);
  await importPeople(db);
  await importInstitution(db, manifest);
  await releaseStub(db, iid);
  await importInstitutions(db, iid);
  for (const { name } of archiveTables) {
    if (manifest.tables[name] && !(name in tablesWithOwnImport))
      await insertTable(db, manifest, name, tableInsertOptions(iid)[name]);
  }
  await requestRelationsAgain(db, iid);
  await importAuditLog(db, iid);
  await importReceivedRecords(db, iid);
  await advanceOrderNumber(db, iid);
  await audit(db, {
    institution_id: iid,
    user_id: by,
    action: "institution.import",
    subject: iid,
    detail: { exportedAt: manifest.exportedAt },
  });
}

/** Tables that are imported separately. */
const tablesWithOwnImport: Readonly<Record<string, true>> = {
  institution: true,
  audit: true,
  imported_audit: true,
  imported_row: true,
};
const tableWithTwoSides = "relation";

/** Demands that every line belongs to this institution: no archive may add, or claim, data of another one. */
async function requireOwnRows(db: Db, iid: string): Promise<void> {
  const owned = archiveTables
    .map(({ name }) => name)
    .filter((name) => !["institution", tableWithTwoSides, "relation_event"].includes(name));
  const isForeign = sql<boolean | null>`exists (
      select from arriving where source = any(${owned}::text[]) and row ->> 'institution_id' is distinct from ${iid}
    ) or exists (
      select from arriving where source = ${tableWithTwoSides} and ${iid} not in (row ->> 'institution_id', row ->> 'target_id')
    ) or exists (
      select from arriving e where e.source = 'relation_event' and not exists (
        select from arriving r where r.source = ${tableWithTwoSides} and r.row ->> 'id' = e.row ->> 'relation_id')
    ) or exists (
      select from arriving where source like 'received\_%' and source <> 'received_orders'
        and not exists (select from arriving o where o.source = 'received_orders' and o.row ->> 'id' = arriving.row ->> 'order_id')
        and source <> 'received_order_file'
    ) or (select count(*) <> 1 or bool_or(row ->> 'id' <> ${iid}) from arriving where source = 'institution')`;
  if ((await selectValue(db, isForeign)) !== false) refuse("importBroken");
}

/**
 * An archive cannot assign roles that only this instance appoints: members have the roles of their type of institution.
 */
async function requireOwnRoles(db: Db, type: Manifest["institution"]["type"]): Promise<void> {
  const own = roleNames.filter((role) => roles[role].side === type).map((role) => String(roles[role].authorityId));
  // A role that is chosen when an application is agreed to.
  const open = String(roles.newUser.authorityId);
  const isForeign = sql<boolean>`exists (select from arriving
      where source in ('membership', 'admission') and not coalesce(row ->> 'authority_id' = any(${own}::text[])
        or (source = 'admission' and row ->> 'authority_id' = ${open}), false)
    ) or exists (select from arriving where source = 'institution' and row ->> 'type' is distinct from ${type})`;
  if (await selectValue(db, isForeign)) refuse("importBroken");
}

async function importInstitution(db: Db, manifest: Manifest): Promise<void> {
  const iid = manifest.institution.id;
  const taken = await db
    .selectFrom("institution")
    .select("id")
    .where("number", "=", manifest.institution.number)
    .where("id", "<>", iid)
    .executeTakeFirst();
  // Another institution of this instance has that number, and people find each other by their numbers.
  const number = taken ? `${1 + Math.floor(Math.random() * 9)}${newDigits(institutionRules.numberDigits - 1)}` : null;
  const columns = manifest.tables["institution"]!.columns;
  const values = { ...(number !== null && { number: sql`${number}` }) };
  await insertOrReplaceStub(
    db,
    columns,
    sql`select ${columnExpressions("institution", columns, iid, values)} from ${lineRows("institution")}`,
  );
}

const lineRows = (name: string) =>
  sql`arriving a cross join lateral jsonb_populate_record(null::${sql.table(name)}, a.row) r where a.source = ${name}`;
const columnList = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** Replaces ids of people and partners by their ids here. */
function columnExpressions(table: string, columns: readonly string[], iid: string, values: Record<string, SqlValue>) {
  return sql.join(
    columns.map((column): SqlValue => {
      const plain = sql`r.${sql.ref(column)}`;
      if (values[column]) return values[column];
      if (
        column === "institution_id" &&
        !institutionReferenceColumns(table).includes(column) &&
        table !== "relation_event"
      )
        return sql`${iid}::uuid`;
      if (personReferenceColumns(table).includes(column))
        return sql`coalesce((select p.to_id from arriving_person p where p.from_id = ${plain}), ${plain})`;
      if (institutionReferenceColumns(table).includes(column) || column === "institution_id")
        return sql`case when ${plain} = ${iid} then ${plain} else (select h.to_id from arriving_house h where h.from_id = ${plain}) end`;
      return plain;
    }),
  );
}

async function insertTable(
  db: Db,
  manifest: Manifest,
  name: string,
  { values = {}, where }: InsertOptions = {},
): Promise<void> {
  const { columns } = manifest.tables[name]!;
  await sql`insert into ${sql.table(name)} (${columnList(columns)}) overriding system value
    select ${columnExpressions(name, columns, manifest.institution.id, values)} from ${lineRows(name)} ${where ? sql`and ${where}` : sql``}
    order by a.place`.execute(db);
}

/** A partner that is active here (`living`) must confirm in an archive of its own that the order is theirs too. */
const importedPartner = (column: string) =>
  sql`(select h from arriving_house h where h.from_id = r.${sql.ref(column)})`;

/**
 * Special treatment by table. A row that refers to another institution that is active here is not believed without that
 * institution's consent.
 */
const tableInsertOptions = (iid: string): Record<string, InsertOptions> => ({
  relation: {
    where: sql`not exists (select from relation known where known.id = r.id)
      and not coalesce((${importedPartner("institution_id")}).living or (${importedPartner("target_id")}).living, false)`,
  },
  relation_event: {
    where: sql`exists (select from relation known where known.id = r.relation_id and ${iid} in (known.institution_id, known.target_id))
      and not exists (select from relation_event known where known.id = r.id)`,
  },
  relation_invitation: {
    values: {
      relation_id: sql`(select known.id from relation known where known.id = r.relation_id and ${iid} in (known.institution_id, known.target_id))`,
    },
  },
  orders: {
    values: {
      number: sql`case when exists (select from orders known where known.number = r.number)
        then r.number || '-' || (select number from institution where id = ${iid}) else r.number end`,
      receiver_id: sql`case when exists (select from imported_row known where known.institution_id = r.receiver_id
          and known.source = 'received_orders' and known.row ->> 'id' = r.id::text and known.row ->> 'institution_id' = ${iid})
        then r.receiver_id else (select h.to_id from arriving_house h where h.from_id = r.receiver_id) end`,
    },
  },
  tooth_chart: {
    // Findings contain the ids of their authors.
    values: {
      content: sql`people_renamed(r.content, coalesce((select jsonb_object_agg(from_id, to_id) from arriving_person where from_id <> to_id), '{}'))`,
    },
  },
  notice: {
    // A notice links to a page of this instance or to nothing.
    // An archive sends no emails.
    values: {
      link: sql`case when r.link ~ '^/[^/\\\\[:space:][:cntrl:]]' then r.link end`,
      mail_due: sql`false`,
    },
  },
  order_message: {
    values: {
      // An unknown id could be the one of a foreign account here, whose name the order would show.
      mentions: sql`array(select p.to_id from unnest(r.mentions) called (id)
        join arriving_person p on p.from_id = called.id)`,
    },
  },
  order_file: {
    // The bytes came with the archive and belong to its owner: no row may open a file of another institution that is
    // active here.
    values: {
      owner_id: sql`case when r.owner_id = ${iid} or (${importedPartner("owner_id")}).living then ${iid}::uuid
        else (select h.to_id from arriving_house h where h.from_id = r.owner_id) end`,
    },
  },
});

/** Requests relationships with institutions that are active here again: they must accept themselves. */
const requestRelationsAgain = (db: Db, iid: string) =>
  requestRelations(
    db,
    sql`select r.id, ${iid}::uuid as institution_id, h.from_id as target_id,
        coalesce((select p.to_id from arriving_person p where p.from_id = r.requested_by), i.created_by) as requested_by
      from arriving a cross join lateral jsonb_populate_record(null::relation, a.row) r
      join institution i on i.id = ${iid}
      join arriving_house h on h.living and h.from_id in (r.institution_id, r.target_id)
      where a.source = 'relation' and r.state = 'established'`,
  );

/** Keeps the imported audit log as it was, separate from this instance's own log, which stays an unbroken chain. */
const importAuditLog = (db: Db, iid: string) =>
  sql`insert into imported_audit (institution_id, id, user_id, action, subject, detail, address, request_id, at, seq, hash)
    select ${iid}::uuid, r.id + case when a.source = 'audit' then (select coalesce(max((e.row ->> 'id')::bigint), 0) from arriving e where e.source = 'imported_audit') else 0 end,
      coalesce((select p.to_id from arriving_person p where p.from_id = r.user_id), r.user_id), r.action, r.subject, coalesce(r.detail, '{}'), r.address, r.request_id, r.at, r.seq, r.hash
    from arriving a cross join lateral jsonb_populate_record(null::imported_audit, a.row) r
    where a.source in ('audit', 'imported_audit')`.execute(db);

/** Keeps the records that belong to other institutions, for reading. */
const importReceivedRecords = async (db: Db, iid: string) => {
  const sources = readOnlyTables.map(({ name }) => name);
  await sql`insert into imported_row (institution_id, source, place, row)
    select ${iid}::uuid, source, row_number() over (partition by source order by earlier desc, place), row from (
      select source, place, row, false as earlier from arriving where source = any(${sources}::text[])
      union all select row ->> 'source', place, row -> 'row', true from arriving where source = 'imported_row'
        and row ->> 'source' = any(${sources}::text[])) kept`.execute(db);
};

/** New orders are numbered after the imported ones; a sequence that is already further is not changed. */
const advanceOrderNumber = (db: Db, iid: string) =>
  sql`select setval('order_number', came.last) from (
    select max(substring(number from '^[0-9]{6}-([0-9]{6,9})$')::bigint) as last from orders where institution_id = ${iid}) came
    where came.last > coalesce(pg_sequence_last_value('order_number'), 0)`.execute(db);

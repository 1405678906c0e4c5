import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import { mergeRules } from "@arcada/contract/patient/patient-merge.calls";
import type { PatientContent } from "@arcada/contract/patient/patient-merge.calls";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { patientTables } from "../../domain/patient-tables.ts";
import type { PatientTable } from "../../domain/patient-tables.ts";
import { lockShownStudies } from "../../domain/patient-matching.ts";
import type { PatientMergeTable } from "../../tables/schema.generated.ts";
import { patientSearchColumns, type RecordColumns } from "../patient-column-mapping.ts";
import type { Row } from "../../tables/row.ts";
import { selectValue } from "../../platform/database/select-value.ts";

/** Rows that moved, by table: their keys. */
export type MovedRows = Record<string, string[]>;

/**
 * Locks the imports of records, the records and then their studies in one fixed order, so that concurrent writers cannot
 * deadlock: an import holds its job when it comes to the record.
 */
export async function lockRecords(db: Db, iid: string, ids: readonly string[]): Promise<void> {
  await sql`select from ingest_job where institution_id = ${iid} and patient_id = any(${ids}::uuid[])
    order by id for no key update`.execute(db);
  await sql`select from patient where institution_id = ${iid} and id = any(${ids}::uuid[]) order by id for update`.execute(
    db,
  );
  const { rows } = await sql<Row<"study", "id">>`select id from study where institution_id = ${iid}
    and patient_id = any(${ids}::uuid[]) order by id for no key update`.execute(db);
  await lockShownStudies(
    db,
    iid,
    rows.map(({ id }) => id),
  );
}

/** Returns true if files are being imported for one of them: they would arrive at a deleted record. */
export const isReceiving = (db: Db, iid: string, ids: readonly string[]): Promise<boolean> =>
  queryExists(
    db,
    sql`select from ingest_job where institution_id = ${iid} and patient_id = any(${ids}::uuid[]) and state in ('waiting', 'running')`,
  );

/**
 * Returns true if both have a study with the same UID: one of the two must be removed first, and a person decides
 * which.
 */
export const shareStudyUid = (db: Db, iid: string, one: string, other: string): Promise<boolean> =>
  queryExists(
    db,
    sql`select from study a join study b on b.institution_id = a.institution_id and b.uid = a.uid
      where a.institution_id = ${iid} and a.patient_id = ${one} and b.patient_id = ${other} and a.deleted_at is null and b.deleted_at is null`,
  );

const queryExists = (db: Db, rows: ReturnType<typeof sql>): Promise<boolean> =>
  selectValue(db, sql<boolean>`exists (${rows})`);

export type ThingCounts = Partial<Record<PatientContent, number>>;

/** Counts what would move, and what would stay with the other record because the kept one has its own. */
export async function countRelatedRows(db: Db, iid: string, kept: string, other: string) {
  const counted: { moves: ThingCounts; stays: ThingCounts } = { moves: {}, stays: {} };
  for (const one of patientTables.filter(({ thing }) => thing)) {
    const { rows } = await bypassTenantScope(db, () =>
      sql<{ moves: boolean; rows: number }>`select ${canMove(one, iid, kept)} as moves, count(*)::int as rows
        from ${sql.table(one.table)} t where t.institution_id = ${iid} and t.patient_id = ${other} group by 1`.execute(
        db,
      ),
    );
    for (const row of rows) counted[row.moves ? "moves" : "stays"][one.thing!] = one.movesTogether ? 1 : row.rows;
  }
  return counted;
}

/** Condition: a row of `t` has no counterpart in the record that is kept, so that it can move there. */
function canMove({ table, key, movesTogether: whole }: PatientTable, iid: string, kept: string): RawBuilder<boolean> {
  if (!whole && key[0] === "id") return sql`true`;
  const same = whole ? [] : key.map((column) => sql`and o.${sql.ref(column)} = t.${sql.ref(column)}`);
  return sql`not exists (select from ${sql.table(table)} o where o.institution_id = ${iid} and o.patient_id = ${kept} ${sql.join(same, sql` `)})`;
}

const rowKey = ({ key }: PatientTable): RawBuilder<string> =>
  sql`jsonb_build_array(${sql.join(key.map((column) => sql`t.${sql.ref(column)}`))})::text`;

// Each module writes only its own rows, but the merge moves all of them at once, by the list in `domain/patient-columns.ts`.
export const moveRows = (db: Db, iid: string, from: string, to: string): Promise<MovedRows> =>
  bypassTenantScope(db, async () => {
    const moved: MovedRows = {};
    for (const one of patientTables.filter(({ movesWith: along }) => along === undefined || moved[along])) {
      const { rows } = await sql<{ key: string }>`update ${sql.table(one.table)} t set patient_id = ${to}
        where t.institution_id = ${iid} and t.patient_id = ${from} and ${canMove(one, iid, to)} returning ${rowKey(one)} as key`.execute(
        db,
      );
      if (rows.length > 0) moved[one.table] = rows.map((row) => row.key);
    }
    return moved;
  });

/** Separates the two records again; the rows that the merged record had brought return to it. */
export async function separateRecords(
  db: Db,
  iid: string,
  { kept_id, merged_id, moved }: SeparableMerge,
): Promise<void> {
  // Take the record out of the bin first: rows that return to a record in the bin would be hidden and then shown again
  // (decision 58).
  await setMergedInto(db, iid, merged_id, null);
  await bypassTenantScope(db, async () => {
    for (const one of patientTables.filter(({ table }) => moved[table]))
      await sql`update ${sql.table(one.table)} t set patient_id = ${merged_id}
        where t.institution_id = ${iid} and t.patient_id = ${kept_id} and ${rowKey(one)} = any(${moved[one.table]!}::text[])`.execute(
        db,
      );
  });
}
type SeparableMerge = Pick<MergeRow, "kept_id" | "merged_id" | "moved">;

/** Writes columns of a record, and its search columns with them. */
export async function writeRecord(db: Db, iid: string, row: RecordColumns, columns: object): Promise<void> {
  await db
    .updateTable("patient")
    .set({ ...columns, ...patientSearchColumns({ ...row, ...columns }), version: row.version + 1 })
    .where("institution_id", "=", iid)
    .where("id", "=", row.id)
    .execute();
}

/** Removes a record from all lists because it was merged; or (null) restores it. */
export async function setMergedInto(db: Db, iid: string, id: string, into: string | null): Promise<void> {
  await sql`update patient set merged_into = ${into}::uuid, deleted_at = case when ${into}::uuid is null then null else now() end,
    version = version + 1 where institution_id = ${iid} and id = ${id}`.execute(db);
  await sql`update patient_counter set living = living + ${into === null ? 1 : -1} where institution_id = ${iid}`.execute(
    db,
  );
}

export type MergeRow = Selectable<PatientMergeTable>;

export interface LockedMerge extends MergeRow {
  is_over: boolean;
  has_later: boolean;
}
/** Returns a merge that was not undone, and locks it; the kept record is locked first, as in a merge. */
export async function lockMerge(db: Db, iid: string, id: string): Promise<LockedMerge | undefined> {
  const { rows: kept } = await sql<
    Row<"patient_merge", "kept_id" | "merged_id">
  >`select kept_id, merged_id from patient_merge where institution_id = ${iid} and id = ${id}`.execute(db);
  if (!kept[0]) return undefined;
  await lockRecords(db, iid, [kept[0].kept_id, kept[0].merged_id]);
  return db
    .selectFrom("patient_merge as m")
    .selectAll("m")
    .select([isUndoExpired.as("is_over"), hasLaterMerge.as("has_later")])
    .where("m.institution_id", "=", iid)
    .where("m.id", "=", id)
    .where("m.undone_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

const isUndoExpired = sql<boolean>`m.merged_at <= now() - make_interval(days => ${mergeRules.undoDays}::int)`;
const hasLaterMerge = sql<boolean>`exists (select from patient_merge l where l.institution_id = m.institution_id and l.kept_id = m.kept_id
  and l.undone_at is null and (l.merged_at, l.id) > (m.merged_at, m.id))`;

interface MergeRecord {
  id: string;
  number: string;
  name: string;
  by: string;
  at: string;
  until: string | null;
}
export const listMerges = (db: Db, iid: string, keptId: string): Promise<MergeRecord[]> =>
  db
    .selectFrom("patient_merge as m")
    .innerJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "m.institution_id").onRef("p.id", "=", "m.merged_id"),
    )
    .leftJoin("users as u", "u.id", "m.merged_by")
    .select(["m.id", "p.number", "p.name", "m.merged_at as at"])
    .select([
      sql<string>`coalesce(nullif(u.nick_name, ''), u.user_name, '')`.as("by"),
      sql<string | null>`case when ${isUndoExpired} or ${hasLaterMerge} then null
        else m.merged_at + make_interval(days => ${mergeRules.undoDays}::int) end`.as("until"),
    ])
    .where("m.institution_id", "=", iid)
    .where("m.kept_id", "=", keptId)
    .where("m.undone_at", "is", null)
    .orderBy("m.merged_at", "desc")
    .orderBy("m.id", "desc")
    .execute();

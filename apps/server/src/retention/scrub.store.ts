import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { ContentInStore } from "../platform/storage/file-faults.ts";
import { deleteFaultsOfUncounted, markFaultsReported } from "../platform/storage/file-faults.ts";
import type { Db } from "../platform/database/database.ts";
import { fileColumns } from "../platform/storage/file-columns.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { ScrubTable } from "../tables/schema.generated.ts";
import type { Row } from "../tables/row.ts";
import { selectValue } from "../platform/database/select-value.ts";

export type ScrubRow = Selectable<ScrubTable>;
export interface StoredFile extends ContentInStore {
  /** Position in the whole scrub: column, store, content. */
  place: string;
}

/** Files that remain in the store for long. Uploads and jobs under way report a missing file themselves. */
const scrubbedColumns = fileColumns
  .filter(({ table }) => !["upload", "instance", "order_file", "ingest_content"].includes(table))
  .concat(fileColumns.filter(({ table, area }) => table === "instance" && area === "converted"));

/** Returns the scrub in progress, or a new one. */
export async function findOrStartScrub(db: Db): Promise<ScrubRow> {
  await sql`insert into scrub (id) values (${newId()}) on conflict do nothing`.execute(db);
  return db.selectFrom("scrub").selectAll().where("finished_at", "is", null).executeTakeFirstOrThrow();
}

/** Returns the files after a position, in the order of columns, stores and contents. */
export async function listFilesAfter(db: Db, place: string, most: number): Promise<StoredFile[]> {
  const [at = "0", store = noStore, sha256 = ""] = place.split("/");
  for (
    let column = Number(at), after = [store, sha256];
    column < scrubbedColumns.length;
    column += 1, after = [noStore, ""]
  ) {
    const one = scrubbedColumns[column]!;
    const { rows } = await sql<{
      store: string;
      sha256: string;
    }>`select distinct t.${sql.ref(one.owner)} as store, t.${sql.ref(one.column)} as sha256
      from ${sql.table(one.table)} t where (t.${sql.ref(one.owner)}, t.${sql.ref(one.column)}) > (${after[0]}::uuid, ${after[1]}::text)
        and t.${sql.ref(one.column)} is not null ${one.when ? sql`and ${one.when}` : sql``} order by 1, 2 limit ${most}`.execute(
      db,
    );
    if (rows.length > 0)
      return rows.map((row) => ({ ...row, area: one.area, place: `${column}/${row.store}/${row.sha256}` }));
  }
  return [];
}
const noStore = "00000000-0000-0000-0000-000000000000";

export interface ScrubCounts {
  files: number;
  bytes: number;
  broken: number;
  missing: number;
}
export const advanceScrub = (db: Db, id: string, place: string, { files, bytes, broken, missing }: ScrubCounts) =>
  sql`update scrub set place = ${place}, files = files + ${files}, bytes = bytes + ${bytes}, broken = broken + ${broken},
    missing = missing + ${missing} where id = ${id}`.execute(db);

export async function endScrub(db: Db, id: string): Promise<void> {
  await deleteFaultsOfUncounted(db);
  await db
    .updateTable("scrub")
    .set({ finished_at: sql`now()` })
    .where("id", "=", id)
    .execute();
}

/** Returns true if a row still refers to the file: a file that was deleted in the meantime is not missing. */
export async function isStillReferenced(db: Db, { area, store, sha256 }: StoredFile): Promise<boolean> {
  const here = scrubbedColumns.filter((one) => one.area === area);
  const isNamed = sql<boolean>`${sql.join(
    here.map(
      (one) =>
        sql`exists (select from ${sql.table(one.table)} t where t.${sql.ref(one.owner)} = ${store}::uuid and t.${sql.ref(one.column)} = ${sha256}
          ${one.when ? sql`and ${one.when}` : sql``})`,
    ),
    sql` or `,
  )}`;
  return selectValue(db, isNamed);
}

/**
 * Returns faults that were not reported yet, grouped by institution; faults of users' own images are reported to
 * nobody.
 */
export async function takeUnreportedFaults(db: Db): Promise<{ institution: string; name: string; count: number }[]> {
  const { rows } = await sql<{ institution: string; name: string; count: number }>`with told as (${markFaultsReported})
    select i.id as institution, i.name, count(*)::int as count from told join institution i on i.id = told.store_id group by i.id, i.name`.execute(
    db,
  );
  return rows;
}

/** Returns the studies that contain this original. */
export const listStudiesWithFile = async (db: Db, { store, sha256 }: StoredFile): Promise<string[]> =>
  (
    await sql<
      Row<"instance", "study_id">
    >`select distinct study_id from instance where institution_id = ${store} and sha256 = ${sha256}`.execute(db)
  ).rows.map(({ study_id }) => study_id);

import { sql } from "kysely";
import type pg from "pg";
import type { BackupPlace } from "./backup-parts.ts";
import { copySize, restoreFile } from "./copy-stored-files.ts";
import { openDatabase } from "../database/database.ts";
import type { Database } from "../database/database.ts";
import type { Config } from "../runtime/config.ts";
import { fileColumns } from "../storage/file-columns.ts";
import type { StoredName } from "../storage/file-store.ts";
import { createFileStore } from "../storage/open-file-store.ts";
import type { Column, Row } from "../../tables/row.ts";

const rowsAtOnce = 1000;
/** A file that is not assigned yet is not in the store, but among the uploads. */
const referringColumns = fileColumns.filter(({ table }) => table !== "upload");

/** Passes every file to which a row refers, except those that were known to be lost. */
export async function forEachReferredFile(
  database: Database,
  work: (name: StoredName, table: string) => Promise<void>,
): Promise<void> {
  for (const column of referringColumns)
    for (let after: [string, string] = ["00000000-0000-0000-0000-000000000000", ""]; ;) {
      const rows = await database.queryAsSystem(sql<
        Row<"stored_file", "sha256"> & { store: Column<"stored_file", "institution_id"> }
      >`
        select distinct t.${sql.ref(column.owner)} as store, t.${sql.ref(column.column)} as sha256 from ${sql.table(column.table)} t
        where (t.${sql.ref(column.owner)}, t.${sql.ref(column.column)}) > (${after[0]}::uuid, ${after[1]}::text)
          and t.${sql.ref(column.column)} is not null ${column.when ? sql`and ${column.when}` : sql``}
          and not exists (select from file_fault f where f.store_id = t.${sql.ref(column.owner)} and f.area = ${column.area}
            and f.sha256 = t.${sql.ref(column.column)}) order by 1, 2 limit ${rowsAtOnce}`);
      for (const { store, sha256 } of rows) await work({ area: column.area, iid: store, sha256 }, column.table);
      const last = rows.at(-1);
      if (!last || rows.length < rowsAtOnce) break;
      after = [last.store, last.sha256];
    }
}

/** Restores the files that came after the backup and to which a row of the restored moment refers. */
export async function restoreLaterFiles(
  config: Config,
  place: BackupPlace,
  connection: pg.PoolConfig,
  log: (line: string) => void,
): Promise<void> {
  const files = await createFileStore(config);
  const database = openDatabase(connection, 2);
  let missing = 0;
  try {
    await forEachReferredFile(database, async (name) => {
      if ((await files.bytes(name.area, name.iid, name.sha256)) !== null) return;
      const bytes = await copySize(place, name);
      if (bytes === null || !(await restoreFile(place, { ...name, bytes }, files))) missing += 1;
    });
  } finally {
    await database.close();
  }
  if (missing > 0)
    log(`${missing} files that came after the backup are not in the archive: storage scrub names them after the start`);
}

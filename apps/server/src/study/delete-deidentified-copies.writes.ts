import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { insertUnneeded } from "../platform/storage/blob-references.ts";
import type { Column } from "../tables/row.ts";

/** Deletes the de-identified copies of these originals, which are made again on request; returns their contents. */
export async function deleteCleanedFiles(db: Db, iid: string, originals: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    sha256: Column<"cleaned_file", "sha256"> | null;
  }>`delete from cleaned_file where institution_id = ${iid} and original = any(${[...originals]}::text[]) returning sha256`.execute(
    db,
  );
  return rows.flatMap(({ sha256 }) => sha256 ?? []);
}

/** Deletes the de-identified copies of originals that no longer exist, and releases their contents. */
export const deleteOrphanedCleanedFiles = (db: Db) =>
  sql`with gone as (delete from cleaned_file c where not exists (
        select from stored_file s where s.institution_id = c.institution_id and s.sha256 = c.original) returning c.institution_id, c.sha256)
    ${insertUnneeded(sql`select distinct institution_id, 'converted', sha256 from gone order by 1, 2, 3`)}`.execute(db);

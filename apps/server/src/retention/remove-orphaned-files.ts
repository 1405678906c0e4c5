import { sql } from "kysely";
import type { Database } from "../platform/database/database.ts";
import { insertUnneeded } from "../platform/storage/blob-references.ts";
import { isReferenced } from "../platform/storage/file-columns.ts";
import { files } from "../platform/runtime/services.ts";
import type { StoredName } from "../platform/storage/file-store.ts";
import { retentionRules } from "./retention.rules.ts";
import { clearUnneededFiles } from "./clear-unneeded-files.ts";

/**
 * Removes files from the store that no row refers to: left by a process that died between storing a file and recording
 * its owner. A recent file may still get its row. Returns their number.
 */
export async function removeOrphanedFiles(
  database: Database,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const before = new Date(Date.now() - retentionRules.strayDays * 86_400_000);
  let found = 0;
  for await (const some of files().list(before)) {
    signal.throwIfAborted();
    found += await recordOrphans(database, some);
  }
  await clearUnneededFiles(database, signal);
  return found;
}

// An original that is counted and has no reference any more is left to the purge.
const recordOrphans = (database: Database, some: readonly StoredName[]): Promise<number> =>
  database.asSystem(async (db) => {
    const done = await insertUnneeded(
      sql`select c.iid, c.area, c.sha256 from unnest(${some.map(({ iid }) => iid)}::uuid[], ${some.map(({ area }) => area)}::text[],
        ${some.map(({ sha256 }) => sha256)}::text[]) as c (iid, area, sha256)
      where case when c.area = 'originals'
        then not exists (select from stored_file s where s.institution_id = c.iid and s.sha256 = c.sha256)
          and not ${isReferenced("originals", sql`c.iid`, sql`c.sha256`)}
        else not ${isReferenced("converted", sql`c.iid`, sql`c.sha256`)} end`,
    ).execute(db);
    return Number(done.numAffectedRows);
  });

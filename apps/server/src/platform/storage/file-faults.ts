import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { BlobKey } from "./blob-references.ts";

export type FileFault = "broken" | "missing";
export interface ContentInStore extends BlobKey {
  store: string;
}

/** Returns false if the fault is known already. */
export async function recordFault(db: Db, { area, store, sha256 }: ContentInStore, fault: FileFault): Promise<boolean> {
  const done =
    await sql`insert into file_fault (store_id, area, sha256, fault) values (${store}, ${area}, ${sha256}, ${fault})
    on conflict do nothing`.execute(db);
  return done.numAffectedRows === 1n;
}

/** Clears the faults of files that are intact, or are intact again. */
export async function clearFaults(db: Db, intact: readonly ContentInStore[]): Promise<void> {
  await sql`delete from file_fault f using unnest(${intact.map(({ store }) => store)}::uuid[], ${intact.map(({ area }) => area)}::text[],
      ${intact.map(({ sha256 }) => sha256)}::text[]) as s (store, area, sha256)
    where f.store_id = s.store and f.area = s.area and f.sha256 = s.sha256`.execute(db);
}

/** Deletes the faults of originals that no store counts any more. */
export const deleteFaultsOfUncounted = (db: Db) =>
  sql`delete from file_fault f where area = 'originals'
    and not exists (select from stored_file s where s.institution_id = f.store_id and s.sha256 = f.sha256)`.execute(db);

/** Statement that marks the faults that were not reported yet as reported; returns `store_id`, once for each of them. */
export const markFaultsReported = sql`update file_fault set told_at = now() where told_at is null returning store_id`;

import { deleteUnneeded } from "../platform/storage/blob-references.ts";
import type { Database } from "../platform/database/database.ts";

/** Deletes the unneeded contents from all stores. */
export async function clearUnneededFiles(database: Database, signal: AbortSignal): Promise<number> {
  const stores = await database.asSystem((db) => db.selectFrom("unneeded").select("store_id").distinct().execute());
  let cleared = 0;
  for (const { store_id } of stores) {
    signal.throwIfAborted();
    cleared += await deleteUnneeded((work) => database.asSystem(work), store_id);
  }
  return cleared;
}

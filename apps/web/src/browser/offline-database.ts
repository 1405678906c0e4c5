/** The database in which `offline-answers.ts` keeps what was seen last. */
export const offlineDatabaseName = "arcada.offline";

/**
 * Deletes everything that was kept for reading without a network, and the key with it. Tabs that have the database open
 * close it when they learn of the deletion.
 */
export function deleteOfflineDatabase(): void {
  try {
    (globalThis as { indexedDB?: IDBFactory }).indexedDB?.deleteDatabase(offlineDatabaseName);
  } catch {
    // Storage is refused: nothing was kept.
  }
}

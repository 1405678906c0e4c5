import type { Database } from "../../platform/database/database.ts";
import { compactCounters } from "./order-counters.ts";
import { writeSearchWords } from "./write-search-words.ts";

/**
 * Sums up the counters, and writes the search words of orders without any: imported ones, or those from before search
 * words existed.
 */
export async function maintainLists(database: Database): Promise<void> {
  await compactCounters(database);
  while ((await database.asSystem((db) => writeSearchWords(db))) > 0);
}

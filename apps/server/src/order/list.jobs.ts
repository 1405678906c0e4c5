import type { Database } from "../platform/database/database.ts";
import { addUpTallies } from "./list.tally.ts";
import { wordEntries } from "./list.words.ts";

/**
 * Sums up the tallies, and writes the search words of orders that lack them: imported ones, or those from before search
 * words existed.
 */
export async function keepLists(database: Database): Promise<void> {
  await addUpTallies(database);
  while ((await database.asSystem((db) => wordEntries(db))) > 0);
}

import type { Database } from "../kernel/db.ts";
import { addUpTallies } from "./list.tally.ts";
import { wordEntries } from "./list.words.ts";

/** Adds the tallies up, and writes the words of orders that came without them: by an import, from before there were any. */
export async function keepLists(database: Database): Promise<void> {
  await addUpTallies(database);
  while ((await database.asSystem((db) => wordEntries(db))) > 0);
}

import { sql } from "kysely";
import { lockStore, letGo, uncount } from "../kernel/contents.ts";
import type { Content } from "../kernel/contents.ts";
import type { Database, Db } from "../kernel/db.ts";

const atOnce = 500;

/** Says, in the transaction that lets go of them, that these contents may leave the store. */
export const noteUnneeded = (db: Db, store: string, { area, sha256 }: { area: Content["area"]; sha256: string[] }) =>
  sql`insert into unneeded (store_id, area, sha256) select ${store}, ${area}, unnest(${[...new Set(sha256)]}::text[])
    on conflict do nothing`.execute(db);

/** Takes out of the stores what may go and nobody names; what dies in between goes on the next time. */
export async function clearUnneeded(database: Database, signal: AbortSignal): Promise<number> {
  let cleared = 0;
  for (;;) {
    signal.throwIfAborted();
    const some = await database.asSystem((db) => db.selectFrom("unneeded").selectAll().limit(atOnce).execute());
    if (some.length === 0) return cleared;
    for (const [store, rows] of Map.groupBy(some, (row) => row.store_id)) await clearOf(database, store, rows);
    cleared += some.length;
  }
}

async function clearOf(database: Database, store: string, contents: readonly Content[]): Promise<void> {
  await database.asSystem(async (db) => {
    await lockStore(db, store, "alone");
    await uncount(
      db,
      store,
      contents.filter(({ area }) => area === "originals").map(({ sha256 }) => sha256),
    );
  });
  await letGo((work) => database.asSystem(work), store, contents);
  await database.asSystem((db) =>
    sql`delete from unneeded where store_id = ${store} and (area, sha256) in (
      select * from unnest(${contents.map(({ area }) => area)}::text[], ${contents.map(({ sha256 }) => sha256)}::text[]))`.execute(
      db,
    ),
  );
}

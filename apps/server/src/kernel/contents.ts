import { sql } from "kysely";
import type { Db } from "./db.ts";
import { isNamed } from "./file-columns.ts";
import type { Area } from "./files.ts";
import { files } from "./services.ts";

export interface Content {
  area: Area;
  sha256: string;
}

/** Keeps what is stored from being released at the same moment; `alone` is for those who release. */
export async function lockStore(db: Db, store: string, how: "shared" | "alone"): Promise<void> {
  const key = `arcada originals ${store}`;
  if (how === "shared") await sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(db);
  else await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}

/** No longer counts which of these originals nobody names; answers those that the store may let go. */
export async function uncount(db: Db, store: string, contents: readonly string[]): Promise<Content[]> {
  const { rows } = await sql<{
    sha256: string;
  }>`delete from stored_file f where f.institution_id = ${store} and f.sha256 = any(${[...contents]}::text[])
      and not ${isNamed("originals", sql`f.institution_id`, sql`f.sha256`)} returning f.sha256`.execute(db);
  return rows.map(({ sha256 }) => ({ area: "originals", sha256 }));
}

/** Takes a content out of the store unless somebody has it, or has it again. */
export async function letGo(
  as: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  store: string,
  contents: readonly Content[],
): Promise<void> {
  for (const { area, sha256 } of contents)
    await as(async (db) => {
      await lockStore(db, store, "alone");
      if (!(await isWanted(db, store, { area, sha256 }))) await files().remove(area, store, sha256);
    });
}

async function isWanted(db: Db, store: string, { area, sha256 }: Content): Promise<boolean> {
  const counted =
    area === "originals"
      ? sql`exists (select from stored_file where institution_id = ${store} and sha256 = ${sha256})`
      : isNamed(area, sql`${store}::uuid`, sql`${sha256}::text`);
  const { rows } = await sql<{ wanted: boolean }>`select ${counted} as wanted`.execute(db);
  return rows[0]!.wanted;
}

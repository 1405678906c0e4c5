import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Deletes the de-identified copies of these originals, which are made again on request; returns their contents. */
export async function deleteCleanedFiles(db: Db, iid: string, originals: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    sha256: string | null;
  }>`delete from cleaned_file where institution_id = ${iid} and original = any(${[...originals]}::text[]) returning sha256`.execute(
    db,
  );
  return rows.flatMap(({ sha256 }) => sha256 ?? []);
}

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "../database/database.ts";
import { prepared } from "../database/prepared-statements.ts";
import type { Row } from "../../tables/row.ts";

interface StoredUpload {
  id: string;
  name: string;
  bytes: number;
  sha256: string;
}

/** Offers files that the store holds already as uploads of this person, for an order or an import. */
export async function insertFinishedUploads(
  db: Db,
  owner: { iid: string; uid: string },
  files: readonly StoredUpload[],
): Promise<void> {
  if (files.length === 0) return;
  await db
    .insertInto("upload")
    .values(
      files.map(({ id, name, bytes, sha256 }) => ({
        id,
        name,
        bytes,
        sha256,
        institution_id: owner.iid,
        user_id: owner.uid,
        state: "finished" as const,
        finished_at: sql<string>`now()`,
      })),
    )
    .execute();
}

/**
 * Deletes uploads; returns the hashes of those whose bytes arrived.
 * @param isKept a condition on `upload` for those that remain
 */
export async function deleteUploads(
  db: Db,
  iid: string,
  ids: readonly string[],
  isKept: RawBuilder<boolean> = sql`false`,
): Promise<string[]> {
  const { rows } = await sql<
    Row<"upload", "sha256">
  >`${prepared} delete from upload where institution_id = ${iid} and id = any(${[...ids]}::uuid[]) and not ${isKept} returning sha256`.execute(
    db,
  );
  return rows.flatMap(({ sha256 }) => sha256 ?? []);
}

/** Returns the announced bytes of uploads, by their ids. */
export async function readUploadSizes(db: Db, iid: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("upload")
    .select(["id", "bytes"])
    .where("institution_id", "=", iid)
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** Deletes the finished uploads of these contents. */
export const deleteFinishedUploads = (db: Db, iid: string, contents: readonly string[]) =>
  sql`delete from upload where institution_id = ${iid} and state = 'finished' and sha256 = any(${[...contents]}::text[])`.execute(
    db,
  );

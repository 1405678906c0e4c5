import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Db } from "../platform/database/database.ts";
import { insertUnneeded } from "../platform/storage/blob-references.ts";
import type { Row } from "../tables/row.ts";

// Copies of the originals of orders: streaming copies of scans, and images in the sizes that pages show.

/**
 * Deletes the copies of these originals that were made for orders; a copy that is still needed is made again. Returns
 * the contents of the copies.
 */
export async function deleteCopiesForOrders(db: Db, iid: string, originals: readonly string[]): Promise<string[]> {
  const where = sql`institution_id = ${iid} and original = any(${[...originals]}::text[])`;
  const scans = await sql<
    Row<"order_glb", "sha256" | "coarse_sha256">
  >`delete from order_glb where ${where} returning sha256, coarse_sha256`.execute(db);
  const pictures = await sql<
    Row<"order_picture", "sha256">
  >`delete from order_picture where ${where} returning sha256`.execute(db);
  return [...scans.rows.map(({ coarse_sha256: sha256 }) => ({ sha256 })), ...scans.rows, ...pictures.rows].flatMap(
    ({ sha256 }) => sha256 ?? [],
  );
}

/**
 * Saves the coarse copy of a streaming copy; false if the scan no longer has that one. `glb`: content of the streaming
 * copy.
 * @param coarse its `error` is its largest distance from the streaming copy, in mm
 */
export async function saveCoarseCopyForOrders(
  db: Db,
  { iid, original, glb }: { iid: string; original: string; glb: string },
  coarse: { sha256: string; error: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("order_glb")
    // The streaming copy is itself off the original.
    .set({ coarse_sha256: coarse.sha256, coarse_error: sql`error + ${coarse.error}::real` })
    .where("institution_id", "=", iid)
    .where("original", "=", original)
    .where("sha256", "=", glb)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the copies of originals that no longer exist, and releases their contents. */
export async function deleteOrphanedCopiesForOrders(db: Db): Promise<void> {
  const isOrphaned = sql`not exists (
    select from stored_file s where s.institution_id = c.institution_id and s.sha256 = c.original)`;
  await releaseDeleted(db, sql`delete from order_glb c where ${isOrphaned} returning c.institution_id, ${scanCopies}`);
  await releaseDeleted(
    db,
    sql`delete from order_picture c where ${isOrphaned} returning c.institution_id, array[c.sha256] as copies`,
  );
}

/** The streaming and the coarse copy, either of which may be null. */
const scanCopies = sql`array[c.sha256, c.coarse_sha256] as copies`;

const releaseDeleted = (db: Db, deletion: RawBuilder<unknown>) =>
  sql`with gone as (${deletion})
    ${insertUnneeded(sql`select distinct institution_id, 'converted', copy from gone, unnest(copies) as copy where copy is not null order by 1, 2, 3`)}`.execute(
    db,
  );

/** Deletes a copy whose file is lost: viewers get the original itself, or the streaming copy without a coarse one. */
export async function deleteLostCopiesForOrders(db: Db, iid: string, sha256: string): Promise<void> {
  await releaseDeleted(
    db,
    sql`delete from order_glb c where institution_id = ${iid} and sha256 = ${sha256} returning c.institution_id, array[c.coarse_sha256] as copies`,
  );
  await sql`update order_glb set coarse_sha256 = null, coarse_error = null where institution_id = ${iid} and coarse_sha256 = ${sha256}`.execute(
    db,
  );
  await sql`delete from order_picture where institution_id = ${iid} and sha256 = ${sha256}`.execute(db);
}

/** Removes the streaming copies of scans that nobody has viewed for long. They are made again when the order is opened. */
export const dropUnusedStreamingCopies = (db: Db) =>
  releaseDeleted(
    db,
    sql`with due as (select institution_id, original, ${scanCopies} from order_glb c where sha256 is not null
          and used_at < now() - make_interval(months => ${studyRules.convertedMonths}::int) for update)
      update order_glb g set sha256 = null, coarse_sha256 = null, coarse_error = null from due d
      where g.institution_id = d.institution_id and g.original = d.original returning d.institution_id, d.copies`,
  );

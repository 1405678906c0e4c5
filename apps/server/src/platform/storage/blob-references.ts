import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { mayDeleteFiles } from "../backup/backup-lock.ts";
import { bypassTenantScope, requireDurableReads } from "../database/database.ts";
import type { Db } from "../database/database.ts";
import { prepared } from "../database/prepared-statements.ts";
import { isReferenced } from "./file-columns.ts";
import type { StorageArea } from "./file-store.ts";
import { files } from "../runtime/services.ts";
import type { Column, Row } from "../../tables/row.ts";
import { selectValue } from "../database/select-value.ts";

export interface BlobKey {
  area: StorageArea;
  sha256: string;
}

/** Keeps stored content from being released at the same moment; `alone` is for the transactions that release. */
export async function lockStore(db: Db, store: string, mode: "shared" | "alone"): Promise<void> {
  const key = `arcada originals ${store}`;
  if (mode === "shared")
    await sql`${prepared} select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(db);
  else await sql`${prepared} select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}

/**
 * Marks originals that are counted, older than this, and that no row refers to any more. Returns the last of the page
 * that was examined.
 */
export async function markUnreferencedOriginals(
  db: Db,
  after: StoredOriginal,
  { olderThanDays, pageSize }: { olderThanDays: number; pageSize: number },
): Promise<StoredOriginal | undefined> {
  const unreferenced = sql`select f.institution_id, 'originals', f.sha256 from page f
    where f.created_at < now() - make_interval(days => ${olderThanDays}::int)
      and not ${isReferenced("originals", sql`f.institution_id`, sql`f.sha256`)}`;
  const { rows } =
    await sql<StoredOriginal>`with page as (select f.institution_id, f.sha256, f.created_at from stored_file f
        where (f.institution_id, f.sha256) > (${after.store}::uuid, ${after.sha256}) order by f.institution_id, f.sha256 limit ${pageSize}),
      unnamed as (${insertUnneeded(unreferenced)})
    select institution_id as store, sha256 from page order by institution_id desc, sha256 desc limit 1`.execute(db);
  return rows[0];
}
export type StoredOriginal = Row<"stored_file", "sha256"> & { store: Column<"stored_file", "institution_id"> };

/** Stops counting those of these originals that no row refers to; returns those that the store may delete. */
export async function uncountUnreferenced(db: Db, store: string, contents: readonly string[]): Promise<BlobKey[]> {
  const { rows } = await sql<
    Row<"stored_file", "sha256">
  >`${prepared} delete from stored_file f where f.institution_id = ${store} and f.sha256 = any(${[...contents]}::text[])
      and not ${isReferenced("originals", sql`f.institution_id`, sql`f.sha256`)} returning f.sha256`.execute(db);
  return rows.map(({ sha256 }) => ({ area: "originals", sha256 }));
}

/** Returns those of these contents to which no row refers. */
export async function listUnreferenced(
  db: Db,
  store: string,
  area: StorageArea,
  contents: readonly string[],
): Promise<BlobKey[]> {
  if (contents.length === 0) return [];
  const { rows } = await sql<
    Row<"stored_file", "sha256">
  >`${prepared} select c.sha256 from unnest(${[...contents]}::text[]) as c (sha256)
    where not ${isReferenced(area, sql`${store}::uuid`, sql`c.sha256`)}`.execute(db);
  return rows.map(({ sha256 }) => ({ area, sha256 }));
}

/**
 * Statement, also for the end of a `with`, that records that contents may be deleted from their stores.
 * @param contents a query of store, area and hash
 */
export const insertUnneeded = (contents: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`insert into unneeded (store_id, area, sha256) ${contents} on conflict do nothing`;

type RunTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;
const batchSize = 500;

/** Records, in the transaction that releases them, that these contents may be deleted from the store. */
export const markUnneeded = (db: Db, store: string, contents: readonly BlobKey[]): Promise<unknown> =>
  bypassTenantScope(db, () =>
    insertUnneeded(
      sql`select ${store}, c.area, c.sha256 from ${contentRows(contents)} c order by c.area, c.sha256`,
    ).execute(db),
  );

/**
 * Deletes from a store the releasable contents that no row refers to. If the process dies in between, or a backup
 * begins, the next run continues. Returns their number.
 */
export async function deleteUnneeded(as: RunTransaction, store: string): Promise<number> {
  for (let cleared = 0; ;) {
    const some = await as((db) =>
      bypassTenantScope(db, () =>
        db.selectFrom("unneeded").select(["area", "sha256"]).where("store_id", "=", store).limit(batchSize).execute(),
      ),
    );
    if (some.length === 0) return cleared;
    const originals = some.filter(({ area }) => area === "originals").map(({ sha256 }) => sha256);
    await as(async (db) => {
      // A crash must not undo the release of a content that is deleted.
      requireDurableReads(db);
      await lockStore(db, store, "alone");
      await uncountUnreferenced(db, store, originals);
    });
    if (!(await deleteIfUnreferenced(as, store, some))) return cleared;
    await as((db) =>
      bypassTenantScope(db, () =>
        sql`delete from unneeded where (store_id, area, sha256) in (select u.store_id, u.area, u.sha256
            from unneeded u join ${contentRows(some)} c on u.area = c.area and u.sha256 = c.sha256
            where u.store_id = ${store} order by u.area, u.sha256 for update of u)`.execute(db),
      ),
    );
    cleared += some.length;
  }
}

const contentRows = (contents: readonly BlobKey[]) =>
  sql`(select distinct * from unnest(${contents.map(({ area }) => area)}::text[], ${contents.map(({ sha256 }) => sha256)}::text[]) as l (area, sha256))`;

/** Deletes the contents to which no row refers, or does so again; false if a backup interrupts that. */
async function deleteIfUnreferenced(as: RunTransaction, store: string, contents: readonly BlobKey[]): Promise<boolean> {
  for (const { area, sha256 } of contents) {
    const mayDelete = await as(async (db) => {
      if (!(await mayDeleteFiles(db))) return false;
      await lockStore(db, store, "alone");
      if (!(await isContentReferenced(db, store, { area, sha256 }))) await files().remove(area, store, sha256);
      return true;
    });
    if (!mayDelete) return false;
  }
  return true;
}

async function isContentReferenced(db: Db, store: string, { area, sha256 }: BlobKey): Promise<boolean> {
  const counted =
    area === "originals"
      ? sql<boolean>`exists (select from stored_file where institution_id = ${store} and sha256 = ${sha256})`
      : isReferenced(area, sql`${store}::uuid`, sql`${sha256}::text`);
  return selectValue(db, counted);
}

import { sql } from "kysely";
import type { Selectable } from "kysely";
import { lockStore } from "../storage/blob-references.ts";
import type { Db } from "../database/database.ts";
import { prepared } from "../database/prepared-statements.ts";
import type { StoredFileInfo } from "../storage/file-store.ts";
import { refuse } from "../http/refuse.ts";
import { forEachConcurrent } from "../runtime/concurrency.ts";
import { files, uploadParts } from "../runtime/services.ts";
import type { UploadTable } from "../../tables/schema.generated.ts";

export interface FinishedUpload {
  id: string;
  name: string;
  bytes: number;
  sha256: string;
}
/** A handler's context, or in a job only the transaction: then the user is not compared. */
export interface FinishContext {
  db: Db;
  principal?: { uid: string };
}

/**
 * Moves a received upload into the store and counts it, in the caller's transaction; a repeated call returns the same.
 * The row stays locked until that transaction ends. Refuses `uploadUnknown`, `uploadIncomplete`, `uploadMismatch`.
 */
export const finishUpload = async (context: FinishContext, iid: string, id: string): Promise<FinishedUpload> =>
  (await finishUploads(context, iid, [id]))[0]!;

/** Finishes several at once, in the requested order: two users who upload the same files wait for each other once. */
export async function finishUploads(
  { db, principal }: FinishContext,
  iid: string,
  ids: readonly string[],
): Promise<FinishedUpload[]> {
  if (ids.length === 0) return [];
  // Content that is removed in the meantime could be the same bytes.
  await lockStore(db, iid, "shared");
  const rows = new Map((await lockUploads(db, iid, ids)).map((row) => [row.id, row]));
  const wanted = ids.map((id) => {
    const row = rows.get(id);
    return row && (!principal || row.user_id === principal.uid) ? row : refuse("uploadUnknown");
  });
  const finished: FinishedUpload[] = [];
  const fresh: FinishedUpload[] = [];
  // The disk flushes several files in about the time of one.
  await forEachConcurrent(wanted, maxFlushes, async (row, place) => {
    const { id, name } = row;
    const isFresh = row.state !== "finished";
    const stored = isFresh ? await adoptUpload(iid, row) : { bytes: row.bytes, sha256: row.sha256! };
    finished[place] = { id, name, ...stored };
    if (isFresh) fresh.push(finished[place]);
  });
  if (fresh.length === 0) return finished;
  await recordStoredFiles(db, iid, ...fresh);
  await sql`${prepared} update upload u set state = 'finished', sha256 = f.sha256, finished_at = now()
    from unnest(${fresh.map(({ id }) => id)}::uuid[], ${fresh.map(({ sha256 }) => sha256)}::text[]) as f (id, sha256)
    where u.institution_id = ${iid} and u.id = f.id`.execute(db);
  return finished;
}

const maxFlushes = 8;

const lockUploads = (db: Db, iid: string, ids: readonly string[]) =>
  db
    .selectFrom("upload")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();

/** The part stays until the sweeper comes: if the transaction rolls back, the upload can be finished again. */
async function adoptUpload(iid: string, row: Selectable<UploadTable>): Promise<StoredFileInfo> {
  const { id, name, sha256 } = row;
  const bytes = (await uploadParts().bytes(id)) ?? 0;
  if (bytes < row.bytes) return refuse("uploadIncomplete", { name });
  if (bytes > row.bytes) return refuse("uploadMismatch", { name });
  return uploadParts().moveInto(id, { files: files(), area: "originals", iid, sha256, keep: true });
}

/** Records originals that the store holds, however they arrived; they repair damaged ones there. */
export async function recordStoredFiles(db: Db, iid: string, ...stored: StoredFileInfo[]): Promise<void> {
  const names = stored.map(({ sha256 }) => sha256);
  const sizes = stored.map(({ bytes }) => bytes);
  await sql`${prepared} with mended as (delete from file_fault where store_id = ${iid} and area = 'originals' and sha256 = any(${names}::text[]))
    insert into stored_file (institution_id, sha256, bytes) select ${iid}, * from unnest(${names}::text[], ${sizes}::bigint[]) as f (sha256, bytes)
    order by f.sha256 on conflict do nothing`.execute(db);
}

import { sql, type Selectable } from "kysely";
import { listUnreferenced, uncountUnreferenced, type BlobKey } from "../platform/storage/blob-references.ts";
import { deleteUploads } from "../platform/upload/upload-rows.ts";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import type { StorageArea } from "../platform/storage/file-store.ts";
import type { IngestJobTable } from "../tables/schema.generated.ts";
import type { Row } from "../tables/row.ts";

/** A job as the database holds it. */
export type JobRow = Selectable<IngestJobTable>;

/** The key of a job, as the queue carries it. */
export interface JobKey {
  iid: string;
  job: string;
}

/**
 * Recorded before a content is put into the store, so that a run that is killed in between leaves nothing unknown
 * there.
 */
export async function recordContents(
  db: Db,
  { iid, job }: JobKey,
  area: StorageArea,
  contents: readonly string[],
): Promise<void> {
  await sql`${prepared} insert into ingest_content (institution_id, job_id, area, sha256)
    select ${iid}, ${job}, ${area}, unnest(${[...new Set(contents)]}::text[]) on conflict do nothing`.execute(db);
}

/**
 * Deletes the records of contents that an ended job brought in and that became part of nothing; returns the contents
 * that the store may delete.
 */
export async function deleteContentRecords(
  db: Db,
  { iid, job }: JobKey,
  uploads: readonly string[],
): Promise<BlobKey[]> {
  const isPartOfSomething = sql<boolean>`(exists (select from instance i where i.institution_id = ${iid} and i.sha256 = upload.sha256)
    or exists (select from order_file f where f.owner_id = ${iid} and f.sha256 = upload.sha256))`;
  const uploaded = await deleteUploads(db, iid, uploads, isPartOfSomething);
  const imported = await sql<
    Row<"ingest_content", "area" | "sha256">
  >`${prepared} delete from ingest_content where institution_id = ${iid} and job_id = ${job} returning area, sha256`.execute(
    db,
  );
  const listImported = (wanted: StorageArea) =>
    imported.rows.filter(({ area }) => area === wanted).map(({ sha256 }) => sha256);
  return [
    ...(await uncountUnreferenced(db, iid, [...uploaded, ...listImported("originals")])),
    // Almost all of them are in use, and whoever stops using one later releases it.
    ...(await listUnreferenced(db, iid, "converted", listImported("converted"))),
  ];
}

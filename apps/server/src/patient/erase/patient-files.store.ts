import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { fileColumns } from "../../platform/storage/file-columns.ts";
import { deleteCopiesForOrders } from "../../order/order-file-copies.writes.ts";
import type { BlobKey } from "../../platform/storage/blob-references.ts";
import { deleteFinishedUploads } from "../../platform/upload/upload-rows.ts";
import { deleteCleanedFiles } from "../../study/delete-deidentified-copies.writes.ts";

export interface StoredContent extends BlobKey {
  store: string;
}

type Ids = RawBuilder<string[]>;
const studies = (ids: Ids) =>
  sql`(select id from study where institution_id = t.institution_id and patient_id = any(${ids}))`;
const reports = (ids: Ids) =>
  sql`t.report_id in (select id from report where institution_id = t.institution_id and patient_id = any(${ids}))`;

/** Conditions for the rows of a patient, for each table that refers to files. */
const rowConditions: Readonly<Record<string, (ids: Ids) => RawBuilder<unknown>>> = {
  study: (ids) => sql`t.patient_id = any(${ids})`,
  series: (ids) => sql`t.study_id in ${studies(ids)}`,
  instance: (ids) => sql`t.study_id in ${studies(ids)}`,
  converted_file: (ids) => sql`t.study_id in ${studies(ids)}`,
  implant_document: (ids) => sql`t.study_id in ${studies(ids)}`,
  visit_file: (ids) =>
    sql`t.visit_id in (select id from visit where institution_id = t.institution_id and patient_id = any(${ids}))`,
  consent: (ids) => sql`t.patient_id = any(${ids})`,
  analysis_artefact: (ids) =>
    sql`t.analysis_id in (select id from analysis where institution_id = t.institution_id and study_id in ${studies(ids)})`,
  report_picture: reports,
  report_paper: reports,
  ingest_content: (ids) =>
    sql`t.job_id in (select id from ingest_job where institution_id = t.institution_id and patient_id = any(${ids}))`,
};

/** Tables whose files do not belong to a patient: uploads in progress, copies, files of the institution, and orders. */
export const tablesWithoutPatientFiles: readonly string[] = [
  "stored_file",
  "upload",
  "order_file",
  "order_glb",
  "order_picture",
  "cleaned_file",
  "institution",
  "users",
  "taking",
  "taking_file",
  "arrival",
  "engine_pack",
  "work_order_file",
  "device_consent",
  "feedback_file",
  "package_arrival",
  "upgrade_package",
];
export const tablesOfPatientFiles: readonly string[] = Object.keys(rowConditions);

/** Returns the stored contents of these patients, and deletes their finished uploads. */
export async function takePatientContents(db: Db, iid: string, patients: readonly string[]): Promise<StoredContent[]> {
  const ids = sql<string[]>`${[...patients]}::uuid[]`;
  const named = fileColumns.filter(({ table }) => rowConditions[table]);
  const { rows } = await sql<StoredContent>`select distinct ${iid}::text as store, area, sha256 from (${sql.join(
    named.map(
      ({ table, column, area, when }) => sql`select ${sql.lit(area)} as area, t.${sql.ref(column)} as sha256
        from ${sql.table(table)} t where t.institution_id = ${iid} and t.${sql.ref(column)} is not null
          and ${rowConditions[table]!(ids)} ${when ? sql`and ${when}` : sql``}`,
    ),
    sql` union all `,
  )}) named`.execute(db);
  await deleteFinishedUploads(db, iid, originalHashes(rows));
  return rows;
}

/** Deletes copies of their originals, streaming or de-identified ones; a copy that is still needed is made again. */
export async function deleteCopies(db: Db, iid: string, stored: readonly StoredContent[]): Promise<StoredContent[]> {
  const originals = originalHashes(stored);
  const gone = [
    ...(await deleteCopiesForOrders(db, iid, originals)),
    ...(await deleteCleanedFiles(db, iid, originals)),
  ];
  return gone.map((sha256) => ({ store: iid, area: "converted", sha256 }));
}

const originalHashes = (stored: readonly StoredContent[]): string[] =>
  stored.filter(({ area }) => area === "originals").map(({ sha256 }) => sha256);

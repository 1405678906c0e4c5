import { sql } from "kysely";
import type { Db } from "../kernel/db.ts";
import type { PlannedStudy } from "./plan.ts";

export const fileKey = (sopUid: string | null, sha256: string): string => `${sopUid} ${sha256}`;

/** A patient's, or the inbox's, study of this identifier, and what it has. */
export async function knownStudy(
  db: Db,
  iid: string,
  patient: string | null,
  uid: string | null,
): Promise<{ id: string; series: number; files: Set<string> } | null> {
  if (uid === null) return null;
  const { rows } = await sql<{
    id: string;
    series: number;
  }>`select id, (select max(place) + 1 from series where institution_id = ${iid} and study_id = study.id) as series
    from study where institution_id = ${iid} and patient_id is not distinct from ${patient}::uuid and uid = ${uid} and deleted_at is null`.execute(
    db,
  );
  if (!rows[0]) return null;
  const files = await sql<{
    sop_uid: string | null;
    sha256: string;
  }>`select sop_uid, sha256 from instance where institution_id = ${iid} and study_id = ${rows[0].id}`.execute(db);
  return { ...rows[0], files: new Set(files.rows.map((row) => fileKey(row.sop_uid, row.sha256))) };
}

/** Scans and photos have no identifier: the same bytes are the same file. Where all are there, answers in which study. */
export async function withoutKnown<F extends { sha256: string }>(
  db: Db,
  iid: string,
  patient: string | null,
  study: PlannedStudy<F>,
): Promise<{ study: PlannedStudy<F> } | { study: null; at: string }> {
  const files = study.series.flatMap((one) => one.files.map(({ file }) => file.sha256));
  const { rows } = await sql<{ sha256: string; study_id: string }>`select i.sha256, i.study_id from instance i
    join study t on t.institution_id = i.institution_id and t.id = i.study_id
    where i.institution_id = ${iid} and i.sha256 = any(${files}::text[]) and t.uid is null and t.deleted_at is null
      and t.patient_id is not distinct from ${patient}::uuid`.execute(db);
  const known = new Map(rows.map((row) => [row.sha256, row.study_id]));
  if (files.every((file) => known.has(file))) return { study: null, at: known.get(files[0]!)! };
  // Slices without an identifier are one volume and stay together.
  const series = study.series.map((one) => ({
    ...one,
    files: one.files.filter(({ file, format }) => format === "dicom" || !known.has(file.sha256)),
  }));
  return { study: { ...study, series } };
}

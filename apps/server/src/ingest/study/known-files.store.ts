import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import type { KnownFile, RenamedFile } from "../../study/ingested-studies.writes.ts";
import type { PlannedStudy } from "./plan-studies.ts";
import type { Row } from "../../tables/row.ts";

export const instanceKey = (sopUid: string | null, sha256: string): string => `${sopUid} ${sha256}`;

export interface KnownStudy {
  id: string;
  uid: string | null;
  patient_id: string | null;
  /** The place of its next series. */
  series: number | null;
  files: Map<string, KnownFile>;
}

/** Returns the studies of these UIDs, of all patients and of the inbox, with their files. */
export async function findKnownStudies(db: Db, iid: string, uids: readonly string[]): Promise<KnownStudy[]> {
  if (uids.length === 0) return [];
  const nextPlace = sql<
    number | null
  >`(select max(place) + 1 from series where institution_id = ${iid} and study_id = study.id)`;
  const studies = await db
    .selectFrom("study")
    .select(["id", "uid", "patient_id", nextPlace.as("series")])
    .where("institution_id", "=", iid)
    .where("uid", "in", uids)
    .where("deleted_at", "is", null)
    .execute();
  if (studies.length === 0) return [];
  const { rows } = await sql<
    Row<"instance", "id" | "study_id" | "name" | "sop_uid" | "sha256">
  >`${prepared} select id, study_id, name, sop_uid, sha256 from instance
    where institution_id = ${iid} and study_id = any(${studies.map(({ id }) => id)}::uuid[])`.execute(db);
  const files = Map.groupBy(rows, ({ study_id }) => study_id);
  return studies.map((study) => ({
    ...study,
    files: new Map((files.get(study.id) ?? []).map((row) => [instanceKey(row.sop_uid, row.sha256), row])),
  }));
}

/** Scans and photos have no UID: the same bytes are the same file. If all files exist already, returns their study. */
export async function removeKnownFiles<F extends { sha256: string; name: string }>(
  db: Db,
  iid: string,
  patient: string | null,
  study: PlannedStudy<F>,
): Promise<({ study: PlannedStudy<F> } | { study: null; at: string }) & { renamed: RenamedFile[] }> {
  const incoming = study.series.flatMap((one) => one.files.map(({ file }) => file));
  const files = incoming.map(({ sha256 }) => sha256);
  const { rows } = await sql<
    Row<"instance", "id" | "name" | "sha256" | "study_id">
  >`select i.id, i.name, i.sha256, i.study_id from instance i
    join study t on t.institution_id = i.institution_id and t.id = i.study_id
    where i.institution_id = ${iid} and i.sha256 = any(${files}::text[]) and t.uid is null and t.deleted_at is null
      and t.patient_id is not distinct from ${patient}::uuid`.execute(db);
  const known = new Map(rows.map((row) => [row.sha256, row]));
  const renamed = incoming.flatMap(({ sha256, name }) => {
    const one = known.get(sha256);
    return one && one.name !== name ? [{ known: one, name }] : [];
  });
  if (files.every((file) => known.has(file))) return { study: null, at: known.get(files[0]!)!.study_id, renamed };
  // Slices without a UID are one volume and stay together.
  const series = study.series.map((one) => ({
    ...one,
    files: one.files.filter(({ file, format }) => format === "dicom" || !known.has(file.sha256)),
  }));
  return { study: { ...study, series }, renamed };
}

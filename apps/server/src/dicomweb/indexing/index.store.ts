import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import { lockShownStudies } from "../../domain/patient-matching.ts";
import type { DicomInstanceTable } from "../../tables/schema.generated.ts";
import { parseDicomDate } from "../dicom-date.ts";
import { parseDataset, type JsonDataset } from "../dicom-json.ts";
import { seriesAttributes, studyAttributes, readUid } from "./level-attributes.ts";
import { foldText, toNameSearchText, toNameLines } from "../person-name-search-text.ts";
import type { Column, Row } from "../../tables/row.ts";

export type UnindexedInstance = Row<"instance", "id" | "study_id" | "sha256" | "bytes">;
/** Returns instances of studies that can be retrieved by their UID and have not been indexed yet. */
export const listUnindexed = async (db: Db, iid: string, studies: readonly string[]): Promise<UnindexedInstance[]> =>
  (
    await sql<UnindexedInstance>`${prepared} select i.id, i.study_id, i.sha256, i.bytes from instance i
      join study s on s.institution_id = i.institution_id and s.id = i.study_id
    where i.institution_id = ${iid} and i.study_id = any(${[...studies]}::uuid[]) and i.format = 'dicom'
      and i.sop_uid is not null and s.uid is not null
      and not exists (select from dicom_instance d where d.institution_id = i.institution_id and d.instance_id = i.id)
    order by i.id`.execute(db)
  ).rows;

/**
 * Locks studies against deletion until this transaction ends; other transactions may still write to them. Returns those
 * that were not deleted.
 */
async function lockAgainstDeletion(db: Db, iid: string, studies: readonly string[]): Promise<string[]> {
  if (studies.length === 0) return [];
  const rows = await db
    .selectFrom("study")
    .select("id")
    .where("institution_id", "=", iid)
    .where("id", "in", studies)
    .orderBy("id")
    .forKeyShare()
    .execute();
  return rows.map(({ id }) => id);
}

/** Saves the rows of instances. Skips those that were deleted in the meantime. */
export async function saveInstances(db: Db, iid: string, rows: readonly DicomInstanceTable[]): Promise<void> {
  if (rows.length === 0) return;
  const kept = new Set(await lockAgainstDeletion(db, iid, [...new Set(rows.map(({ study_id }) => study_id))]));
  const { rows: existing } = await sql<
    Row<"instance", "id">
  >`${prepared} select id from instance where institution_id = ${iid} and id = any(${rows.map((row) => row.instance_id)}::uuid[]) order by id for key share`.execute(
    db,
  );
  const here = new Set(existing.map(({ id }) => id));
  const wanted = rows
    .filter((row) => kept.has(row.study_id) && here.has(row.instance_id))
    .toSorted((one, other) => (one.instance_id < other.instance_id ? -1 : 1));
  if (wanted.length > 0)
    await db
      .insertInto("dicom_instance")
      .values([...wanted])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

interface SeriesFound {
  uid: string;
  instances: number;
  metadata: string;
}

/** Makes the levels above from the instances of these studies; a study without any has none. */
export async function saveLevels(db: Db, iid: string, studies: readonly string[]): Promise<void> {
  const kept = await lockAgainstDeletion(db, iid, studies);
  if (kept.length === 0) return;
  await sql`${prepared} select pg_advisory_xact_lock(hashtextextended('arcada dicomweb ' || s.id, 0))
    from unnest(${kept}::text[]) as s (id)`.execute(db);
  await lockShownStudies(db, iid, kept);
  const { rows } = await sql<SeriesFound & { study_id: string }>`${prepared} select distinct on (study_id, series_uid)
      study_id, series_uid as uid, metadata,
      (count(*) over (partition by study_id, series_uid))::int as instances
    from dicom_instance d where institution_id = ${iid} and study_id = any(${kept}::uuid[])
      and not exists (select from dicom_instance e where e.institution_id = d.institution_id and e.study_id = d.study_id
        and e.series_uid = d.series_uid and e.uid = d.uid and e.instance_id < d.instance_id)
    order by study_id, series_uid, number nulls last, uid`.execute(db);
  const found = Map.groupBy(rows, ({ study_id }) => study_id);
  const levels = kept.flatMap((study) => buildLevelRows(iid, study, found.get(study) ?? []) ?? []);
  // The row is kept if possible. Deleting and inserting it would decide twice which study of this UID is shown, and a
  // row that one transaction writes twice needs a lock on its study, which another transaction may hold while it waits
  // for that decision.
  const uids = new Map(levels.map(({ study }) => [study.study_id, study.uid]));
  await sql`${prepared} delete from dicom_study d using unnest(${kept}::uuid[], ${kept.map((id) => uids.get(id) ?? null)}::text[]) as k (id, uid)
    where d.institution_id = ${iid} and d.study_id = k.id and d.uid is distinct from k.uid`.execute(db);
  await sql`${prepared} delete from dicom_series where institution_id = ${iid} and study_id = any(${kept}::uuid[])`.execute(
    db,
  );
  if (levels.length === 0) return;
  await db
    .insertInto("dicom_study")
    .values(levels.map(({ study }) => study))
    .onConflict((conflict) =>
      conflict
        .columns(["institution_id", "study_id"])
        .doUpdateSet((eb) =>
          Object.fromEntries(updatedStudyColumns.map((column) => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .execute();
  const series = levels.flatMap((one) => one.series);
  for (let from = 0; from < series.length; from += rowsAtOnce)
    await db
      .insertInto("dicom_series")
      .values(series.slice(from, from + rowsAtOnce))
      .execute();
}

// PostgreSQL accepts 65,535 parameters in a statement.
const rowsAtOnce = 1000;
const updatedStudyColumns = [
  "uid",
  "names",
  "haystack",
  "referring",
  "patient_number",
  "birth_date",
  "sex",
  "study_date",
  "study_time",
  "accession",
  "study_number",
  "description",
  "modalities",
  "attributes",
] as const;

/** The rows above a study's instances, one instance of each series given; null: it has none. */
export function buildLevelRows(iid: string, study: string, rows: readonly SeriesFound[]) {
  const series = rows.map((row) => ({ ...row, dataset: parseDataset(row.metadata, "") }));
  const first = series[0]?.dataset;
  if (!first) return null;
  const modalities = [
    ...new Set(series.map(({ dataset }) => firstText(dataset, "00080060")).filter(Boolean)),
  ].toSorted();
  const instances = series.reduce((sum, one) => sum + one.instances, 0);
  return {
    study: {
      institution_id: iid,
      study_id: study,
      ...toStudyColumns(first),
      modalities,
      attributes: studyAttributes(first, { modalities, series: series.length, instances }),
    },
    series: series.map((one) => ({
      institution_id: iid,
      study_id: study,
      uid: one.uid,
      modality: firstText(one.dataset, "00080060"),
      number: firstInteger(one.dataset, "00200011"),
      description: firstText(one.dataset, "0008103E"),
      step_date: parseDicomDate(firstText(one.dataset, "00400244")),
      attributes: seriesAttributes(one.dataset, one.instances),
    })),
  };
}

const toStudyColumns = (dataset: JsonDataset) => ({
  uid: readUid(dataset, "0020000D"),
  names: toNameLines(firstPersonName(dataset, "00100010")),
  haystack: toNameSearchText(firstPersonName(dataset, "00100010")),
  referring: toNameLines(firstPersonName(dataset, "00080090")),
  patient_number: firstText(dataset, "00100020"),
  birth_date: parseDicomDate(firstText(dataset, "00100030")),
  sex: firstText(dataset, "00100040"),
  study_date: parseDicomDate(firstText(dataset, "00080020")),
  study_time: firstText(dataset, "00080030").replaceAll(":", ""),
  accession: firstText(dataset, "00080050"),
  study_number: firstText(dataset, "00200010"),
  description: foldText(firstText(dataset, "00081030")),
});

const firstText = (dataset: JsonDataset, tag: string): string => {
  const value = dataset[tag]?.Value?.[0];
  return typeof value === "string" ? value.replaceAll("\0", "").slice(0, 400) : "";
};
const firstInteger = (dataset: JsonDataset, tag: string): number | null => {
  const value = dataset[tag]?.Value?.[0];
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;
};
function firstPersonName(dataset: JsonDataset, tag: string): string {
  const name = dataset[tag]?.Value?.[0] as Record<string, string> | null | undefined;
  const groups = [name?.Alphabetic, name?.Ideographic, name?.Phonetic].map((group) => group ?? "");
  return groups.join("=").replaceAll("\0", "").slice(0, 400);
}

/** Studies that have never been read, some at a time. */
export const listUnindexedStudies = async (db: Db, most: number): Promise<{ iid: string; study: string }[]> =>
  (
    await sql<{
      iid: Column<"study", "institution_id">;
      study: Column<"study", "id">;
    }>`select s.institution_id as iid, s.id as study from study s
    where s.uid is not null and s.deleted_at is null
      and not exists (select from dicom_study d where d.institution_id = s.institution_id and d.study_id = s.id)
      and exists (select from instance i where i.institution_id = s.institution_id and i.study_id = s.id
        and i.format = 'dicom' and i.sop_uid ~ '^[0-9.]{1,64}$')
      and s.uid ~ '^[0-9.]{1,64}$' and s.created_at < now() - interval '10 seconds'
    order by s.created_at desc limit ${most}`.execute(db)
  ).rows;

import { sql } from "kysely";
import type { Insertable, Selectable } from "kysely";
import type { Series } from "@arcada/contract/study/study.schema";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { IngestJobTable, InstanceTable, SeriesTable, StudyTable } from "../tables/schema.generated.ts";
import type { InstanceFormat } from "../tables/study-columns.ts";
import type { Row } from "../tables/row.ts";

/** The job that brings files in. */
type ImportJob = Pick<Selectable<IngestJobTable>, "institution_id" | "id" | "created_by" | "origin">;

/** A file whose bytes are in the store. */
export interface NewFile {
  name: string;
  sha256: string;
  bytes: number;
  /** Set if it is indexed already: a slice of a series that now gets more slices. */
  instance?: string;
}
interface NewSeries {
  kind: Series["kind"];
  uid: string | null;
  modality: string | null;
  description: string | null;
  problems: Series["problems"];
  files: readonly { file: NewFile; sopUid: string | null; format: InstanceFormat }[];
}

type NewStudy = Omit<
  Insertable<StudyTable>,
  "institution_id" | "state" | "thumbnail" | "created_by" | "deleted_at" | "job_id" | "origin"
>;

/** Inserts studies that are still to be converted. */
export async function insertStudyRows(db: Db, job: ImportJob, studies: readonly NewStudy[]): Promise<void> {
  const rows = studies.map((study) => ({
    ...study,
    institution_id: job.institution_id,
    state: "converting" as const,
    thumbnail: null,
    created_by: job.created_by,
    deleted_at: null,
    job_id: job.id,
    origin: job.origin,
  }));
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db
      .insertInto("study")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
}

/** Counts files that are added to a study, which must be converted again. */
export const growStudy = (db: Db, iid: string, id: string, { count, bytes }: { count: number; bytes: number }) =>
  sql`update study set state = 'converting', count = count + ${count}, bytes = bytes + ${bytes} where institution_id = ${iid} and id = ${id}`.execute(
    db,
  );

/** A series, with its place in its study. */
export interface NewSeriesRow {
  id: string;
  study_id: string;
  place: number;
  series: NewSeries;
}

/** Inserts series with those of their files that are new. */
export async function insertSeriesRows(db: Db, job: ImportJob, added: readonly NewSeriesRow[]): Promise<void> {
  const rows = added.map(({ id, study_id, place, series }): Insertable<SeriesTable> => ({
    institution_id: job.institution_id,
    id,
    study_id,
    kind: series.kind,
    uid: series.uid,
    place,
    modality: series.modality,
    description: series.description,
    problems: sql`${JSON.stringify(series.problems)}::jsonb` as never,
    volume: null,
    preview: null,
    thumbnail: null,
    job_id: job.id,
  }));
  const instances = added.flatMap(({ series }, of) =>
    series.files.flatMap((file, at) => (file.file.instance === undefined ? [instanceRow(rows[of]!, file, at)] : [])),
  );
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db
      .insertInto("series")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  for (let from = 0; from < instances.length; from += rowsAtOnce)
    await db
      .insertInto("instance")
      .values(instances.slice(from, from + rowsAtOnce))
      .execute();
}

/** Moves the slices of a series that are indexed already into it. */
export async function moveInstances(db: Db, iid: string, { id, study_id, series }: NewSeriesRow): Promise<void> {
  const moves = series.files.flatMap(({ file }, place) =>
    file.instance === undefined ? [] : [{ id: file.instance, place }],
  );
  if (moves.length === 0) return;
  const done =
    await sql`update instance set series_id = ${id}, place = moved.place from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as moved(id uuid, place int)
    where instance.institution_id = ${iid} and instance.study_id = ${study_id} and instance.id = moved.id`.execute(db);
  if (Number(done.numAffectedRows) !== moves.length) throw new Error("the study changed while more of it came in");
}

// PostgreSQL accepts 65,535 parameters in a statement.
const rowsAtOnce = 1000;

const instanceRow = (
  series: Insertable<SeriesTable>,
  { file, sopUid, format }: NewSeries["files"][number],
  place: number,
): Insertable<InstanceTable> => ({
  institution_id: series.institution_id,
  id: newId(),
  study_id: series.study_id,
  series_id: series.id,
  place,
  sop_uid: sopUid,
  name: file.name,
  format,
  bytes: file.bytes,
  sha256: file.sha256,
  picture: null,
  model: null,
  document: null,
  video: null,
  thumbnail: null,
  fault: null,
  job_id: series.job_id,
});

/** Removes series whose slices have moved to a fuller one, with their derived files. */
export async function deleteEmptySeries(db: Db, iid: string, studyId: string): Promise<string[]> {
  const empty = await sql<
    Row<"series", "id">
  >`select id from series where institution_id = ${iid} and study_id = ${studyId}
    and not exists (select from instance where institution_id = ${iid} and series_id = series.id) order by id`.execute(
    db,
  );
  const ids = empty.rows.map(({ id }) => id);
  // Delete its files first, in the same order as conversions write.
  const dropFiles = () =>
    sql<
      Row<"converted_file", "sha256">
    >`delete from converted_file where institution_id = ${iid} and study_id = ${studyId} and owner_id = any(${ids}::uuid[])
      returning sha256`.execute(db);
  const before = await dropFiles();
  await sql`delete from series where institution_id = ${iid} and id = any(${ids}::uuid[])`.execute(db);
  // Files of a series that was being converted until now.
  const late = await dropFiles();
  return [...before.rows, ...late.rows].map(({ sha256 }) => sha256);
}

/** Images that came before a presentation state that refers to them are made again, as it specifies. */
export const resetImages = (db: Db, iid: string, studyId: string) =>
  sql`update instance set picture = null where institution_id = ${iid} and study_id = ${studyId} and format = 'dicom' and picture is not null`.execute(
    db,
  );

/** A file that is here already, with the name under which it came first. */
export interface KnownFile {
  id: string;
  name: string;
}
/** The same bytes under another name. */
export interface RenamedFile {
  known: KnownFile;
  name: string;
}

const maxNames = 20;

/** Records the other names of files that are already stored: people search for a file by the name that they gave it. */
export async function recordOtherNames(db: Db, iid: string, renamed: readonly RenamedFile[]): Promise<void> {
  if (renamed.length === 0) return;
  const names = JSON.stringify(renamed.map(({ known, name }) => ({ id: known.id, name })));
  await sql`update instance i set also_named = i.also_named || to_jsonb(n.name)
    from (select distinct on (id) id, name from jsonb_to_recordset(${names}::jsonb) as r(id uuid, name text) order by id) n
    where i.institution_id = ${iid} and i.id = n.id and i.name <> n.name and not i.also_named @> to_jsonb(n.name)
      and jsonb_array_length(i.also_named) < ${maxNames}`.execute(db);
}

// People recognise a study by a few of its names; a folder's slices have hundreds.
const maxUploadNames = 500;

/** Asks at a patient whether a study that names another person is theirs; a question that is open already stays. */
export async function openPatientQuestion(
  db: Db,
  iid: string,
  study: string,
  patient: string,
  uploadNames: readonly string[],
): Promise<void> {
  await sql`insert into study_question (institution_id, study_id, patient_id, files)
    values (${iid}, ${study}, ${patient}, ${JSON.stringify(uploadNames.slice(0, maxUploadNames))}::jsonb)
    on conflict do nothing`.execute(db);
}

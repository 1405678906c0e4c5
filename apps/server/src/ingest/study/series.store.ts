import { sql, type Insertable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids.ts";
import type { InstanceTable, SeriesTable } from "../../tables/schema.generated.ts";
import type { PlannedFile, PlannedSeries, StoredFile } from "./plan-studies.ts";
import type { JobRow } from "../content.store.ts";

/** Writes a series with its files; slices that are indexed already are moved into it. */
export async function insertSeries(
  db: Db,
  job: JobRow,
  studyId: string,
  series: PlannedSeries<StoredFile>,
  place: number,
): Promise<void> {
  const row: Insertable<SeriesTable> = {
    institution_id: job.institution_id,
    id: newId(),
    study_id: studyId,
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
  };
  await db.insertInto("series").values(row).execute();
  const instances = series.files.flatMap((file, at) =>
    file.file.instance === undefined ? [instanceRow(row, file, at)] : [],
  );
  await moveInstances(db, row, series.files);
  for (let from = 0; from < instances.length; from += rowsAtOnce)
    await db
      .insertInto("instance")
      .values(instances.slice(from, from + rowsAtOnce))
      .execute();
}

async function moveInstances(
  db: Db,
  { institution_id, id, study_id }: Insertable<SeriesTable>,
  files: readonly PlannedFile<StoredFile>[],
): Promise<void> {
  const moves = files.flatMap(({ file }, place) => (file.instance === undefined ? [] : [{ id: file.instance, place }]));
  const done =
    await sql`update instance set series_id = ${id}, place = moved.place from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as moved(id uuid, place int)
    where instance.institution_id = ${institution_id} and instance.study_id = ${study_id} and instance.id = moved.id`.execute(
      db,
    );
  if (Number(done.numAffectedRows) !== moves.length) throw new Error("the study changed while more of it came in");
}

// PostgreSQL accepts 65,535 parameters in a statement.
const rowsAtOnce = 1000;

const instanceRow = (
  series: Insertable<SeriesTable>,
  { file, sopUid, format }: PlannedFile<StoredFile>,
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
  thumbnail: null,
  fault: null,
  job_id: series.job_id,
});

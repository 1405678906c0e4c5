import { sql, type Selectable } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { notifyClients } from "../../platform/events/events.ts";
import { queryPipelined, type Db } from "../../platform/database/database.ts";
import { isOutage } from "../../platform/http/outages.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import { failConvertingStudies } from "../../study/conversion.writes.ts";
import type { StudyPart } from "../../study/conversion.writes.ts";
import type { InstanceTable, SeriesTable } from "../../tables/schema.generated.ts";
import type { GroupPlace } from "./pixel-task-types.ts";
import type { Column, Row } from "../../tables/row.ts";

/** A series of presentation states contains nothing to convert. */
const isPresentationSeries = sql`'[{"code":"presentation"}]'::jsonb`;

const isPendingVolume = sql<boolean>`(kind = 'volume' and (volume is null or volume ? 'partial'))`;

/** Returns those of these studies of which a volume still waits for conversion. */
export async function listStudiesWithPendingVolume(db: Db, iid: string, studies: readonly string[]): Promise<string[]> {
  if (studies.length === 0) return [];
  const rows = await db
    .selectFrom("series")
    .select("study_id")
    .distinct()
    .where("institution_id", "=", iid)
    .where("study_id", "in", studies)
    .where(isPendingVolume)
    .execute();
  return rows.map(({ study_id }) => study_id);
}

/** Returns the parts of a study that still wait for conversion: whole volumes, and single images or models. */
export async function findPendingWork(db: Db, iid: string, studyId: string) {
  // Sent in one pipeline.
  const [volumes, singles, states] = await queryPipelined(db, [
    sql<
      Selectable<SeriesTable>
    >`${prepared} select * from series where institution_id = ${iid} and study_id = ${studyId}
      and ${isPendingVolume} order by place`,
    sql<
      Selectable<InstanceTable>
    >`${prepared} select i.* from instance i join series s on s.institution_id = i.institution_id and s.study_id = i.study_id and s.id = i.series_id
    where i.institution_id = ${iid} and i.study_id = ${studyId} and s.kind <> 'volume' and i.picture is null and i.model is null and i.document is null and i.video is null and i.fault is null
      and not s.problems @> ${isPresentationSeries} and i.format <> 'mtl' and (s.kind <> 'models' or i.format not in ('jpeg', 'png'))
    order by s.place, i.place`,
    sql<
      Row<"instance", "sha256">
    >`${prepared} select i.sha256 from instance i join series s on s.institution_id = i.institution_id and s.study_id = i.study_id and s.id = i.series_id
    where i.institution_id = ${iid} and i.study_id = ${studyId} and s.problems @> ${isPresentationSeries} order by s.place, i.place limit 100`,
  ]);
  return { volumes, singles, states: states.map(({ sha256 }) => sha256) };
}

export const readSlices = async (
  db: Db,
  iid: string,
  seriesId: string,
): Promise<{ sha256: string; name: string; bytes: number }[]> =>
  (
    await sql<
      Row<"instance", "sha256" | "name" | "bytes">
    >`select sha256, name, bytes from instance where institution_id = ${iid} and series_id = ${seriesId} order by place`.execute(
      db,
    )
  ).rows;

/** Returns the files that came with the models of a series: material libraries and their images. */
export const readMaterials = async (
  db: Db,
  { institution_id, series_id }: Pick<InstanceTable, "institution_id" | "series_id">,
) =>
  (
    await sql<Row<"instance", "name" | "sha256">>`select name, sha256 from instance
      where institution_id = ${institution_id} and series_id = ${series_id} and format in ('mtl', 'jpeg', 'png') order by place limit 100`.execute(
      db,
    )
  ).rows;

/** Returns the groups that are made already. */
export const readGroups = async (db: Db, { institution_id, study_id, id }: StudyPart): Promise<GroupPlace[]> =>
  (
    await sql<GroupPlace>`select role, place from converted_file
      where institution_id = ${institution_id} and study_id = ${study_id} and owner_id = ${id} and role in ('group', 'half')`.execute(
      db,
    )
  ).rows;

/**
 * Runs after the last attempt: marks the files that could not be converted as failed. The person whom the sender named
 * is kept after an outage, because the job may be resumed.
 */
export async function failJob(db: Db, iid: string, job: string, refusal: RefusalName): Promise<void> {
  await sql`update ingest_job set state = 'failed', stage = 'done', refusal = ${refusal}, finished_at = now(),
      sender_person = case when ${isOutage(refusal)} then sender_person end
    where institution_id = ${iid} and id = ${job} and state in ('waiting', 'running')`.execute(db);
  await failConvertingStudies(
    db,
    iid,
    sql`select unnest(studies) from ingest_job where institution_id = ${iid} and id = ${job}`,
  );
  await notifyClients(db, { institutions: [iid] }, "study", job);
}

/** Returns the faults of a job's files, for its list of refused files. */
export const readFaults = async (db: Db, iid: string, job: string): Promise<{ name: string; refusal: string }[]> =>
  (
    await sql<
      Row<"instance", "name"> & { refusal: NonNullable<Column<"instance", "fault">> }
    >`select name, fault as refusal from instance
    where institution_id = ${iid} and job_id = ${job} and fault is not null order by name limit 500`.execute(db)
  ).rows;

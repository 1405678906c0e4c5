import { sql, type Selectable } from "kysely";
import type { IngestJob } from "@arcada/contract/study/study.calls";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { IngestJobTable, InstanceTable, SeriesTable } from "../tables/study.ts";
import type { Named } from "./patient-match.ts";
import type { PlannedFile, PlannedSeries, PlannedStudy } from "./plan.ts";

export type JobRow = Selectable<IngestJobTable>;
/** Which job, as the queue carries it. */
export interface JobKey {
  iid: string;
  job: string;
}
type Stage = IngestJob["stage"];

/** The row of a job that may go on; undefined where it has ended. */
export async function beginJob(db: Db, { iid, job }: JobKey): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`update ingest_job set state = 'running'
    where institution_id = ${iid} and id = ${job} and state in ('waiting', 'running') returning *`.execute(db);
  return rows[0];
}

/** False where the job was cancelled meanwhile. */
export async function stepJob(db: Db, { iid, job }: JobKey, stage: Stage, progress: number): Promise<boolean> {
  const done = await sql`update ingest_job set stage = ${stage}, progress = ${progress}
    where institution_id = ${iid} and id = ${job} and state = 'running'`.execute(db);
  return done.numAffectedRows === 1n;
}

/** Holds the job's row until the transaction ends; false where it was cancelled meanwhile. */
export async function holdJob(db: Db, { iid, job }: JobKey): Promise<boolean> {
  const { rows } = await sql`select from ingest_job where institution_id = ${iid} and id = ${job} and state = 'running' for update`.execute(db);
  return rows.length > 0;
}

export const findJob = async (db: Db, { iid, job }: JobKey): Promise<JobRow | undefined> =>
  (await sql<JobRow>`select * from ingest_job where institution_id = ${iid} and id = ${job}`.execute(db)).rows[0];

/** Kept beside the index, for a run that goes on after it. */
export const noteRefused = (db: Db, { iid, job }: JobKey, refused: IngestJob["refused"]) =>
  sql`update ingest_job set refused = ${JSON.stringify(refused)}::jsonb where institution_id = ${iid} and id = ${job}`.execute(db);

export type Outcome = Pick<IngestJob, "refused"> & Partial<Pick<IngestJob, "refusal" | "mismatch">> & { state: "done" | "failed" };
export async function endJob(db: Db, { iid, job }: JobKey, { state, refused, refusal = null, mismatch = null }: Outcome): Promise<boolean> {
  const done = await sql`update ingest_job set state = ${state}, stage = 'done', progress = 1, finished_at = now(), refusal = ${refusal},
      refused = ${JSON.stringify(refused)}::jsonb, mismatch = ${mismatch && JSON.stringify(mismatch)}::jsonb
    where institution_id = ${iid} and id = ${job} and state = 'running'`.execute(db);
  return done.numAffectedRows === 1n;
}

export async function livingPatient(db: Db, iid: string, id: string): Promise<Named | undefined> {
  const { rows } = await sql<Named>`select name, birth_date as "birthDate" from patient
    where institution_id = ${iid} and id = ${id} and deleted_at is null`.execute(db);
  return rows[0];
}

/** A planned file whose bytes are in the store. */
export interface StoredFile {
  name: string;
  sha256: string;
  bytes: number;
}
type Study = PlannedStudy<StoredFile>;

/** Writes all of a job's studies at once and answers their ids; what the patient has already is not written twice. */
export async function indexStudies(db: Db, job: JobRow, studies: readonly Study[]): Promise<string[]> {
  // Two uploads of one study at the same time must find each other's rows.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada ingest ${job.patient_id}`}, 0))`.execute(db);
  const ids: string[] = [];
  for (const study of studies) ids.push(await indexStudy(db, job, study));
  await sql`update ingest_job set studies = ${[...new Set(ids)]}::uuid[], stage = 'converting'
    where institution_id = ${job.institution_id} and id = ${job.id}`.execute(db);
  return [...new Set(ids)];
}

async function indexStudy(db: Db, job: JobRow, study: Study): Promise<string> {
  const known = await knownStudy(db, job, study.uid);
  const series = study.series
    .map((one) => ({ ...one, files: one.files.filter((file) => !known?.files.has(fileKey(file.sopUid, file.file.sha256))) }))
    .filter(({ files }) => files.length > 0);
  const files = series.flatMap((one) => one.files);
  if (known && files.length === 0) return known.id;
  const [count, bytes] = [files.length, files.reduce((sum, { file }) => sum + file.bytes, 0)];
  const id = known?.id ?? newId();
  if (known) await sql`update study set state = 'converting', count = count + ${count}, bytes = bytes + ${bytes} where institution_id = ${job.institution_id} and id = ${id}`.execute(db);
  else await insertStudy(db, job, id, study, { count, bytes });
  for (const [place, one] of series.entries()) await insertSeries(db, job, id, one, (known?.series ?? 0) + place);
  return id;
}

const fileKey = (sopUid: string | null, sha256: string): string => `${sopUid} ${sha256}`;

async function knownStudy(db: Db, job: JobRow, uid: string | null): Promise<{ id: string; series: number; files: Set<string> } | null> {
  if (uid === null) return null;
  const iid = job.institution_id;
  const { rows } = await sql<{ id: string; series: number }>`select id, (select count(*)::int from series where institution_id = ${iid} and study_id = study.id) as series
    from study where institution_id = ${iid} and patient_id = ${job.patient_id} and uid = ${uid} and deleted_at is null`.execute(db);
  if (!rows[0]) return null;
  const files = await sql<{ sop_uid: string | null; sha256: string }>`select sop_uid, sha256 from instance where institution_id = ${iid} and study_id = ${rows[0].id}`.execute(db);
  return { ...rows[0], files: new Set(files.rows.map((row) => fileKey(row.sop_uid, row.sha256))) };
}

async function insertStudy(db: Db, job: JobRow, id: string, study: Study, size: { count: number; bytes: number }): Promise<void> {
  await db
    .insertInto("study")
    .values({
      institution_id: job.institution_id,
      id,
      patient_id: job.patient_id,
      kind: study.kind,
      kind_certain: study.kindCertain,
      state: "converting",
      uid: study.uid,
      taken_at: study.takenAt?.toISOString() ?? null,
      description: study.description,
      modality: study.modality,
      header: sql`${JSON.stringify(study.header)}::jsonb` as never,
      ...size,
      thumbnail: null,
      created_by: job.created_by,
      deleted_at: null,
      job_id: job.id,
    })
    .execute();
}

async function insertSeries(db: Db, job: JobRow, studyId: string, series: PlannedSeries<StoredFile>, place: number): Promise<void> {
  const row: SeriesTable = {
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
  const instances = series.files.map((file, at) => instanceRow(row, file, at));
  for (let from = 0; from < instances.length; from += rowsAtOnce)
    await db.insertInto("instance").values(instances.slice(from, from + rowsAtOnce)).execute();
}

// PostgreSQL takes 65,535 parameters in a statement.
const rowsAtOnce = 1000;

const instanceRow = (series: SeriesTable, { file, sopUid, format }: PlannedFile<StoredFile>, place: number): InstanceTable => ({
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
  thumbnail: null,
  fault: null,
  job_id: series.job_id,
});

/** Keeps what is stored from being released at the same moment; `alone` is for those who release. */
export async function lockStore(db: Db, iid: string, how: "shared" | "alone"): Promise<void> {
  const key = `arcada originals ${iid}`;
  if (how === "shared") await sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(db);
  else await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}

/** Forgets those of a job's uploads that became part of nothing; answers what the store may now let go. */
export async function forgetUploads(db: Db, iid: string, uploads: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`delete from upload where institution_id = ${iid} and id = any(${[...uploads]}::uuid[]) and state = 'finished'
      and not exists (select from instance i where i.institution_id = ${iid} and i.sha256 = upload.sha256)
      and not exists (select from order_file f where f.owner_id = ${iid} and f.sha256 = upload.sha256)
    returning sha256`.execute(db);
  const contents = rows.map((row) => row.sha256);
  const gone = await sql<{ sha256: string }>`delete from stored_file where institution_id = ${iid} and sha256 = any(${contents}::text[])
      and not exists (select from upload u where u.institution_id = ${iid} and u.sha256 = stored_file.sha256)
    returning sha256`.execute(db);
  return gone.rows.map((row) => row.sha256);
}

export const isCounted = async (db: Db, iid: string, sha256: string): Promise<boolean> =>
  (await sql`select from stored_file where institution_id = ${iid} and sha256 = ${sha256}`.execute(db)).rows.length > 0;

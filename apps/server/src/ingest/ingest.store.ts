import { sql } from "kysely";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import { audit } from "../platform/audit/audit.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { lockCollection } from "../domain/patient-matching.ts";
import { recordContents, type JobKey, type JobRow } from "./job-content-records.store.ts";
import {
  addSeries,
  deleteEmptySeries,
  growStudy,
  insertStudyRow,
  openPatientQuestion,
  recordOtherNames,
  resetImages,
  type KnownFile,
  type RenamedFile,
} from "../study/ingested-studies.writes.ts";
import { instanceKey, findKnownStudy, removeKnownFiles } from "./study/known-files.store.ts";
import {
  lockStudiesForWrite,
  mayNeedConfirmation,
  recordPerson,
  lockOwners,
  type StudyOwner,
} from "./study/study-owner.ts";
import type { PlannedFile, PlannedSeries, PlannedStudy, StoredFile } from "./study/plan-studies.ts";
import type { Column, Row } from "../tables/row.ts";

type Stage = IngestJob["stage"];

/** Sets the job to running unless it has ended already, and returns its row. */
export async function startJob(db: Db, { iid, job }: JobKey): Promise<JobRow | undefined> {
  const { rows } =
    await sql<JobRow>`update ingest_job set state = case when state = 'waiting' then 'running' else state end
    where institution_id = ${iid} and id = ${job} returning *`.execute(db);
  return rows[0];
}

/**
 * Returns false if the job was cancelled in the meantime. A run that lost its heartbeat may still work at the same time
 * as its successor: it does not set back a job that is already indexed.
 */
export async function updateJobProgress(
  db: Db,
  { iid, job }: JobKey,
  stage: Stage,
  progress: number,
): Promise<boolean> {
  const isBehind = sql`stage = 'converting' and ${stage} <> 'converting'`;
  const done =
    await sql`update ingest_job set stage = case when ${isBehind} then stage else ${stage} end, progress = case when ${isBehind} then progress else ${progress} end
    where institution_id = ${iid} and id = ${job} and state = 'running'`.execute(db);
  return done.numAffectedRows === 1n;
}

/** Locks the job's row until the transaction ends; undefined if it was cancelled in the meantime. */
export async function lockJob(db: Db, { iid, job }: JobKey): Promise<{ stage: Stage } | undefined> {
  const { rows } = await sql<
    Row<"ingest_job", "stage">
  >`select stage from ingest_job where institution_id = ${iid} and id = ${job} and state = 'running' for update`.execute(
    db,
  );
  return rows[0];
}

export const findJob = async (db: Db, { iid, job }: JobKey): Promise<JobRow | undefined> =>
  (await sql<JobRow>`select * from ingest_job where institution_id = ${iid} and id = ${job}`.execute(db)).rows[0];

/** Records the refused files together with the index, for a run that resumes after it. */
export const recordRefused = (db: Db, { iid, job }: JobKey, refused: IngestJob["refused"]) =>
  sql`update ingest_job set refused = ${JSON.stringify(refused)}::jsonb where institution_id = ${iid} and id = ${job}`.execute(
    db,
  );

export type JobOutcome = Pick<IngestJob, "refused"> &
  Partial<Pick<IngestJob, "refusal">> & { state: "done" | "failed" };
export async function finishJob(
  db: Db,
  { iid, job }: JobKey,
  { state, refused, refusal = null }: JobOutcome,
): Promise<boolean> {
  const done =
    await sql`update ingest_job set state = ${state}, stage = 'done', progress = 1, finished_at = now(), refusal = ${refusal},
      sender_person = null, refused = ${JSON.stringify(refused)}::jsonb
    where institution_id = ${iid} and id = ${job} and state = 'running'`.execute(db);
  return done.numAffectedRows === 1n;
}

type Study = PlannedStudy<StoredFile>;

/**
 * Writes all studies of a job at once and returns their ids. Files that the patient has already are not written twice;
 * `came` counts all files that could be read.
 */
export async function indexStudies(
  db: Db,
  job: JobRow,
  studies: readonly Study[],
  fileCount: number,
): Promise<string[]> {
  // Two uploads of one study at the same time must see each other's rows. All lock the inbox before patients.
  if (await mayNeedConfirmation(db, job, studies)) await lockCollection(db, job.institution_id, null);
  await lockCollection(db, job.institution_id, job.patient_id);
  const owned = await lockOwners(db, job, studies);
  await lockStudiesForWrite(db, job.institution_id, studies);
  const indexed: IndexedStudy[] = [];
  for (const { study, owner } of owned) {
    const one = await indexStudy(db, job, study, owner);
    indexed.push(one);
    if (owner.question)
      await openPatientQuestion(db, job.institution_id, one.id, owner.question.patient, listNewUploads(study));
  }
  const ids = [...new Set(indexed.map(({ id }) => id))];
  const added = indexed.reduce((sum, one) => sum + one.added, 0);
  const renamed = indexed.flatMap((one) => one.renamed);
  const reported = renamed.slice(0, maxReported).map(({ known, name }) => ({ name, as: known.name }));
  await recordOtherNames(db, job.institution_id, renamed);
  await sql`update ingest_job set studies = ${ids}::uuid[], stage = 'converting', added = ${added}, known = ${fileCount - added},
      known_files = ${JSON.stringify(reported)}::jsonb
    where institution_id = ${job.institution_id} and id = ${job.id}`.execute(db);
  return ids;
}

/** Returns the names under which the new files of a study were uploaded. */
const listNewUploads = ({ series }: Study): string[] => {
  const newFiles = series.flatMap(({ files }) => files.filter(({ file }) => file.instance === undefined));
  return [...new Set(newFiles.map(({ file }) => file.sent))];
};

interface IndexedStudy {
  id: string;
  /** Number of its files that are new. */
  added: number;
  /** Files that exist already under another name. */
  renamed: RenamedFile[];
}

// A batch reports a few files by name, and the number of the others.
const maxReported = 20;

async function indexStudy(db: Db, job: JobRow, planned: Study, owner: StudyOwner): Promise<IndexedStudy> {
  const iid = job.institution_id;
  const remaining =
    planned.uid === null ? await removeKnownFiles(db, iid, owner.patient, planned) : { study: planned, renamed: [] };
  if (!remaining.study) return { id: remaining.at, added: 0, renamed: remaining.renamed };
  const { study } = remaining;
  const known = await findKnownStudy(db, iid, owner.patient, study.uid);
  const isNew = ({ file, sopUid }: PlannedFile<StoredFile>) =>
    file.instance === undefined && !known?.files.has(instanceKey(sopUid, file.sha256));
  const series = study.series.filter(({ files }) => files.some(isNew));
  const renamed = [...remaining.renamed, ...findRenamed(study, known?.files)];
  if (known && series.length === 0) return { id: known.id, added: 0, renamed };
  const files = series.flatMap((one) => one.files.filter(isNew));
  const [count, bytes] = [files.length, files.reduce((sum, { file }) => sum + file.bytes, 0)];
  const id = known?.id ?? newId();
  if (known) await growStudy(db, iid, id, { count, bytes });
  else await insertStudy(db, job, id, study, { count, bytes, owner });
  for (const [at, one] of series.entries()) {
    const wanted = one.files.filter((file) => isNew(file) || file.file.instance !== undefined);
    await addSeries(db, job, id, { ...one, files: wanted }, (known?.series ?? 0) + at);
  }
  if (known && files.length > 0 && series.some(isPresentationSeries)) await resetImages(db, iid, id);
  if (known) await recordContents(db, { iid, job: job.id }, "converted", await deleteEmptySeries(db, iid, id));
  return { id, added: count, renamed };
}

const findRenamed = ({ series }: Study, known: ReadonlyMap<string, KnownFile> = new Map()): RenamedFile[] =>
  series.flatMap(({ files }) =>
    files.flatMap(({ file, sopUid }) => {
      const one = known.get(instanceKey(sopUid, file.sha256));
      return one && file.instance === undefined && one.name !== file.name ? [{ known: one, name: file.name }] : [];
    }),
  );

const isPresentationSeries = ({ problems }: PlannedSeries<StoredFile>): boolean =>
  problems.some(({ code }) => code === "presentation");

export type KnownInstance = Row<"instance", "id" | "name" | "bytes" | "sha256"> & {
  series_uid: NonNullable<Column<"series", "uid">>;
};
/** DICOM files of these series that the patient, or the inbox, has already. */
export const findSeriesInstances = async (
  db: Db,
  iid: string,
  patient: string | null,
  uids: readonly string[],
): Promise<KnownInstance[]> =>
  (
    await sql<KnownInstance>`select i.id, i.name, i.bytes, i.sha256, s.uid as series_uid
    from study t join series s on s.institution_id = t.institution_id and s.study_id = t.id
    join instance i on i.institution_id = s.institution_id and i.series_id = s.id
    where t.institution_id = ${iid} and t.patient_id is not distinct from ${patient}::uuid and t.deleted_at is null
      and i.format = 'dicom' and s.uid = any(${[...uids]}::text[])`.execute(db)
  ).rows;

async function insertStudy(
  db: Db,
  job: JobRow,
  id: string,
  study: Study,
  { owner, ...size }: { count: number; bytes: number; owner: StudyOwner },
): Promise<void> {
  await insertStudyRow(db, job, {
    id,
    patient_id: owner.patient,
    kind: study.kind,
    kind_certain: study.kindCertain,
    photo_view: study.photoView,
    uid: study.uid,
    taken_at: study.takenAt,
    description: study.description,
    modality: study.modality,
    header: sql`${JSON.stringify(study.header)}::jsonb` as never,
    ...size,
  });
  await recordPerson(db, job.institution_id, id, owner.question ? [owner.question.other] : study.people);
  if (owner.by === "number" || owner.by === "name")
    await audit(db, {
      institution_id: job.institution_id,
      user_id: job.created_by,
      action: "study.match",
      subject: id,
      detail: { patient: owner.patient, by: owner.by },
    });
}

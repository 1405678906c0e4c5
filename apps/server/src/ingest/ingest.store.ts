import { sql } from "kysely";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import { audit } from "../platform/audit/audit.ts";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { lockCollection } from "../domain/patient-matching.ts";
import { recordContents, type JobKey, type JobRow } from "./job-content-records.store.ts";
import {
  deleteEmptySeries,
  growStudy,
  insertSeriesRows,
  insertStudyRows,
  moveInstances,
  openPatientQuestion,
  recordOtherNames,
  resetImages,
  type KnownFile,
  type NewSeriesRow,
  type RenamedFile,
} from "../study/ingested-studies.writes.ts";
import { instanceKey, findKnownStudies, removeKnownFiles, type KnownStudy } from "./study/known-files.store.ts";
import {
  lockStudiesForWrite,
  mayNeedConfirmation,
  recordPeople,
  lockOwners,
  type StudyOwner,
} from "./study/study-owner.ts";
import type { Identity } from "./study/patient-identity.ts";
import type { PlannedFile, PlannedSeries, PlannedStudy, StoredFile } from "./study/plan-studies.ts";
import type { Column, Row } from "../tables/row.ts";

type Stage = IngestJob["stage"];

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
    await sql`${prepared} update ingest_job set stage = case when ${isBehind} then stage else ${stage} end, progress = case when ${isBehind} then progress else ${progress} end
    where institution_id = ${iid} and id = ${job} and state = 'running'`.execute(db);
  return done.numAffectedRows === 1n;
}

/** Locks the job's row until the transaction ends; undefined if it was cancelled in the meantime. */
export async function lockJob(db: Db, { iid, job }: JobKey): Promise<{ stage: Stage } | undefined> {
  const { rows } = await sql<
    Row<"ingest_job", "stage">
  >`${prepared} select stage from ingest_job where institution_id = ${iid} and id = ${job} and state = 'running' for update`.execute(
    db,
  );
  return rows[0];
}

export const findJob = async (db: Db, { iid, job }: JobKey): Promise<JobRow | undefined> =>
  (await sql<JobRow>`select * from ingest_job where institution_id = ${iid} and id = ${job}`.execute(db)).rows[0];

/** Records the refused files together with the index, for a run that resumes after it. */
export const recordRefused = (db: Db, { iid, job }: JobKey, refused: IngestJob["refused"]) =>
  sql`${prepared} update ingest_job set refused = ${JSON.stringify(refused)}::jsonb where institution_id = ${iid} and id = ${job}`.execute(
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
    await sql`${prepared} update ingest_job set state = ${state}, stage = 'done', progress = 1, finished_at = now(), refusal = ${refusal},
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
  const iid = job.institution_id;
  // Two uploads of one study at the same time must see each other's rows. All lock the inbox before patients.
  if (await mayNeedConfirmation(db, job, studies)) await lockCollection(db, iid, null);
  await lockCollection(db, iid, job.patient_id);
  const owned = await lockOwners(db, job, studies);
  await lockStudiesForWrite(db, iid, studies);
  const known = await findKnownStudies(
    db,
    iid,
    studies.flatMap(({ uid }) => uid ?? []),
  );
  const indexed: IndexedStudy[] = [];
  const rows = newStudyRows();
  for (const { study, owner } of owned) {
    const one = await indexStudy(db, job, study, { owner, known, rows });
    indexed.push(one);
    // Scans and photographs without a UID are compared with those that are written already.
    if (study.uid === null || owner.question) await writeRows(db, job, rows);
    if (owner.question) await openPatientQuestion(db, iid, one.id, owner.question.patient, listNewUploads(study));
  }
  await writeRows(db, job, rows);
  const ids = [...new Set(indexed.map(({ id }) => id))];
  const added = indexed.reduce((sum, one) => sum + one.added, 0);
  const renamed = indexed.flatMap((one) => one.renamed);
  const reported = renamed.slice(0, maxReported).map(({ known: first, name }) => ({ name, as: first.name }));
  await recordOtherNames(db, iid, renamed);
  await sql`${prepared} update ingest_job set studies = ${ids}::uuid[], stage = 'converting', added = ${added}, known = ${fileCount - added},
      known_files = ${JSON.stringify(reported)}::jsonb
    where institution_id = ${iid} and id = ${job.id}`.execute(db);
  return ids;
}

/** Rows of new studies, which are inserted together. */
interface StudyRows {
  studies: Parameters<typeof insertStudyRows>[2][number][];
  series: NewSeriesRow[];
  people: { study: string; person: Identity }[];
  matched: { study: string; owner: StudyOwner }[];
}
const newStudyRows = (): StudyRows => ({ studies: [], series: [], people: [], matched: [] });

/** Inserts the rows that were collected, and empties the lists. */
async function writeRows(db: Db, job: JobRow, rows: StudyRows): Promise<void> {
  const iid = job.institution_id;
  await insertStudyRows(db, job, rows.studies.splice(0));
  await insertSeriesRows(db, job, rows.series.splice(0));
  await recordPeople(db, iid, rows.people.splice(0));
  const lines = rows.matched.splice(0).map(({ study, owner }) =>
    audit(db, {
      institution_id: iid,
      user_id: job.created_by,
      action: "study.match",
      subject: study,
      detail: { patient: owner.patient, by: owner.by },
    }),
  );
  // Sent in one pipeline.
  await Promise.all(lines);
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

async function indexStudy(
  db: Db,
  job: JobRow,
  planned: Study,
  { owner, known: all, rows }: { owner: StudyOwner; known: readonly KnownStudy[]; rows: StudyRows },
): Promise<IndexedStudy> {
  const iid = job.institution_id;
  const remaining =
    planned.uid === null ? await removeKnownFiles(db, iid, owner.patient, planned) : { study: planned, renamed: [] };
  if (!remaining.study) return { id: remaining.at, added: 0, renamed: remaining.renamed };
  const { study } = remaining;
  const known =
    study.uid !== null && all.find(({ uid, patient_id }) => uid === study.uid && patient_id === owner.patient);
  const isNew = ({ file, sopUid }: PlannedFile<StoredFile>) =>
    file.instance === undefined && !(known && known.files.has(instanceKey(sopUid, file.sha256)));
  const series = study.series.filter(({ files }) => files.some(isNew));
  const renamed = [...remaining.renamed, ...findRenamed(study, known ? known.files : undefined)];
  if (known && series.length === 0) return { id: known.id, added: 0, renamed };
  const files = series.flatMap((one) => one.files.filter(isNew));
  const [count, bytes] = [files.length, files.reduce((sum, { file }) => sum + file.bytes, 0)];
  const id = known ? known.id : newId();
  if (known) await growStudy(db, iid, id, { count, bytes });
  else addStudyRows(rows, id, study, { count, bytes, owner });
  const isWanted = (file: PlannedFile<StoredFile>) => isNew(file) || file.file.instance !== undefined;
  const first = known ? (known.series ?? 0) : 0;
  const added = series.map((one, at) => ({
    id: newId(),
    study_id: id,
    place: first + at,
    series: { ...one, files: one.files.filter(isWanted) },
  }));
  rows.series.push(...added);
  if (known) {
    await writeRows(db, job, rows);
    for (const one of added) await moveInstances(db, iid, one);
    if (files.length > 0 && series.some(isPresentationSeries)) await resetImages(db, iid, id);
    await recordContents(db, { iid, job: job.id }, "converted", await deleteEmptySeries(db, iid, id));
  }
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
/** Returns true if the institution has any of these series. */
export const isAnySeriesKnown = async (db: Db, iid: string, uids: readonly string[]): Promise<boolean> =>
  (
    await sql`${prepared} select from series where institution_id = ${iid} and uid = any(${[...uids]}::text[]) limit 1`.execute(
      db,
    )
  ).rows.length > 0;

/** DICOM files of these series that the patient, or the inbox, has already. */
export const findSeriesInstances = async (
  db: Db,
  iid: string,
  patient: string | null,
  uids: readonly string[],
): Promise<KnownInstance[]> =>
  (
    await sql<KnownInstance>`${prepared} select i.id, i.name, i.bytes, i.sha256, s.uid as series_uid
    from study t join series s on s.institution_id = t.institution_id and s.study_id = t.id
    join instance i on i.institution_id = s.institution_id and i.series_id = s.id
    where t.institution_id = ${iid} and t.patient_id is not distinct from ${patient}::uuid and t.deleted_at is null
      and i.format = 'dicom' and s.uid = any(${[...uids]}::text[])`.execute(db)
  ).rows;

function addStudyRows(
  rows: StudyRows,
  id: string,
  study: Study,
  { owner, ...size }: { count: number; bytes: number; owner: StudyOwner },
): void {
  rows.studies.push({
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
  const person = owner.question ? owner.question.other : study.people[0];
  if (person) rows.people.push({ study: id, person });
  if (owner.by === "number" || owner.by === "name") rows.matched.push({ study: id, owner });
}

import { sql, type Selectable } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { publish, notifyClients } from "../../platform/events/events.ts";
import type { Db } from "../../platform/database/database.ts";
import type { StoredFileInfo } from "../../platform/storage/file-store.ts";
import {
  firstLookPlace,
  overlayPlace,
  type ModelInfo,
  type ImageInfo,
  type VolumeInfo,
} from "../../tables/study-columns.ts";
import {
  type ConvertedFileTable,
  type InstanceTable,
  type SeriesTable,
  type StudyTable,
} from "../../tables/schema.generated.ts";
import { hasOpenQuestion } from "../study/patient-question.store.ts";
import type { GroupPlace } from "./pixel-tasks.ts";
import { studyReady, studyWaiting } from "../../study/study.events.ts";

type Row = { institution_id: string; study_id: string; id: string };

/** A series of presentation states contains nothing to convert. */
const isPresentationSeries = sql`'[{"code":"presentation"}]'::jsonb`;

/** Returns the parts of a study that still wait for conversion: whole volumes, and single images or models. */
export async function findPendingWork(db: Db, iid: string, studyId: string) {
  const volumes = await sql<
    Selectable<SeriesTable>
  >`select * from series where institution_id = ${iid} and study_id = ${studyId}
    and kind = 'volume' and (volume is null or volume ? 'partial') order by place`.execute(db);
  const singles = await sql<
    Selectable<InstanceTable>
  >`select i.* from instance i join series s on s.institution_id = i.institution_id and s.id = i.series_id
    where i.institution_id = ${iid} and i.study_id = ${studyId} and s.kind <> 'volume' and i.picture is null and i.model is null and i.document is null and i.fault is null
      and not s.problems @> ${isPresentationSeries} and i.format <> 'mtl' and (s.kind <> 'models' or i.format not in ('jpeg', 'png'))
    order by s.place, i.place`.execute(db);
  const states = await sql<{
    sha256: string;
  }>`select i.sha256 from instance i join series s on s.institution_id = i.institution_id and s.id = i.series_id
    where i.institution_id = ${iid} and i.study_id = ${studyId} and s.problems @> ${isPresentationSeries} order by s.place, i.place limit 100`.execute(
    db,
  );
  return { volumes: volumes.rows, singles: singles.rows, states: states.rows.map(({ sha256 }) => sha256) };
}

export const readSlices = async (
  db: Db,
  iid: string,
  seriesId: string,
): Promise<{ sha256: string; name: string; bytes: number }[]> =>
  (
    await sql<{
      sha256: string;
      name: string;
      bytes: number;
    }>`select sha256, name, bytes from instance where institution_id = ${iid} and series_id = ${seriesId} order by place`.execute(
      db,
    )
  ).rows;

/** Returns the files that came with the models of a series: material libraries and their images. */
export const readMaterials = async (
  db: Db,
  { institution_id, series_id }: Pick<InstanceTable, "institution_id" | "series_id">,
) =>
  (
    await sql<{ name: string; sha256: string }>`select name, sha256 from instance
      where institution_id = ${institution_id} and series_id = ${series_id} and format in ('mtl', 'jpeg', 'png') order by place limit 100`.execute(
      db,
    )
  ).rows;

/** Notes that a model of this series refers to a material or an image that did not come. */
export async function recordMissingMaterial(
  db: Db,
  { institution_id, series_id }: Pick<InstanceTable, "institution_id" | "series_id">,
): Promise<void> {
  const problem = JSON.stringify([{ code: "materialMissing", detail: "" }]);
  await sql`update series set problems = problems || ${problem}::jsonb
    where institution_id = ${institution_id} and id = ${series_id} and not problems @> ${problem}::jsonb`.execute(db);
}

interface NewFile extends StoredFileInfo {
  role: ConvertedFileTable["role"];
  place: number;
  type: string;
}

export async function saveDerivedFile(db: Db, owner: Row, file: NewFile): Promise<void> {
  await sql`insert into converted_file (institution_id, study_id, owner_id, role, place, sha256, bytes, type)
    values (${owner.institution_id}, ${owner.study_id}, ${owner.id}, ${file.role}, ${file.place}, ${file.sha256}, ${file.bytes}, ${file.type})
    on conflict (institution_id, study_id, owner_id, role, place) do update set sha256 = excluded.sha256, bytes = excluded.bytes, type = excluded.type`.execute(
    db,
  );
}

export type TypedFile = StoredFileInfo & { type: string };

export async function saveImage(
  db: Db,
  row: Row,
  converted: { info: ImageInfo; images: TypedFile[]; overlays: TypedFile[]; thumbnail: StoredFileInfo },
): Promise<void> {
  for (const [place, image] of converted.images.entries())
    await saveDerivedFile(db, row, { ...image, role: "picture", place });
  for (const [frame, overlay] of converted.overlays.entries())
    await saveDerivedFile(db, row, { ...overlay, role: "picture", place: overlayPlace + frame });
  await sql`update instance set picture = ${JSON.stringify(converted.info)}::jsonb, thumbnail = ${converted.thumbnail.sha256}
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

export async function saveModel(
  db: Db,
  row: Row,
  converted: { info: ModelInfo; glb: StoredFileInfo & { type: string }; thumbnail: StoredFileInfo },
): Promise<void> {
  await saveDerivedFile(db, row, { ...converted.glb, role: "mesh", place: 0 });
  await sql`update instance set model = ${JSON.stringify(converted.info)}::jsonb, thumbnail = ${converted.thumbnail.sha256}
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

/** @param file the PDF out of a DICOM file; null where the file itself is one */
export async function saveDocument(db: Db, row: Row, file: TypedFile | null): Promise<void> {
  if (file) await saveDerivedFile(db, row, { ...file, role: "document", place: 0 });
  await sql`update instance set document = '{}'::jsonb where institution_id = ${row.institution_id} and id = ${row.id}`.execute(
    db,
  );
}

interface ConvertedVolume {
  info: VolumeInfo;
  preview: VolumeInfo;
  thumbnail: StoredFileInfo;
  files: Record<"preview" | "firstLook", TypedFile>;
}
/** Publishes that a volume can be viewed while its slices are still to come. */
export async function publishVolume(db: Db, row: Row, converted: ConvertedVolume): Promise<void> {
  await saveDerivedFile(db, row, { ...converted.files.preview, role: "preview", place: 0 });
  await saveDerivedFile(db, row, { ...converted.files.firstLook, role: "preview", place: firstLookPlace });
  const volume: VolumeInfo = { ...converted.info, partial: true };
  await sql`update series set volume = ${JSON.stringify(volume)}::jsonb, preview = ${JSON.stringify(converted.preview)}::jsonb, thumbnail = ${converted.thumbnail.sha256}
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
  await notifyClients(db, { institutions: [row.institution_id] }, "study", row.study_id);
}

export async function completeVolume(db: Db, row: Row, arch: VolumeInfo["arch"]): Promise<void> {
  await sql`update series set volume = (volume - 'partial') || ${JSON.stringify({ arch })}::jsonb
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

export async function saveFault(db: Db, row: Row, fault: string): Promise<void> {
  await sql`update instance set fault = ${fault} where institution_id = ${row.institution_id} and id = ${row.id}`.execute(
    db,
  );
}

/** Returns the groups that are made already. */
export const readGroups = async (db: Db, { institution_id, study_id, id }: Row): Promise<GroupPlace[]> =>
  (
    await sql<GroupPlace>`select role, place from converted_file
      where institution_id = ${institution_id} and study_id = ${study_id} and owner_id = ${id} and role in ('group', 'half')`.execute(
      db,
    )
  ).rows;

export async function recordProblem(db: Db, row: Row, problem: { code: string; detail: string }): Promise<void> {
  await sql`update series set problems = problems || ${JSON.stringify([problem])}::jsonb
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

/** A volume that cannot be built is still a stack of images. */
export async function degradeToImages(db: Db, row: Row, problem: { code: string; detail: string }): Promise<void> {
  await sql`update series set kind = 'pictures', volume = null, preview = null, problems = problems || ${JSON.stringify([problem])}::jsonb
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

/**
 * Sets a study to ready, if anything of it can be shown, and notifies those who wait for it; `again`: it was ready
 * before.
 */
export async function finishStudy(db: Db, iid: string, id: string, isReconversion: boolean): Promise<void> {
  // Lock the patient first: a subscriber of the event records that the patient was here.
  await sql`select from patient where institution_id = ${iid}
    and id = (select patient_id from study where institution_id = ${iid} and id = ${id}) for no key update`.execute(db);
  await sql`select from study where institution_id = ${iid} and id = ${id} for no key update`.execute(db);
  await sql`update series set thumbnail = coalesce(thumbnail, (select i.thumbnail from instance i
      where i.institution_id = ${iid} and i.series_id = series.id and i.thumbnail is not null order by i.place limit 1))
    where institution_id = ${iid} and study_id = ${id}`.execute(db);
  const { rows } = await sql<Selectable<StudyTable>>`update study set
      thumbnail = (select s.thumbnail from series s where s.institution_id = ${iid} and s.study_id = ${id} and s.thumbnail is not null
        order by s.kind = 'volume' desc, s.place limit 1),
      state = case when exists (select from series s where s.institution_id = ${iid} and s.study_id = ${id} and s.volume is not null)
        or exists (select from instance i where i.institution_id = ${iid} and i.study_id = ${id} and (i.picture is not null or i.model is not null or i.document is not null))
        then 'ready' else 'failed' end
    where institution_id = ${iid} and id = ${id} and state = 'converting' returning *`.execute(db);
  const study = rows[0];
  if (!study) return;
  await notifyClients(db, { institutions: [iid] }, "study", id);
  if (study.state !== "ready") return;
  // A study without a patient belongs to no visit yet, and no order can wait for it. An open question is shown on the
  // patient's page.
  if (study.patient_id === null) {
    if (!isReconversion && !(await hasOpenQuestion(db, iid, id)))
      await publish(db, studyWaiting, { institution: iid, kind: study.kind });
  } else
    await publish(db, studyReady, {
      studyId: id,
      patientId: study.patient_id,
      institution: iid,
      user: study.created_by,
      kind: study.kind,
      again: isReconversion,
      sent: study.origin !== "upload" || (await isApiKey(db, study.created_by)),
    });
}

const isApiKey = async (db: Db, user: string): Promise<boolean> =>
  (await db.selectFrom("api_key").select("id").where("id", "=", user).executeTakeFirst()) !== undefined;

/** Runs after the last attempt: marks the files that could not be converted as failed. */
export async function failJob(db: Db, iid: string, job: string, refusal: RefusalName): Promise<void> {
  await sql`update ingest_job set state = 'failed', stage = 'done', refusal = ${refusal}, finished_at = now()
    where institution_id = ${iid} and id = ${job} and state in ('waiting', 'running')`.execute(db);
  await sql`update study set state = 'failed' where institution_id = ${iid} and state = 'converting' and id in (
    select id from study where institution_id = ${iid} and id = any (select unnest(studies) from ingest_job where institution_id = ${iid} and id = ${job})
    order by id for no key update)`.execute(db);
  await notifyClients(db, { institutions: [iid] }, "study", job);
}

/** Returns the faults of a job's files, for its list of refused files. */
export const readFaults = async (db: Db, iid: string, job: string): Promise<{ name: string; refusal: string }[]> =>
  (
    await sql<{ name: string; refusal: string }>`select name, fault as refusal from instance
    where institution_id = ${iid} and job_id = ${job} and fault is not null order by name limit 500`.execute(db)
  ).rows;

import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import { publish, notifyClients } from "../platform/events/events.ts";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import { markUnneeded } from "../platform/storage/blob-references.ts";
import type { StoredFileInfo } from "../platform/storage/file-store.ts";
import {
  archImagesPlace,
  firstLookPlace,
  coarseCopyPlace,
  surfacePlace,
  overlayPlace,
  type ModelInfo,
  type ImageInfo,
  type VideoInfo,
  type VolumeInfo,
} from "../tables/study-columns.ts";
import type { ConvertedFileTable, InstanceTable, StudyTable } from "../tables/schema.generated.ts";
import { studyReady, studyWaiting } from "./study.events.ts";

/** A series or an instance, for which files are converted. */
export interface StudyPart {
  institution_id: string;
  study_id: string;
  id: string;
}

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

export async function saveDerivedFile(db: Db, owner: StudyPart, file: NewFile): Promise<void> {
  await sql`${prepared} insert into converted_file (institution_id, study_id, owner_id, role, place, sha256, bytes, type)
    values (${owner.institution_id}, ${owner.study_id}, ${owner.id}, ${file.role}, ${file.place}, ${file.sha256}, ${file.bytes}, ${file.type})
    on conflict (institution_id, study_id, owner_id, role, place) do update set sha256 = excluded.sha256, bytes = excluded.bytes, type = excluded.type`.execute(
    db,
  );
}

export type TypedFile = StoredFileInfo & { type: string };

export async function saveImage(
  db: Db,
  row: StudyPart,
  converted: { info: ImageInfo; images: TypedFile[]; overlays: TypedFile[]; thumbnail: StoredFileInfo },
): Promise<void> {
  // Sent in one pipeline.
  await Promise.all([
    ...converted.images.map((image, place) => saveDerivedFile(db, row, { ...image, role: "picture", place })),
    ...converted.overlays.map((overlay, frame) =>
      saveDerivedFile(db, row, { ...overlay, role: "picture", place: overlayPlace + frame }),
    ),
  ]);
  await sql`${prepared} update instance set picture = ${JSON.stringify(converted.info)}::jsonb, thumbnail = ${converted.thumbnail.sha256}
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

interface NewModel {
  info: ModelInfo;
  glb: TypedFile;
  surface: TypedFile | null;
  thumbnail: StoredFileInfo;
}

export async function saveModel(db: Db, row: StudyPart, converted: NewModel): Promise<void> {
  if (converted.surface) await saveDerivedFile(db, row, { ...converted.surface, role: "mesh", place: surfacePlace });
  // In the order of `saveCoarseCopy`.
  await saveDerivedFile(db, row, { ...converted.glb, role: "mesh", place: 0 });
  await deleteDerivedFile(db, row, { role: "mesh", place: coarseCopyPlace });
  await sql`update instance set model = ${JSON.stringify(converted.info)}::jsonb, thumbnail = ${converted.thumbnail.sha256}
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

/** Deletes a file of an earlier conversion that the new one did not make, because it does not belong to the others. */
async function deleteDerivedFile(
  db: Db,
  { institution_id, study_id, id }: StudyPart,
  { role, place }: Pick<NewFile, "role" | "place">,
): Promise<void> {
  const old = await db
    .deleteFrom("converted_file")
    .where("institution_id", "=", institution_id)
    .where("study_id", "=", study_id)
    .where("owner_id", "=", id)
    .where("role", "=", role)
    .where("place", "=", place)
    .returning("sha256")
    .execute();
  if (old.length > 0)
    await markUnneeded(
      db,
      institution_id,
      old.map(({ sha256 }) => ({ area: "converted", sha256 })),
    );
}

/**
 * Saves the coarse copy of a streaming copy; false if the scan no longer has that one. `glb`: content of the streaming
 * copy.
 * @param coarse its `error` is its largest distance from the streaming copy, in mm
 */
export async function saveCoarseCopy(
  db: Db,
  row: StudyPart & { glb: string },
  { error, ...file }: StoredFileInfo & { error: number },
): Promise<boolean> {
  // Those who remove files for viewers lock the study first, too.
  await sql`select from study where institution_id = ${row.institution_id} and id = ${row.study_id} for no key update`.execute(
    db,
  );
  const current = await db
    .selectFrom("converted_file")
    .select("type")
    .where("institution_id", "=", row.institution_id)
    .where("study_id", "=", row.study_id)
    .where("owner_id", "=", row.id)
    .where("role", "=", "mesh")
    .where("place", "=", 0)
    .where("sha256", "=", row.glb)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!current) return false;
  await saveDerivedFile(db, row, { ...file, ...current, role: "mesh", place: coarseCopyPlace });
  // The streaming copy is itself off the source file.
  await sql`update instance set model = model || jsonb_build_object('coarseError', coalesce((model->>'glbError')::float, 0) + ${error}::float)
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
  return true;
}

/** @param file the PDF out of a DICOM file; null where the file itself is one */
export async function saveDocument(db: Db, row: StudyPart, file: TypedFile | null): Promise<void> {
  if (file) await saveDerivedFile(db, row, { ...file, role: "document", place: 0 });
  await sql`update instance set document = '{}'::jsonb where institution_id = ${row.institution_id} and id = ${row.id}`.execute(
    db,
  );
}

export const saveVideo = (db: Db, { institution_id, id }: StudyPart, video: VideoInfo) =>
  db
    .updateTable("instance")
    .set({ video: sql`${JSON.stringify(video)}::jsonb` as never })
    .where("institution_id", "=", institution_id)
    .where("id", "=", id)
    .execute();

interface ConvertedVolume {
  info: VolumeInfo;
  preview: VolumeInfo;
  thumbnail: StoredFileInfo;
  files: Record<"preview" | "firstLook", TypedFile>;
}
/** Publishes that a volume can be viewed while its slices are still to come. */
export async function publishVolume(db: Db, row: StudyPart, converted: ConvertedVolume): Promise<void> {
  await saveDerivedFile(db, row, { ...converted.files.preview, role: "preview", place: 0 });
  await saveDerivedFile(db, row, { ...converted.files.firstLook, role: "preview", place: firstLookPlace });
  const volume: VolumeInfo = { ...converted.info, partial: true };
  await sql`update series set volume = ${JSON.stringify(volume)}::jsonb, preview = ${JSON.stringify(converted.preview)}::jsonb, thumbnail = ${converted.thumbnail.sha256}
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
  await notifyClients(db, { institutions: [row.institution_id] }, "study", row.study_id);
}

/** @param archImages the images with which a viewer of the arch begins; null if no arch was found */
export async function completeVolume(
  db: Db,
  row: StudyPart,
  arch: VolumeInfo["arch"],
  archImages: TypedFile | null,
): Promise<void> {
  const key = { role: "preview", place: archImagesPlace } as const;
  if (archImages) await saveDerivedFile(db, row, { ...archImages, ...key });
  else await deleteDerivedFile(db, row, key);
  await sql`update series set volume = (volume - 'partial') || ${JSON.stringify({ arch })}::jsonb
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

export async function saveFault(db: Db, row: StudyPart, fault: string): Promise<void> {
  await sql`update instance set fault = ${fault} where institution_id = ${row.institution_id} and id = ${row.id}`.execute(
    db,
  );
}

export async function recordProblem(db: Db, row: StudyPart, problem: { code: string; detail: string }): Promise<void> {
  await sql`update series set problems = problems || ${JSON.stringify([problem])}::jsonb
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

/** A volume that cannot be built is still a stack of images. */
export async function degradeToImages(
  db: Db,
  row: StudyPart,
  problem: { code: string; detail: string },
): Promise<void> {
  await sql`update series set kind = 'pictures', volume = null, preview = null, problems = problems || ${JSON.stringify([problem])}::jsonb
    where institution_id = ${row.institution_id} and id = ${row.id}`.execute(db);
}

/**
 * Sets a study to ready, if anything of it can be shown, and notifies those who wait for it; `again`: it was ready
 * before.
 */
export async function finishStudy(db: Db, iid: string, id: string, isReconversion: boolean): Promise<void> {
  // Lock the patient first: a subscriber of the event records that the patient was here.
  await sql`${prepared} select from patient where institution_id = ${iid}
    and id = (select patient_id from study where institution_id = ${iid} and id = ${id}) for no key update`.execute(db);
  await sql`${prepared} select from study where institution_id = ${iid} and id = ${id} for no key update`.execute(db);
  await sql`${prepared} update series set thumbnail = coalesce(thumbnail, (select i.thumbnail from instance i
      where i.institution_id = ${iid} and i.series_id = series.id and i.thumbnail is not null order by i.place limit 1))
    where institution_id = ${iid} and study_id = ${id}`.execute(db);
  const { rows } = await sql<Selectable<StudyTable>>`${prepared} update study set
      thumbnail = (select s.thumbnail from series s where s.institution_id = ${iid} and s.study_id = ${id} and s.thumbnail is not null
        order by s.kind = 'volume' desc, s.place limit 1),
      state = case when exists (select from series s where s.institution_id = ${iid} and s.study_id = ${id} and s.volume is not null)
        or exists (select from instance i where i.institution_id = ${iid} and i.study_id = ${id} and (i.picture is not null or i.model is not null or i.document is not null or i.video is not null))
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
      job: study.job_id,
      institution: iid,
      user: study.created_by,
      kind: study.kind,
      again: isReconversion,
      sent: study.origin !== "upload" || (await isApiKey(db, study.created_by)),
    });
}

const isApiKey = async (db: Db, user: string): Promise<boolean> =>
  (await db.selectFrom("api_key").select("id").where("id", "=", user).executeTakeFirst()) !== undefined;

/** Returns true if a study waits for an answer at a patient who is not deleted. */
async function hasOpenQuestion(db: Db, iid: string, study: string): Promise<boolean> {
  const { rows } = await sql`${prepared} select from study_question q
    join patient p on p.institution_id = q.institution_id and p.id = q.patient_id
    where q.institution_id = ${iid} and q.study_id = ${study} and p.deleted_at is null limit 1`.execute(db);
  return rows.length > 0;
}

/** Marks failed studies as being converted, for a job that is run again; those that still yield nothing fail again. */
export async function resumeConvertingStudies(db: Db, iid: string, studies: readonly string[]): Promise<void> {
  if (studies.length === 0) return;
  await db
    .updateTable("study")
    .set({ state: "converting" })
    .where("institution_id", "=", iid)
    .where("state", "=", "failed")
    .where("id", "in", [...studies])
    .execute();
}

/**
 * Marks studies that are being converted as failed.
 * @param studies a query of their ids
 */
export const failConvertingStudies = (db: Db, iid: string, studies: RawBuilder<unknown>) =>
  sql`update study set state = 'failed' where institution_id = ${iid} and state = 'converting' and id in (
    select id from study where institution_id = ${iid} and id = any (${studies}) order by id for no key update)`.execute(
    db,
  );

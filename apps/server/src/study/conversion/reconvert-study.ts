import { sql } from "kysely";
import type { Conversion } from "@arcada/contract/study/conversion.calls";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import type { EventData } from "../../platform/events/events.ts";
import { sendIngestJob } from "../../domain/ingest-queue.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { lockPatients } from "../../domain/patient-matching.ts";
import { cancelIngestJob, insertReconversionJob, reconversionKey } from "../../ingest/ingest-job.writes.ts";
import type { StudyRecord } from "../study.store.ts";
import type { JobRow } from "../upload-job/upload-job.store.ts";
import type { convertedFilesLost } from "../../retention/scrub.events.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

/** Trouble of ours, not of the files: a volume with it stays a volume, to be tried again. */
const retryableProblems = ["fileDamaged", "conversionDied", "fileTooSlow"];

/**
 * Begins to make the files for viewers of a study, if they were removed or could not all be made. A reader from another
 * institution may do so too, as the user who imported the study.
 */
export async function reconvertStudy(db: Db, study: StudyRecord, by: string): Promise<void> {
  const { institution_id: iid, id } = study;
  await bypassTenantScope(db, async () => {
    // The job refers to the patient, who is locked before the study.
    if (study.patient_id) await lockPatients(db, iid, [study.patient_id]);
    await sql`select from study where institution_id = ${iid} and id = ${id} for no key update`.execute(db);
    const isBeingMade = sql`exists (select from ingest_job where institution_id = ${iid} and upload_key = ${reconversionKey(id)} and state in ('waiting', 'running'))`;
    const begun = await sql`update study set state = 'converting', used_at = now()
      where institution_id = ${iid} and id = ${id} and deleted_at is null and not ${isBeingMade} and (state in ('unconverted', 'failed') or state = 'ready' and (
        exists (select from instance where institution_id = ${iid} and study_id = ${id} and fault is not null)
        or exists (select from series where institution_id = ${iid} and study_id = ${id} and kind = 'volume' and (volume is null or volume ? 'partial'))))`.execute(
      db,
    );
    if (begun.numAffectedRows === 0n) return;
    await sql`update instance set fault = null where institution_id = ${iid} and study_id = ${id} and fault is not null`.execute(
      db,
    );
    await sql`update series set problems = (select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(problems) p where p->>'code' <> all(${retryableProblems}::text[]))
      where institution_id = ${iid} and study_id = ${id} and kind = 'volume' and (volume is null or volume ? 'partial')`.execute(
      db,
    );
    const job = newId();
    await insertReconversionJob(db, iid, {
      id: job,
      study: id,
      ...pickColumns(study, "patient_id", "origin"),
      by,
    });
    await sendIngestJob(db, { iid, job });
    await notifyClients(db, { institutions: [iid] }, "study", id);
  });
}

/** Subscriber: lost files for viewers of a study are made again. */
export async function reconvertLostFiles(db: Db, domainEvent: EventData<typeof convertedFilesLost>): Promise<void> {
  const { institution, study: id } = domainEvent;
  const study = await bypassTenantScope(db, () =>
    db
      .selectFrom("study")
      .selectAll()
      .where("institution_id", "=", institution)
      .where("id", "=", id)
      .executeTakeFirst(),
  );
  if (study) await reconvertStudy(db, study, study.created_by);
}

const progressBeforeConversion = 0.5;

/** Returns the progress of a study's files for viewers, in the job that imported it or in one that makes them again. */
export async function findConversion(db: Db, { institution_id, id }: StudyRecord, owns: boolean): Promise<Conversion> {
  const hasVolume = sql<boolean>`exists (select from series v
    where v.institution_id = s.institution_id and v.study_id = s.id and v.volume is not null)`;
  return bypassTenantScope(db, async () => {
    const { state, isShown, job, progress, again } = await db
      .selectFrom("study as s")
      .leftJoin("ingest_job as j", (join) =>
        join
          .onRef("j.institution_id", "=", "s.institution_id")
          .on(sql<boolean>`s.id = any(j.studies)`)
          .on("j.state", "in", ["waiting", "running"]),
      )
      .select(["s.state", hasVolume.as("isShown"), "j.id as job", "j.progress", "j.again"])
      .where("s.institution_id", "=", institution_id)
      .where("s.id", "=", id)
      .orderBy("j.created_at", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const share = ((progress ?? 0) - progressBeforeConversion) / (1 - progressBeforeConversion);
    return {
      state,
      isShown: state === "ready" || isShown,
      again: again ?? false,
      job: owns && again ? job : null,
      progress: state === "converting" ? Math.max(0, share) : 1,
    };
  });
}

/** Stops making the files again. Finished files stay for the next time. */
export async function stopConversion(db: Db, { institution_id: iid, id, studies }: JobRow): Promise<void> {
  if (!(await cancelIngestJob(db, iid, id, { withResults: false }))) return;
  await sql`update study set state = case when exists (select from series s where s.institution_id = ${iid} and s.study_id = study.id and s.volume is not null)
      or exists (select from instance i where i.institution_id = ${iid} and i.study_id = study.id and (i.picture is not null or i.model is not null or i.document is not null or i.video is not null))
      then 'ready' else 'unconverted' end
    where institution_id = ${iid} and id = any(${studies}::uuid[]) and state = 'converting'`.execute(db);
  for (const study of studies) await notifyClients(db, { institutions: [iid] }, "study", study);
}

import { sql } from "kysely";
import type { SenderPerson } from "@arcada/contract/study/inbox.calls";
import type { StudyKind, StudyOrigin } from "@arcada/contract/study/study.rules";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";

interface NewIngestJob {
  id: string;
  /** Null: the files themselves determine their patients. */
  patientId: string | null;
  kind: StudyKind | null;
  uploads: readonly string[];
  /** Only one job with the same key is under way at a time. */
  key: string;
  acceptMismatch: boolean;
  photoViews?: Readonly<Record<string, PhotoView>>;
  by: string;
  origin: StudyOrigin;
  /** The person whom the sender's program names, for files that name nobody. */
  senderPerson?: SenderPerson | undefined;
}

/** Returns false if a job with the same key is under way. */
export async function insertIngestJob(db: Db, iid: string, job: NewIngestJob): Promise<boolean> {
  const done =
    await sql`${prepared} insert into ingest_job (institution_id, id, patient_id, kind, uploads, upload_key, accept_mismatch, photo_views, created_by, origin, sender_person)
    values (${iid}, ${job.id}, ${job.patientId}, ${job.kind}, ${[...job.uploads]}::uuid[], ${job.key}, ${job.acceptMismatch},
      ${JSON.stringify(job.photoViews ?? {})}::jsonb, ${job.by}, ${job.origin},
      ${job.senderPerson ? JSON.stringify(job.senderPerson) : null}::jsonb)
    on conflict do nothing`.execute(db);
  return done.numAffectedRows === 1n;
}

export const reconversionKey = (study: string): string => `again ${study}`;

/** Inserts a job that makes the files for viewers of a study again, from its originals. */
export const insertReconversionJob = (
  db: Db,
  iid: string,
  job: Pick<NewIngestJob, "id" | "patientId" | "by" | "origin"> & { study: string },
) =>
  sql`insert into ingest_job (institution_id, id, patient_id, uploads, upload_key, accept_mismatch, stage, studies, again, created_by, origin)
    values (${iid}, ${job.id}, ${job.patientId}, '{}', ${reconversionKey(job.study)}, true, 'converting', array[${job.study}::uuid], true, ${job.by}, ${job.origin})`.execute(
    db,
  );

/** Returns false if the job has ended already. A job that is cancelled with its results has no studies any more. */
export async function cancelIngestJob(
  db: Db,
  iid: string,
  id: string,
  { withResults }: { withResults: boolean },
): Promise<boolean> {
  const done = await sql`update ingest_job set state = 'cancelled', finished_at = now(), sender_person = null
      ${withResults ? sql`, studies = '{}'` : sql``}
    where institution_id = ${iid} and id = ${id} and state in ('waiting', 'running')`.execute(db);
  return done.numAffectedRows === 1n;
}

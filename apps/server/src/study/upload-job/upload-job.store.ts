import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { SenderPerson } from "@arcada/contract/study/inbox.calls";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import type { StudyKind, StudyOrigin } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { cancelIngestJob, insertIngestJob } from "../../ingest/ingest-job.writes.ts";
import type { IngestJobTable } from "../../tables/schema.generated.ts";
import type { Row } from "../../tables/row.ts";
import { deleteJobResults } from "../study.store.ts";

export type JobRow = Selectable<IngestJobTable> & {
  /** Its studies that wait for an answer at the patient. */
  questions: string[];
};

export type UploadState = Row<"upload", "id" | "user_id" | "state" | "bytes" | "name">;
export const listUploads = async (db: Db, iid: string, ids: string[]): Promise<UploadState[]> =>
  (
    await sql<UploadState>`select id, user_id, state, bytes, name from upload where institution_id = ${iid} and id = any(${ids}::uuid[])`.execute(
      db,
    )
  ).rows;

export interface JobInput {
  /** Null: the files themselves determine their patients. */
  patientId: string | null;
  kind: StudyKind | undefined;
  uploads: string[];
  acceptMismatch: boolean;
  photoViews?: Readonly<Record<string, PhotoView>> | undefined;
  origin?: StudyOrigin;
  senderPerson?: SenderPerson | undefined;
}

/** Creates a job, or returns the one that already works on the same uploads for the same patient. */
export async function insertJob(
  db: Db,
  iid: string,
  uid: string,
  input: JobInput,
): Promise<{ job: JobRow; fresh: boolean }> {
  const key = uploadKeyOf(input);
  const id = newId();
  const { kind = null, origin = "upload", photoViews = {}, ...files } = input;
  await insertIngestJob(db, iid, { ...files, photoViews, id, key, kind, origin, by: uid });
  const { rows } =
    await sql<JobRow>`select ${jobColumns} from ingest_job j where institution_id = ${iid} and upload_key = ${key} and state in ('waiting', 'running')`.execute(
      db,
    );
  return { job: rows[0]!, fresh: rows[0]!.id === id };
}

type JobFiles = Pick<JobInput, "patientId" | "uploads">;
const uploadKeyOf = ({ patientId, uploads }: JobFiles): string =>
  createHash("sha256")
    .update(JSON.stringify([patientId, uploads.toSorted()]))
    .digest("hex");

/** Returns true if another job works on some of these uploads, which will release unused ones at its end. */
export async function areInOtherJob(db: Db, iid: string, input: JobFiles): Promise<boolean> {
  const { rows } = await sql`select from ingest_job where institution_id = ${iid} and state in ('waiting', 'running')
    and uploads && ${input.uploads}::uuid[] and upload_key <> ${uploadKeyOf(input)} limit 1`.execute(db);
  return rows.length > 0;
}

export const findJob = async (db: Db, iid: string, id: string): Promise<JobRow | undefined> =>
  (await sql<JobRow>`select ${jobColumns} from ingest_job j where institution_id = ${iid} and id = ${id}`.execute(db))
    .rows[0];

const jobColumns = sql`j.*, array(select q.study_id from study_question q where q.institution_id = j.institution_id
  and q.patient_id = j.patient_id and q.study_id = any(j.studies)) as questions`;

/** Cancels a job that has not ended, with everything that it has made visible already. */
export async function cancelJob(db: Db, iid: string, id: string): Promise<void> {
  if (await cancelIngestJob(db, iid, id, { withResults: true })) await deleteJobResults(db, iid, id);
}

/** A job that has added to an older study can no longer be cancelled: the study needs what it has added. */
export async function extendsOlderStudy(db: Db, { institution_id, id, studies }: JobRow): Promise<boolean> {
  const { rows } =
    await sql`select from study where institution_id = ${institution_id} and id = any(${studies}::uuid[]) and job_id is distinct from ${id}::uuid limit 1`.execute(
      db,
    );
  return rows.length > 0;
}

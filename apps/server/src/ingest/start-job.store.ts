import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import { isOutage } from "../platform/http/outages.ts";
import { resumeConvertingStudies } from "../study/conversion.writes.ts";
import type { JobKey, JobRow } from "./job-content-records.store.ts";

/** Sets the job to running unless it has ended already, and returns its row. One that an outage ended is resumed. */
export async function startJob(db: Db, { iid, job }: JobKey): Promise<JobRow | undefined> {
  const { rows } =
    await sql<JobRow>`${prepared} update ingest_job set state = case when state = 'waiting' then 'running' else state end
    where institution_id = ${iid} and id = ${job} returning *`.execute(db);
  const [row] = rows;
  return row?.state === "failed" && isOutage(row.refusal) ? resumeJob(db, row) : row;
}

/**
 * An operator may run a job again that was given up. Returns undefined, and changes nothing, while another job imports
 * the same uploads.
 */
async function resumeJob(
  db: Db,
  { institution_id: iid, id, studies, upload_key }: JobRow,
): Promise<JobRow | undefined> {
  const resumed = await db
    .updateTable("ingest_job")
    .set({
      state: "running",
      stage: studies.length > 0 ? "converting" : "receiving",
      refusal: null,
      finished_at: null,
    })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("ingest_job as other")
            .select("other.id")
            .where("other.institution_id", "=", iid)
            .where("other.upload_key", "=", upload_key)
            .where("other.state", "in", ["waiting", "running"]),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst();
  if (resumed) await resumeConvertingStudies(db, iid, studies);
  return resumed;
}

import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { insertUnneeded } from "../platform/storage/blob-references.ts";

/**
 * Discards contents from jobs that were given up, or were killed in their last moment, so many days after their end, and
 * the person whom the sender of such a job named.
 */
export const deleteJobLeftovers = (db: Db, days: number) =>
  sql`with left_over as (delete from ingest_content c using ingest_job j where j.institution_id = c.institution_id and j.id = c.job_id
      and j.state in ('done', 'failed', 'cancelled') and j.finished_at < now() - make_interval(days => ${days}::int)
      returning c.institution_id, c.area, c.sha256),
    forgotten as (update ingest_job set sender_person = null
      where sender_person is not null and state = 'failed' and finished_at < now() - make_interval(days => ${days}::int))
    ${insertUnneeded(sql`select distinct institution_id, area, sha256 from left_over order by 1, 2, 3`)}`.execute(db);

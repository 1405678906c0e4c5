import { sql } from "kysely";
import type { Db } from "../kernel/db.ts";
import type { Area } from "../kernel/files.ts";

/** Which job, as the queue carries it. */
export interface JobKey {
  iid: string;
  job: string;
}

/** Keeps what is stored from being released at the same moment; `alone` is for those who release. */
export async function lockStore(db: Db, iid: string, how: "shared" | "alone"): Promise<void> {
  const key = `arcada originals ${iid}`;
  if (how === "shared") await sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(db);
  else await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}

export interface Content {
  area: Area;
  sha256: string;
}

/** Said before a content goes into the store, so that a run that dies in between leaves nothing unknown there. */
export async function noteContents(
  db: Db,
  { iid, job }: JobKey,
  area: Area,
  contents: readonly string[],
): Promise<void> {
  await sql`insert into ingest_content (institution_id, job_id, area, sha256)
    select ${iid}, ${job}, ${area}, unnest(${[...new Set(contents)]}::text[]) on conflict do nothing`.execute(db);
}

/** Forgets what a job that has ended has brought in and what became part of nothing; answers what the store may let go. */
export async function forgetContents(db: Db, { iid, job }: JobKey, uploads: readonly string[]): Promise<Content[]> {
  const sent = await sql<{
    sha256: string | null;
  }>`delete from upload where institution_id = ${iid} and id = any(${[...uploads]}::uuid[])
      and not exists (select from instance i where i.institution_id = ${iid} and i.sha256 = upload.sha256)
      and not exists (select from order_file f where f.owner_id = ${iid} and f.sha256 = upload.sha256)
    returning sha256`.execute(db);
  const brought =
    await sql<Content>`delete from ingest_content where institution_id = ${iid} and job_id = ${job} returning area, sha256`.execute(
      db,
    );
  const originals = [
    ...sent.rows.map((row) => row.sha256),
    ...brought.rows.filter(({ area }) => area === "originals").map(({ sha256 }) => sha256),
  ];
  const uncounted = await sql<{
    sha256: string;
  }>`delete from stored_file where institution_id = ${iid} and sha256 = any(${originals}::text[])
      and not exists (select from upload u where u.institution_id = ${iid} and u.sha256 = stored_file.sha256)
      and not exists (select from instance i where i.institution_id = ${iid} and i.sha256 = stored_file.sha256)
      and not exists (select from order_file f where f.owner_id = ${iid} and f.sha256 = stored_file.sha256)
      and not exists (select from ingest_content c where c.institution_id = ${iid} and c.sha256 = stored_file.sha256)
    returning sha256`.execute(db);
  return [
    ...uncounted.rows.map(({ sha256 }) => ({ area: "originals" as const, sha256 })),
    ...brought.rows.filter(({ area }) => area === "converted"),
  ];
}

/** Somebody has it, or has it again. */
export async function isWanted(db: Db, iid: string, { area, sha256 }: Content): Promise<boolean> {
  const found =
    area === "originals"
      ? sql`select from stored_file where institution_id = ${iid} and sha256 = ${sha256}`
      : sql`select from converted_file where institution_id = ${iid} and sha256 = ${sha256}
          union all select from series where institution_id = ${iid} and thumbnail = ${sha256}
          union all select from instance where institution_id = ${iid} and thumbnail = ${sha256}
          union all select from ingest_content where institution_id = ${iid} and area = 'converted' and sha256 = ${sha256}`;
  return (await found.execute(db)).rows.length > 0;
}

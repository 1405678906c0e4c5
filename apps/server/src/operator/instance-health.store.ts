import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { selectValue } from "../platform/database/select-value.ts";

interface Sum {
  files: number;
  bytes: number;
}
export interface StoreSizes {
  originals: Sum;
  converted: Sum;
}

/** The files of the store by kind. `storage_tally` has a few rows for each institution. */
export async function sumStoreSizes(db: Db): Promise<StoreSizes> {
  const rows = await db
    .selectFrom("storage_tally")
    .select(["kind", sql<number>`sum(files)::bigint`.as("files"), sql<number>`sum(bytes)::bigint`.as("bytes")])
    .groupBy("kind")
    .execute();
  const of = (kind: string): Sum => {
    const { files = 0, bytes = 0 } = rows.find((row) => row.kind === kind) ?? {};
    return { files, bytes };
  };
  return { originals: of("originals"), converted: of("converted") };
}

export const countFaults = (db: Db): Promise<{ broken: number; missing: number }> =>
  db
    .selectFrom("file_fault")
    .select([
      sql<number>`count(*) filter (where fault = 'broken')::int`.as("broken"),
      sql<number>`count(*) filter (where fault = 'missing')::int`.as("missing"),
    ])
    .executeTakeFirstOrThrow();

/** The scrub in progress, or the latest that has ended. */
export const findLatestScrub = (db: Db) =>
  db.selectFrom("scrub").selectAll().orderBy("started_at", "desc").limit(1).executeTakeFirst();

export const findLastScrubEnd = (db: Db): Promise<string | null> =>
  selectValue(db, sql<string | null>`(select max(finished_at) from scrub)`);

interface DatabaseFacts {
  bytes: number;
  connections: number;
  connectionsMost: number;
  version: string;
}
export const readDatabaseFacts = (db: Db): Promise<DatabaseFacts> =>
  db
    .selectNoFrom([
      sql<number>`pg_database_size(current_database())`.as("bytes"),
      sql<number>`(select sum(numbackends)::int from pg_stat_database)`.as("connections"),
      sql<number>`current_setting('max_connections')::int`.as("connectionsMost"),
      sql<string>`current_setting('server_version')`.as("version"),
    ])
    .executeTakeFirstOrThrow();

export const listLatestErrors = (db: Db) =>
  db.selectFrom("error_report").select(["at", "message", "path"]).orderBy("at", "desc").limit(10).execute();

export interface PlatformCounts {
  organisations: { clinic: number; lab: number };
  people: number;
  devices: Record<string, number>;
  cards: Record<string, number>;
  packages: Record<string, number>;
  workOrders: Record<string, number>;
  uploads: Sum;
  errors: number;
}
export async function countPlatform(db: Db): Promise<PlatformCounts> {
  const { rows } = await sql<PlatformCounts>`select
    (select jsonb_build_object('clinic', count(*) filter (where type = 'clinic'), 'lab', count(*) filter (where type = 'lab'))
      from institution where not stub) as organisations,
    -- Programs and devices have rows of their own there, and no way to sign in.
    (select count(*)::int from users u where exists (select from contact c where c.user_id = u.id)) as people,
    ${countByState("device")} as devices, ${countByState("capacity_card")} as cards, ${countByState("upgrade_package")} as packages,
    ${countByState("work_order")} as "workOrders",
    (select jsonb_build_object('files', coalesce(sum(day.files), 0), 'bytes', coalesce(sum(day.bytes), 0)) from institution i,
      lateral (select count(*) as files, sum(bytes) as bytes from stored_file f
        where f.institution_id = i.id and f.created_at > now() - interval '1 day') day) as uploads,
    (select count(*)::int from error_report where at > now() - interval '1 day') as errors`.execute(db);
  return rows[0]!;
}

const countByState = (table: string) =>
  sql`(select coalesce(jsonb_object_agg(state, n), '{}') from (select state, count(*) as n from ${sql.table(table)} group by state) each_state)`;

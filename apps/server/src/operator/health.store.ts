import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

interface Sum {
  files: number;
  bytes: number;
}
export interface StoreSizes {
  originals: Sum;
  converted: Sum;
}

/** Sums up all stored files: a long scan if there are many. */
export async function sumStoreSizes(db: Db): Promise<StoreSizes> {
  const sumTable = async (table: "stored_file" | "converted_file") =>
    (
      await sql<Sum>`select count(*)::int as files, coalesce(sum(bytes), 0)::bigint as bytes from ${sql.table(table)}`.execute(
        db,
      )
    ).rows[0]!;
  return { originals: await sumTable("stored_file"), converted: await sumTable("converted_file") };
}

export async function countFaults(db: Db): Promise<{ broken: number; missing: number }> {
  const { rows } = await sql<{ broken: number; missing: number }>`select
    count(*) filter (where fault = 'broken')::int as broken, count(*) filter (where fault = 'missing')::int as missing from file_fault`.execute(
    db,
  );
  return rows[0]!;
}

/** The scrub in progress, or the latest that has ended. */
export const findLatestScrub = (db: Db) =>
  db.selectFrom("scrub").selectAll().orderBy("started_at", "desc").limit(1).executeTakeFirst();

export async function findLastScrubEnd(db: Db): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`select max(finished_at) as at from scrub`.execute(db);
  return rows[0]!.at;
}

interface DatabaseFacts {
  bytes: number;
  connections: number;
  connectionsMost: number;
  version: string;
}
export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`select pg_database_size(current_database()) as bytes,
    (select sum(numbackends)::int from pg_stat_database) as connections,
    current_setting('max_connections')::int as "connectionsMost", current_setting('server_version') as version`.execute(
    db,
  );
  return rows[0]!;
}

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

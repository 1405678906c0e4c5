import { sql } from "kysely";
import pg from "pg";
import { newId } from "../runtime/ids-and-secrets.ts";
import type { Database, Db } from "../database/database.ts";
import type { Row } from "../../tables/row.ts";

export type BackupRun = Row<
  "backup_run",
  "kind" | "target" | "name" | "started_at" | "finished_at" | "ok" | "files" | "bytes" | "fault"
>;

const maxRunsKept = 200;
const maxFaultLength = 500;

/** Records how a backup or a verification ended. */
export const recordRun = (database: Database, run: Omit<BackupRun, "finished_at">): Promise<void> =>
  database.asSystem(async (db) => {
    const fault = run.fault === null ? null : run.fault.slice(0, maxFaultLength);
    await db
      .insertInto("backup_run")
      .values({ ...run, fault, id: newId() })
      .execute();
    await sql`delete from backup_run where id in (
      select id from backup_run order by finished_at desc offset ${maxRunsKept})`.execute(db);
  });

/**
 * Forgets the runs in a restored database: its first backup is then due at once, with which its archive begins. A backup
 * of an earlier version may have no such table.
 */
export async function forgetRuns(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>("select to_regclass('backup_run') is not null as exists");
    if (rows[0]!.exists) await client.query("begin; set local role arcada_system; delete from backup_run; commit");
  } finally {
    await client.end();
  }
}

export interface LatestRuns {
  /** The newest backup that is complete. */
  backup: BackupRun | null;
  /** The failed attempt to make a backup, if it is newer than the complete one. */
  failure: BackupRun | null;
  /** The newest verification, whatever it found. */
  verification: BackupRun | null;
  /** The newest verification that found no fault. */
  verified: BackupRun | null;
}

/** Returns the newest runs. The caller bypasses the tenant scope. */
export async function findLatestRuns(db: Db): Promise<LatestRuns> {
  const find = async (kind: BackupRun["kind"], ok?: boolean): Promise<BackupRun | null> =>
    (await db
      .selectFrom("backup_run")
      .select(["kind", "target", "name", "started_at", "finished_at", "ok", "files", "bytes", "fault"])
      .where("kind", "=", kind)
      .$if(ok !== undefined, (query) => query.where("ok", "=", ok!))
      .orderBy("finished_at", "desc")
      .limit(1)
      .executeTakeFirst()) ?? null;
  const [backup, attempt] = [await find("create", true), await find("create")];
  return {
    backup,
    failure: attempt && !attempt.ok ? attempt : null,
    verification: await find("verify"),
    verified: await find("verify", true),
  };
}

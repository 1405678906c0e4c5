import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { StartError } from "../runtime/config.ts";
import type { Db } from "../database/database.ts";
import { selectValue } from "../database/select-value.ts";

const lockName = "arcada backup";

/** The exit code of a command that ended because another backup runs. */
export const anotherBackupRuns = 75;
export class BackupRunningError extends StartError {}

/**
 * Runs the work while no other backup runs and no stored file is deleted. The lock ends with the connection, so a backup
 * that was killed does not keep it.
 */
export async function withBackupLock<T>(
  connection: pg.PoolConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, application_name: "arcada backup" });
  let lost: Error | null = null;
  client.on("error", (error) => (lost = error));
  await client.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("set idle_in_transaction_session_timeout = 0");
    if (!(await takeLock(client)))
      throw new BackupRunningError("Another backup of this instance is running: wait until it has ended.");
    const result = await work(client);
    if (lost) throw new StartError(`The connection to the database was lost: ${(lost as Error).message}`);
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

const lockTries = 20;
const lockPauseMs = 500;

/** The deletion of unneeded files holds the lock for moments, another backup for long. */
async function takeLock(client: pg.Client): Promise<boolean> {
  for (let tries = 0; tries < lockTries; tries++) {
    const { rows } = await client.query<{ free: boolean }>(
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as free",
      [lockName],
    );
    if (rows[0]!.free) return true;
    await sleep(lockPauseMs);
  }
  return false;
}

/** Returns true while a backup runs. It takes no lock, so it delays none. */
export const isBackupRunning = (db: Db): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
      and (classid::bigint << 32) | objid::bigint = hashtextextended(${lockName}, 0)
      and database = (select oid from pg_database where datname = current_database()))`,
  );

/**
 * Returns false while a backup runs; otherwise no backup begins before this transaction ends. Between the moment of the
 * database's copy and the copying of the files, no file may go.
 */
export async function mayDeleteFiles(db: Db): Promise<boolean> {
  const { free } = await db
    .selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock_shared(hashtextextended(${lockName}, 0))`.as("free"))
    .executeTakeFirstOrThrow();
  return free;
}

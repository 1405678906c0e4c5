import { sql } from "kysely";
import pg from "pg";
import { StartError } from "../runtime/config.ts";
import type { Db } from "../database/database.ts";

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
    const { rows } = await client.query<{ free: boolean }>(
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as free",
      [lockName],
    );
    if (!rows[0]!.free) throw new BackupRunningError("Another backup of this instance is running: wait until it has ended.");
    const result = await work(client);
    if (lost) throw new StartError(`The connection to the database was lost: ${(lost as Error).message}`);
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

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

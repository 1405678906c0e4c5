import { lstat, readdir, statfs } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { copyAllRows } from "./copy-rows.ts";
import { recordCommand } from "../audit/command-audit.ts";
import { forgetRuns } from "../backup/backup-runs.ts";
import { openDatabase } from "../database/database.ts";
import { migrate, readMigrationStatus } from "../database/migrate.ts";
import { openJobs } from "../jobs/jobs.ts";
import {
  draftFolder,
  exchangeClusters,
  formerFolder,
  refuseDuringUpgrade,
  undoUpgrade,
  writePlan,
} from "../postgres/exchange-upgraded-cluster.ts";
import { startPostgres } from "../postgres/embedded-postgres.ts";
import type { PostgresOptions } from "../postgres/embedded-postgres.ts";
import { withExclusiveLock } from "../postgres/exclusive-lock.ts";
import { findBinaries, findEarlierBinaries } from "../postgres/find-binaries.ts";
import { clusterPaths, readMajor } from "../postgres/make-cluster.ts";
import { findPostmaster } from "../postgres/postmaster.ts";
import { findLauncher } from "../postgres/unprivileged-launcher.ts";
import { StartError } from "../runtime/config.ts";
import { version } from "../runtime/version.ts";

interface UpgradeOptions {
  /** The folder of the cluster. */
  folder: string;
  /** The folder of the earlier programs, if the operator names one. */
  programs: string | undefined;
  log: (line: string) => void;
}

export interface UpgradedCluster {
  from: number;
  to: number;
  /** The folder of the old cluster. */
  former: string;
  /** The size of the rows as text. */
  bytes: number;
}

/**
 * Upgrades the embedded database to the major version of this program's PostgreSQL: a new cluster is made beside the old
 * one, filled, compared and started, and then takes its name. Interrupted anywhere, the old one is used again. Returns
 * null if there is nothing to do.
 */
export async function upgradeCluster({ folder, programs, log }: UpgradeOptions): Promise<UpgradedCluster | null> {
  const { major: to } = findBinaries();
  const { lock } = clusterPaths(folder);
  refuseDuringUpgrade(folder);
  await withExclusiveLock(lock, () => undoUpgrade(folder));
  await requireStopped(folder);
  return withExclusiveLock(lock, async () => {
    const from = readMajor(folder);
    if (from === to) return null;
    if (from === null) throw new StartError(`There is no database in ${folder}.`);
    if (from > to)
      throw new StartError(`The database in ${folder} is one of PostgreSQL ${from}: there is no way back to ${to}.`);
    const old = findEarlierBinaries(from, programs);
    const former = formerFolder(folder, from);
    if (readMajor(former) !== null)
      throw new StartError(`${former} is left from an earlier upgrade: run admin upgrade-postgres --accept first.`);
    await requireSpace(folder);
    await requireUnused(folder);
    await writePlan(folder, from, to);
    try {
      const bytes = await fillDraft({ folder, programs: old, alone: true }, draftFolder(folder), log);
      log("exchanging the folders");
      await exchangeClusters(folder, from);
      return { from, to, former, bytes };
    } catch (error) {
      await undoUpgrade(folder);
      throw error;
    }
  });
}

/** Ends a database that a killed server has left running; refuses one that others use. */
async function requireStopped(folder: string): Promise<void> {
  if (!findPostmaster(folder)) return;
  // A running cluster is joined without starting anything, so the earlier programs are not needed.
  const joined = await startPostgres({ folder, programs: { ...findBinaries(), major: readMajor(folder)! } });
  await joined.stop();
  await requireUnused(folder);
}

async function requireUnused(folder: string): Promise<void> {
  const running = findPostmaster(folder);
  if (running)
    throw new StartError(
      `Arcada uses the database in ${folder} (process ${running.pid}): stop all its processes first.`,
    );
}

/** Makes the new cluster; on return it is complete, on the disk, and stopped. */
async function fillDraft(old: PostgresOptions, draft: string, log: (line: string) => void): Promise<number> {
  log("copying the rows");
  const bytes = await withCluster({ ...old, settings: readOnly }, (source) =>
    withCluster({ folder: draft, settings: fastLoad }, (target) => copyDatabase(source, target, log)),
  );
  const synced = findLauncher().run("initdb", ["-D", draft, "--sync-only"]);
  if (!synced.ok) throw new Error(`the new database could not be written to the disk: ${synced.output}`);
  log("starting the new database");
  await withCluster({ folder: draft }, recordUpgrade);
  return bytes;
}

// The old cluster stays as it is.
const readOnly = { default_transaction_read_only: "on", autovacuum: "off" };
// Nothing in the new cluster counts before it is complete: it is written to the disk as a whole.
const fastLoad = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off",
  maintenance_work_mem: "256MB",
  max_wal_size: "4GB",
};

async function withCluster<T>(options: PostgresOptions, work: (connection: pg.PoolConfig) => Promise<T>): Promise<T> {
  const cluster = await startPostgres(options);
  try {
    return await work(cluster.connection);
  } finally {
    await cluster.stop();
  }
}

async function copyDatabase(from: pg.PoolConfig, to: pg.PoolConfig, log: (line: string) => void): Promise<number> {
  const { migrations, refusal } = await readMigrationStatus(from);
  if (refusal !== null) throw new StartError(refusal);
  const applied = migrations.filter(({ at }) => at !== null).map(({ name }) => name);
  await migrate(to, { only: new Set(applied) });
  // The queue's library makes its own tables.
  const jobs = await openJobs(to, { isWorker: false });
  await jobs.stop(0);
  return withClient(from, (source) => withClient(to, (target) => copyAllRows(source, target, log)));
}

async function withClient<T>(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Migrates the new database to this version and leaves an entry in its audit log. Its first backup is due at once: the
 * former ones restore with the old major version alone.
 */
async function recordUpgrade(connection: pg.PoolConfig): Promise<void> {
  await migrate(connection);
  await forgetRuns(connection);
  const database = openDatabase(connection, 1);
  try {
    await database.asSystem((db) => recordCommand(db, "upgradePostgres", null, { version }));
  } finally {
    await database.close();
  }
}

/** The new cluster is about as large as the old one; sorts and the log of changes need room besides. */
const spaceRules = { perByte: 1.5, extraBytes: 1024 ** 3 } as const;

async function requireSpace(folder: string): Promise<void> {
  const needed = (await folderSize(folder)) * spaceRules.perByte + spaceRules.extraBytes;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw new StartError(
      `The upgrade needs ${gigabytes(needed)} of free space on the disk of ${folder}, and ${gigabytes(bavail * bsize)} are free. Nothing was changed.`,
    );
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  let bytes = 0;
  for (const entry of entries) if (entry.isFile()) bytes += (await lstat(path.join(entry.parentPath, entry.name))).size;
  return bytes;
}

import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { DamagedError, fingerprintSecret } from "./backup-key.ts";
import { forgetRuns } from "./backup-runs.ts";
import { explainDiskErrors, readPart } from "./backup-parts.ts";
import type { BackupPlace } from "./backup-parts.ts";
import { exchangeFolders, finishExchange, listContent, restoreFolderName } from "./exchange-folders.ts";
import { holdDeliveries } from "./held-deliveries.ts";
import type { DeliveryQueue } from "./held-deliveries.ts";
import { findBackup, findBackupBefore, tooNew } from "./backup-manifest.ts";
import type { Manifest, StoredBackup } from "./backup-manifest.ts";
import { unpackInto } from "./pack-files-into-stream.ts";
import { withProgress } from "./print-progress.ts";
import { endRestore, restoreRows } from "./row-restore.ts";
import { restoreLaterFiles } from "./restore-later-files.ts";
import { forEachFile, restoreFile } from "./copy-stored-files.ts";
import { externalDatabase } from "../database/external-database.ts";
import { listMigrations } from "../database/migration-files.ts";
import { findBinaries } from "../postgres/find-binaries.ts";
import { findPostmaster, isAlive, waitUntil } from "../postgres/postmaster.ts";
import { startPostgres } from "../postgres/embedded-postgres.ts";
import type { Config } from "../runtime/config.ts";
import { StartError } from "../runtime/config.ts";
import { readText, writeDurably } from "../storage/durable-writes.ts";
import { createFileStore } from "../storage/open-file-store.ts";
import { replayWal } from "../wal-archive/replay-wal.ts";
import type { RestoreMoment } from "../wal-archive/replay-wal.ts";

interface RestoreOptions extends BackupPlace {
  /** The name of the backup; without it, the newest. */
  name: string | undefined;
  /** The moment of the database, after the end of the backup; null: that of the backup. */
  until: RestoreMoment | null;
  /** The former content of the data folder is moved aside; otherwise it must be empty. */
  replace: boolean;
  /** The queues that start held. */
  deliveries: readonly DeliveryQueue[];
  log: (line: string) => void;
}

export interface RestoredBackup {
  /** The folder of the former content. */
  aside: string | null;
  held: number;
}

/**
 * Restores a backup into the data folder. Everything is prepared and tried out in a folder inside it, then exchanged. If
 * it is interrupted, the same command goes on.
 */
export async function restoreBackup(config: Config, options: RestoreOptions): Promise<RestoredBackup> {
  const { dataDir } = config;
  const { target, key, log } = options;
  const place = { target, key };
  const { until } = options;
  const backup =
    until === null || options.name !== undefined
      ? await findBackup(place, options.name)
      : await findBackupBefore(place, until);
  if (until instanceof Date && until < new Date(backup.manifest.finishedAt))
    throw new StartError(`The backup ${backup.name} ended at ${backup.manifest.finishedAt}: give a later time.`);
  await checkCompatible(config, place, backup);
  const external = externalDatabase(config);
  const complete = async () => {
    if (external) await endRestore(external);
  };
  return explainDiskErrors(dataDir, async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const finished = await finishExchange(dataDir, complete);
    if (finished !== undefined) return { aside: finished, held: 0 };
    await checkTarget(dataDir, options.replace);
    const work = path.join(dataDir, restoreFolderName);
    try {
      await prepareFolder(work, backup, until);
      await readPart(place, backup.name, backup.manifest.state, unpackInto(work));
      await restoreSecret(config, work, backup.manifest);
      await readPart(place, backup.name, backup.manifest.uploads, unpackInto(work));
      await restoreStoredFiles({ ...config, dataDir: work }, place, backup, log);
      log("restoring the database");
      const hold = async (connection: pg.PoolConfig): Promise<number> => {
        await forgetRuns(connection);
        return holdDeliveries(connection, options.deliveries);
      };
      const cluster = path.join(work, "postgres");
      if (until !== null) await restoreMoment(place, backup, cluster, until, log);
      const finish = async (connection: pg.PoolConfig): Promise<number> => {
        if (until !== null) await restoreLaterFiles({ ...config, dataDir: work }, place, connection, log);
        return hold(connection);
      };
      const held = external
        ? await restoreIntoServer(external, place, backup, hold)
        : await withRestoredDatabase(place, backup, cluster, finish);
      // Somebody may have started Arcada meanwhile.
      await checkTarget(dataDir, options.replace);
      const aside = await exchangeFolders(dataDir, complete);
      return { aside, held };
    } catch (error) {
      throw error instanceof DamagedError ? new StartError(damaged(backup, error.message)) : error;
    }
  });
}

const damaged = ({ name }: StoredBackup, reason: string): string =>
  `The backup ${name} is damaged and was not restored (${reason}): restore an earlier one by --at NAME.`;

/** Refuses a backup that this program cannot run. */
export async function checkCompatible(
  config: Pick<Config, "DATABASE_URL">,
  { target }: BackupPlace,
  backup: StoredBackup,
): Promise<void> {
  const { migrations, postgres, version } = backup.manifest;
  const known = new Map((await listMigrations()).map(({ name, sha256 }) => [name, sha256]));
  if (migrations.some(({ name }) => !known.has(name))) throw new StartError(tooNew(`${target.label}/${backup.name}`));
  if (migrations.some(({ name, sha256 }) => known.get(name) !== sha256))
    throw new StartError(
      `The backup ${backup.name} was made by Arcada ${version}, from which no upgrade leads to this version: restore it with that version.`,
    );
  if (backup.manifest.kind === "rows") return;
  if (config.DATABASE_URL)
    throw new StartError(
      `The backup ${backup.name} holds the files of an embedded database: leave DATABASE_URL out to restore it.`,
    );
  const { major } = findBinaries();
  if (postgres.major !== major)
    throw new StartError(
      `The backup ${backup.name} was made with PostgreSQL ${postgres.major} and this is PostgreSQL ${major}: restore it with Arcada ${version}.`,
    );
}

async function checkTarget(dataDir: string, replace: boolean): Promise<void> {
  if (findPostmaster(path.join(dataDir, "postgres")))
    throw new StartError(`Arcada runs on the data folder ${dataDir}: stop it before you restore a backup.`);
  const found = await listContent(dataDir);
  if (found.length > 0 && !replace)
    throw new StartError(
      `The data folder ${dataDir} is not empty (${found[0]}): choose an empty one by DATA_DIR, or give --replace, which moves the former content aside.`,
    );
}

/** Continues an interrupted restore of the same backup, and begins again for another one. */
async function prepareFolder(work: string, { manifest }: StoredBackup, until: RestoreMoment | null): Promise<void> {
  const file = path.join(work, "restore.json");
  const purpose = JSON.stringify({ startedAt: manifest.startedAt, files: manifest.files.sha256, until });
  if ((await readText(file)) === purpose) return;
  await rm(work, { recursive: true, force: true });
  await writeDurably(file, purpose, { mode: 0o600 });
}

async function restoreSecret(config: Config, work: string, { secret }: Manifest): Promise<void> {
  const inBackup = path.join(work, "secret.key");
  const kept = await readText(path.join(config.dataDir, "secret.key"));
  const found = config.SECRET_KEY ?? (await readText(inBackup)) ?? kept;
  if (found === null || found === undefined)
    throw new StartError(
      `The backup does not contain the key of this instance: set SECRET_KEY, or copy the former secret.key into ${config.dataDir}.`,
    );
  if (fingerprintSecret(found) !== secret)
    throw new StartError(
      `${config.SECRET_KEY ? "SECRET_KEY" : "secret.key"} is not the key that the backup belongs to: give the key of then.`,
    );
  if (!config.SECRET_KEY) await writeDurably(inBackup, `${found}\n`, { mode: 0o600 });
}

async function restoreStoredFiles(
  config: Config,
  place: BackupPlace,
  backup: StoredBackup,
  log: (line: string) => void,
): Promise<void> {
  const files = await createFileStore(config);
  const id = await files.storeId();
  if (id !== null && id !== backup.manifest.store)
    throw new StartError("The file store belongs to another installation: empty it, or choose another bucket.");
  await files.storeId(backup.manifest.store);
  let done = 0;
  const describeProgress = () => `restoring the stored files: ${done} of ${backup.manifest.files.count}`;
  await withProgress(log, describeProgress, () =>
    forEachFile(place, backup, async (file) => {
      if (!(await restoreFile(place, file, files)))
        throw new DamagedError(`the file ${file.area}/${file.iid}/${file.sha256} is missing or was changed`);
      done += 1;
    }),
  );
}

async function restoreIntoServer<T>(
  connection: pg.PoolConfig,
  place: BackupPlace,
  backup: StoredBackup,
  work: (connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  await restoreRows(connection, place, backup);
  return work(connection);
}

/**
 * Restores the database into the folder of a cluster, unless it is there already, and runs the work on it. The start
 * proves that it can be used.
 */
export async function withRestoredDatabase<T>(
  place: BackupPlace,
  backup: StoredBackup,
  cluster: string,
  work: (connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  const isCluster = backup.manifest.kind === "cluster";
  if (isCluster) await unpackCluster(place, backup, cluster);
  const database = await startPostgres({ folder: cluster });
  try {
    return isCluster
      ? await work(database.connection)
      : await restoreIntoServer(database.connection, place, backup, work);
  } finally {
    await database.stop();
  }
}

/** Unpacks the files of a cluster; the folder gets its name when they are complete. */
async function unpackCluster(
  place: BackupPlace,
  backup: StoredBackup,
  cluster: string,
  complete: (draft: string) => Promise<void> = async () => {},
): Promise<void> {
  if (existsSync(cluster)) return;
  const draft = `${cluster}.part`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  for (const part of backup.manifest.database) await readPart(place, backup.name, part, unpackInto(draft));
  await complete(draft);
  await rename(draft, cluster);
}

/** Brings the database to a moment after the backup. An interrupted replay begins again from the files of the backup. */
async function restoreMoment(
  place: BackupPlace,
  backup: StoredBackup,
  cluster: string,
  until: RestoreMoment,
  log: (line: string) => void,
): Promise<void> {
  // The database removes this file when the moment is reached.
  const signal = "standby.signal";
  if (existsSync(path.join(cluster, signal))) await discardCluster(cluster);
  else if (existsSync(cluster)) return;
  await unpackCluster(place, backup, cluster, (draft) => writeFile(path.join(draft, signal), "", { mode: 0o600 }));
  await replayWal(place, backup, cluster, until, log);
}

/** Removes a cluster, and ends the database that a killed restore left on it. */
async function discardCluster(cluster: string): Promise<void> {
  const pid = findPostmaster(cluster)?.pid;
  if (pid !== undefined) {
    process.kill(pid, "SIGQUIT");
    await waitUntil(() => !isAlive(pid), 10_000);
  }
  await rm(cluster, { recursive: true, force: true });
}

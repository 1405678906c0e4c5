import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { fingerprintSecret } from "./backup-key.ts";
import type { BackupKey } from "./backup-key.ts";
import { withBackupLock } from "./backup-lock.ts";
import { explainDiskErrors, writePart } from "./backup-parts.ts";
import type { BackupPart } from "./backup-parts.ts";
import { backUpCluster } from "./cluster-backup.ts";
import { backupFormat, listUnfinished, openBackupFolder, writeManifest } from "./backup-manifest.ts";
import type { Manifest } from "./backup-manifest.ts";
import { packEntries } from "./pack-files-into-stream.ts";
import type { PackEntry } from "./pack-files-into-stream.ts";
import { pruneBackups } from "./prune-backups.ts";
import { backUpRows } from "./row-backup.ts";
import { copyStoredFiles } from "./copy-stored-files.ts";
import { anchorFileName } from "../audit/audit-anchors.ts";
import type { Config } from "../runtime/config.ts";
import { version } from "../runtime/version.ts";
import { syncFolder } from "../storage/durable-writes.ts";
import type { FileStore } from "../storage/file-store.ts";
import { loadSecretKey } from "../storage/open-file-store.ts";

export interface BackupSource {
  config: Config;
  connection: pg.PoolConfig;
  files: FileStore;
}

interface BackupOptions {
  root: string;
  key: BackupKey | null;
  /** Copies the rows of the embedded database and not its files: any version of PostgreSQL can restore them. */
  rows?: boolean | undefined;
  /** The number of backups to keep; older ones are removed. Without it, all stay. */
  keep?: number | undefined;
  log: (line: string) => void;
}

export interface CreatedBackup {
  name: string;
  files: { count: number; added: number };
  databaseBytes: number;
  damaged: string[];
  /** The number of older backups that were removed. */
  removed: number;
}

/**
 * Makes a backup of a running instance: the small files of the data folder, then the database, then the stored files. A
 * row that refers to a file is thus never newer than the files. Only the manifest, written last, makes it a backup.
 */
export async function createBackup(
  source: BackupSource,
  { root, key, keep, rows, log }: BackupOptions,
): Promise<CreatedBackup> {
  return explainDiskErrors(root, async () => {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await openBackupFolder(root, key, { create: true });
    return withBackupLock(source.connection, async (client) => {
      for (const name of await listUnfinished(root)) await rm(path.join(root, name), { recursive: true });
      const startedAt = new Date();
      const name = nameBackup(startedAt);
      const folder = path.join(root, name);
      await mkdir(folder, { mode: 0o700 });
      const state = await backUpState(source.config, folder, key);
      log("copying the database");
      const database = await backUpDatabase(client, source.config, { folder, key, rows });
      const uploads = await backUpUploads(source.config, folder, key);
      log("copying the stored files");
      const counts = { count: 0, content: 0, added: 0, damaged: [] as string[] };
      const list = await writePart(folder, "files.zst", copyStoredFiles(source.files, { root, key }, counts), key);
      const { count, content, added, damaged } = counts;
      await syncFolder(path.join(folder, "database"));
      await writeManifest(
        folder,
        {
          ...(await describeInstance(client, source)),
          ...database,
          format: backupFormat,
          version,
          startedAt: startedAt.toISOString(),
          finishedAt: new Date().toISOString(),
          key: key?.id ?? null,
          state,
          uploads,
          files: { ...list, count, content },
          damaged,
        },
        key,
      );
      await syncFolder(root);
      const removed = keep === undefined ? 0 : await pruneBackups(root, key, keep);
      return { name, files: { count, added }, databaseBytes: sumBytes(database.database), damaged, removed };
    });
  });
}

const nameBackup = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, "");
const sumBytes = (parts: readonly BackupPart[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Copies the anchors of the audit log before the database, because an anchor must not know more rows than the database.
 * A generated SECRET_KEY is copied only if the backup is encrypted.
 */
async function backUpState(config: Config, folder: string, key: BackupKey | null): Promise<BackupPart> {
  const names = [anchorFileName, ...(key && !config.SECRET_KEY ? ["secret.key"] : [])];
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(config.dataDir, name), "utf8").catch(() => null)),
  );
  const entries = names.flatMap((name, at): PackEntry[] => {
    const text = texts[at] ?? null;
    return text === null ? [] : [{ path: name, text }];
  });
  return writePart(folder, "state.pack.zst", packEntries(entries), key);
}

/** Copies the uploads after the database, so that every one that it knows is there. */
async function backUpUploads({ dataDir }: Config, folder: string, key: BackupKey | null): Promise<BackupPart> {
  const names = await readdir(path.join(dataDir, "uploads")).catch(() => []);
  const entries = names.map((name): PackEntry => {
    const place = path.join("uploads", name);
    return { path: place, file: path.join(dataDir, place), bytes: 0 };
  });
  return writePart(folder, "uploads.pack.zst", packEntries(entries), key);
}

async function backUpDatabase(
  client: pg.Client,
  config: Config,
  { rows: asRows, ...target }: { folder: string; key: BackupKey | null; rows: boolean | undefined },
): Promise<Pick<Manifest, "kind" | "wal" | "rows" | "database">> {
  if (config.DATABASE_URL || asRows) {
    const { parts, rows } = await backUpRows(client, target);
    return { kind: "rows", wal: null, rows, database: parts };
  }
  const { parts, wal } = await backUpCluster(client, path.join(config.dataDir, "postgres"), target);
  return { kind: "cluster", wal, rows: null, database: parts };
}

async function describeInstance(
  client: pg.Client,
  { config }: BackupSource,
): Promise<Pick<Manifest, "migrations" | "postgres" | "store" | "secret">> {
  const migrations = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from migration order by name",
  );
  const postgres = await client.query<Manifest["postgres"]>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      system_identifier::text as system, timeline_id as timeline from pg_control_system(), pg_control_checkpoint()`,
  );
  await client.query("begin; set local role arcada_system");
  const store = await client.query<{ id: string }>("select id from storage");
  await client.query("commit");
  return {
    migrations: migrations.rows,
    postgres: postgres.rows[0]!,
    store: store.rows[0]!.id,
    secret: fingerprintSecret(await loadSecretKey(config)),
  };
}

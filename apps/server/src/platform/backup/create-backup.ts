import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { fingerprintSecret } from "./backup-key.ts";
import { withBackupLock } from "./backup-lock.ts";
import { explainDiskErrors, explainNetworkErrors, writePart } from "./backup-parts.ts";
import type { BackupPart, BackupPlace } from "./backup-parts.ts";
import type { BackupTarget } from "../backup-target/backup-target.ts";
import { backUpCluster } from "./cluster-backup.ts";
import { backupFormat, listUnfinished, openBackups, removeBackup, writeManifest } from "./backup-manifest.ts";
import type { Manifest } from "./backup-manifest.ts";
import { packEntries } from "./pack-files-into-stream.ts";
import type { PackEntry } from "./pack-files-into-stream.ts";
import { Refused } from "../http/refuse.ts";
import { openUploadParts } from "../upload/open-upload-parts.ts";
import type { UploadParts } from "../upload/upload-parts.ts";
import { withProgress } from "./print-progress.ts";
import { pruneBackups } from "./prune-backups.ts";
import { backUpRows } from "./row-backup.ts";
import { copyStoredFiles } from "./copy-stored-files.ts";
import { anchorFileName } from "../audit/audit-anchors.ts";
import type { Config } from "../runtime/config.ts";
import { version } from "../runtime/version.ts";
import type { FileStore } from "../storage/file-store.ts";
import { loadSecretKey } from "../storage/open-file-store.ts";
import { isArchiving, openArchive } from "../wal-archive/archive-folder.ts";

export interface BackupSource {
  config: Config;
  connection: pg.PoolConfig;
  files: FileStore;
}

interface BackupOptions extends BackupPlace {
  /** Copies the rows of the embedded database and not its files: any version of PostgreSQL can restore them. */
  rows?: boolean | undefined;
  /** The number of backups to keep; older ones are removed. Without it, all stay. */
  keep?: number | undefined;
  log: (line: string) => void;
}

export interface CreatedBackup {
  name: string;
  files: { count: number; added: number; bytes: number };
  databaseBytes: number;
  /** The number of parts of the database that an interrupted attempt had written. */
  reused: number;
  damaged: string[];
  /** The number of older backups that were removed. */
  removed: number;
}

/**
 * Makes a backup of a running instance: the small files of the data folder, then the database, then the stored files. A
 * row that refers to a file is thus never newer than the files. Only the manifest, written last, makes it a backup.
 */
export async function createBackup(source: BackupSource, options: BackupOptions): Promise<CreatedBackup> {
  const { target, key, keep, rows, log } = options;
  const place = { target, key };
  const explain = <T>(work: () => Promise<T>) =>
    explainNetworkErrors(target, () => explainDiskErrors(target.label, work));
  return explain(async () => {
    await openBackups(place, { create: true });
    return withBackupLock(source.connection, async (client) => {
      const startedAt = new Date();
      const name = (await findResumable(target, startedAt)) ?? nameBackup(startedAt);
      const state = await backUpState(source.config, place, name);
      log("copying the database");
      const { reused, ...database } = await backUpDatabase(client, source.config, { place, name, rows });
      const uploads = await backUpUploads(source.config, place, name);
      log("copying the stored files");
      const counts = { count: 0, content: 0, added: 0, damaged: [] as string[] };
      const describeProgress = () =>
        `copying the stored files: ${counts.count} of them, ${(counts.content / 1e9).toFixed(1)} GB, ${counts.added} new`;
      const list = await withProgress(log, describeProgress, () =>
        writePart(place, name, "files.zst", copyStoredFiles(source.files, place, counts)),
      );
      const { count, content, added, damaged } = counts;
      await writeManifest(place, name, {
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
      });
      const removed = keep === undefined ? 0 : await pruneBackups(place, keep);
      const databaseBytes = sumBytes(database.database);
      return { name, files: { count, added, bytes: content }, databaseBytes, reused, damaged, removed };
    });
  });
}

const nameBackup = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, "");
const resumableDays = 3;

/** Returns the newest backup that was begun lately and not ended, and removes all others that were not ended. */
async function findResumable(target: BackupTarget, now: Date): Promise<string | null> {
  const unfinished = await listUnfinished(target);
  const oldest = nameBackup(new Date(now.getTime() - resumableDays * 86_400_000));
  const newest = unfinished.at(-1);
  const found = newest !== undefined && newest > oldest ? newest : null;
  for (const name of unfinished) if (name !== found) await removeBackup(target, name);
  return found;
}

const sumBytes = (parts: readonly BackupPart[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Copies the anchors of the audit log before the database, because an anchor must not know more rows than the database.
 * A generated SECRET_KEY is copied only if the backup is encrypted.
 */
async function backUpState(config: Config, place: BackupPlace, backup: string): Promise<BackupPart> {
  const names = [anchorFileName, ...(place.key && !config.SECRET_KEY ? ["secret.key"] : [])];
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(config.dataDir, name), "utf8").catch(() => null)),
  );
  const entries = names.flatMap((name, at): PackEntry[] => {
    const text = texts[at] ?? null;
    return text === null ? [] : [{ path: name, text }];
  });
  return writePart(place, backup, "state.pack.zst", packEntries(entries));
}

/** Copies the uploads after the database, so that every one that it knows is there. */
async function backUpUploads(config: Config, place: BackupPlace, backup: string): Promise<BackupPart> {
  return writePart(place, backup, "uploads.pack.zst", packUploads(await openUploadParts(config)));
}

function nothingIfMissing(error: unknown): null {
  if (error instanceof Refused && error.refusal === "notFound") return null;
  throw error;
}

/** An upload that ended meanwhile is left out. */
async function* packUploads(parts: UploadParts): AsyncGenerator<Buffer> {
  for (const { id } of await parts.list()) {
    const copy = await parts.lend(id).catch(nothingIfMissing);
    if (!copy) continue;
    try {
      yield* packEntries([{ path: path.join("uploads", id), file: copy.path, bytes: 0 }]);
    } finally {
      await copy.release();
    }
  }
}

async function backUpDatabase(
  client: pg.Client,
  config: Config,
  { place, name, rows: asRows }: { place: BackupPlace; name: string; rows: boolean | undefined },
): Promise<Pick<Manifest, "kind" | "wal" | "rows" | "database"> & { reused: number }> {
  if (config.DATABASE_URL || asRows) {
    const { parts, rows } = await backUpRows(client, place, name);
    return { kind: "rows", wal: null, rows, database: parts, reused: 0 };
  }
  const cluster = path.join(config.dataDir, "postgres");
  const { parts, wal, reused } = await backUpCluster(client, cluster, place, name);
  const archive = isArchiving(config) ? { archive: (await openArchive(config)).id } : {};
  return { kind: "cluster", wal: { ...wal, ...archive }, rows: null, database: parts, reused };
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

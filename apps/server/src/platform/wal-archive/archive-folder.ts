import { appendFile, mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isSegment } from "./wal-segments.ts";
import type { Config } from "../runtime/config.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { readText, writeDurably } from "../storage/durable-writes.ts";
import { fileKey } from "../storage/file-store.ts";
import type { FileStore, StorageArea } from "../storage/file-store.ts";

const status = z.object({
  id: z.string(),
  /** The last segment that reached the target, and when. */
  segment: z.string().nullable(),
  at: z.string().nullable(),
  /** The reason for which the last attempt failed; null: it did not. */
  fault: z.string().nullable(),
});
export type ArchiveStatus = z.output<typeof status>;

export const isArchiving = ({ BACKUP_WAL_SECONDS, DATABASE_URL }: Config): boolean =>
  BACKUP_WAL_SECONDS > 0 && DATABASE_URL === undefined;

/**
 * The folder in which PostgreSQL leaves finished segments of the WAL until they have reached the target of the backups.
 * It is new after a restore, and so is the id of the archive: the WAL of two lives of a database never mixes.
 */
export const archiveFolder = ({ dataDir }: Pick<Config, "dataDir">): string => path.join(dataDir, "wal-archive");
const statusFile = (config: Pick<Config, "dataDir">): string => path.join(archiveFolder(config), "archive.json");
export const journalFile = (config: Pick<Config, "dataDir">): string => path.join(archiveFolder(config), "new-files");

/** Returns the settings of an archive for the start of the database, or none. */
export const archiveSettings = (config: Config): { folder: string; seconds: number } | undefined =>
  isArchiving(config) ? { folder: archiveFolder(config), seconds: config.BACKUP_WAL_SECONDS } : undefined;

/** Returns the archive of this data folder; it gets its id once. */
export async function openArchive(config: Pick<Config, "dataDir">): Promise<ArchiveStatus> {
  await mkdir(archiveFolder(config), { recursive: true, mode: 0o700 });
  const first = JSON.stringify({ id: newId(), segment: null, at: null, fault: null });
  return (
    (await readStatus(config)) ??
    (await writeDurably(statusFile(config), first, { mode: 0o600, first: true }), (await readStatus(config))!)
  );
}

export async function readStatus(config: Pick<Config, "dataDir">): Promise<ArchiveStatus | null> {
  const text = await readText(statusFile(config));
  return text === null ? null : status.parse(JSON.parse(text));
}

export const writeStatus = (config: Pick<Config, "dataDir">, content: ArchiveStatus): Promise<void> =>
  writeDurably(statusFile(config), JSON.stringify(content), { mode: 0o600 });

/** Counts the segments that wait for the archive, and finds the age of the oldest. */
export async function measureWaiting(config: Pick<Config, "dataDir">): Promise<{ count: number; since: Date | null }> {
  const folders = [
    { folder: archiveFolder(config), isWaiting: isSegment },
    {
      folder: path.join(config.dataDir, "postgres/pg_wal/archive_status"),
      isWaiting: (name: string) => name.endsWith(".ready"),
    },
  ];
  const times: number[] = [];
  for (const { folder, isWaiting } of folders)
    for (const name of (await readdir(folder).catch(() => [])).filter(isWaiting)) {
      const found = await stat(path.join(folder, name)).catch(() => null);
      if (found) times.push(found.mtimeMs);
    }
  return { count: times.length, since: times.length === 0 ? null : new Date(Math.min(...times)) };
}

/**
 * Notes every file that enters the store, before a row can refer to it: the archive copies these files before it copies
 * the WAL with such a row.
 */
export function noteNewFiles(files: FileStore, config: Config): FileStore {
  const note = async (area: StorageArea, iid: string, sha256: string): Promise<void> => {
    await mkdir(archiveFolder(config), { recursive: true, mode: 0o700 });
    await appendFile(journalFile(config), `${fileKey(area, iid, sha256)}\n`, { mode: 0o600, flush: true });
  };
  return {
    ...files,
    async put(area, iid, source, expected) {
      const stored = await files.put(area, iid, source, expected);
      await note(area, iid, stored.sha256);
      return stored;
    },
    async adopt(area, iid, localPath, how) {
      const stored = await files.adopt(area, iid, localPath, how);
      await note(area, iid, stored.sha256);
      return stored;
    },
  };
}

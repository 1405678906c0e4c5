import { createReadStream, existsSync } from "node:fs";
import { open, readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { loadBackupKey } from "../backup/backup-key.ts";
import { writePart } from "../backup/backup-parts.ts";
import type { BackupPlace } from "../backup/backup-parts.ts";
import { openBackupTarget, refuseUnsafePlace } from "../backup-target/open-backup-target.ts";
import { openBackups } from "../backup/backup-manifest.ts";
import { copyFile } from "../backup/copy-stored-files.ts";
import type { Config } from "../runtime/config.ts";
import { removeFile } from "../storage/durable-writes.ts";
import { parseFileKey } from "../storage/file-store.ts";
import type { FileStore } from "../storage/file-store.ts";
import { createFileStore } from "../storage/open-file-store.ts";
import { logEvent } from "../telemetry/log.ts";
import { archiveFolder, isArchiving, journalFile, openArchive, writeStatus } from "./archive-folder.ts";
import { walFolder, walName } from "./archived-wal.ts";
import { isHistory, isSegment } from "./wal-segments.ts";

const everyMs = 2000;
const pauseAfterFaultMs = 30_000;

/**
 * Moves finished segments of the WAL to the target of the backups, compressed and encrypted as these. While it fails,
 * the segments wait in the data folder. Several processes may do this at the same time: each write is whole.
 */
export function startWalArchive(config: Config, files: () => FileStore): { stop(): Promise<void> } | null {
  if (!isArchiving(config)) return null;
  const shipper = new Shipper(config, files);
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let next = 0;
  const timer = setInterval(() => {
    if (isRunning || Date.now() < next) return;
    isRunning = true;
    running = shipper.ship().then(
      () => void (isRunning = false),
      async (error: Error) => {
        isRunning = false;
        next = Date.now() + pauseAfterFaultMs;
        await shipper.reportFault(error).catch(() => {});
      },
    );
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** Moves the segments that a stopped instance left. */
export async function shipWaitingSegments(config: Config): Promise<void> {
  if (!isArchiving(config) || !existsSync(archiveFolder(config))) return;
  const files = await createFileStore(config);
  await new Shipper(config, () => files).ship();
}

const mostJournalBytes = 4 * 1024 * 1024;

class Shipper {
  readonly #config: Config;
  readonly #files: () => FileStore;
  #place: BackupPlace | null = null;
  /** The journal is read from here on. After a start it is read from its beginning: copies that exist cost a look-up. */
  #read = 0;

  constructor(config: Config, files: () => FileStore) {
    this.#config = config;
    this.#files = files;
  }

  /** Copies what the waiting segments refer to, then the segments. */
  async ship(): Promise<void> {
    const folder = archiveFolder(this.#config);
    const status = await openArchive(this.#config);
    // Histories of timelines come first in the order of names, as a restore needs them.
    const found = await readdir(folder);
    // PostgreSQL archives a note about each backup, which the manifest makes needless.
    for (const name of found) if (name.endsWith(".backup")) await removeFile(path.join(folder, name));
    const names = found.filter((name) => isSegment(name) || isHistory(name)).toSorted();
    if (names.length === 0) return;
    const place = await this.#open();
    await this.#copyNewFiles(place);
    for (const name of names) {
      const file = path.join(folder, name);
      await writePart(place, walFolder(status.id), walName(name), createReadStream(file));
      await place.target.flush();
      await removeFile(file);
      await writeStatus(this.#config, { ...status, segment: name, at: new Date().toISOString(), fault: null });
    }
  }

  async reportFault(error: Error): Promise<void> {
    this.#place = null;
    const status = await openArchive(this.#config);
    if (status.fault !== error.message) logEvent("error", "WAL archive", error.message);
    await writeStatus(this.#config, { ...status, fault: error.message });
  }

  async #open(): Promise<BackupPlace> {
    if (this.#place) return this.#place;
    const { BACKUP_DIR = "", BACKUP_KEY_FILE } = this.#config;
    refuseUnsafePlace(BACKUP_DIR, this.#config);
    const key = BACKUP_KEY_FILE === undefined ? null : loadBackupKey(BACKUP_KEY_FILE);
    const place = { target: await openBackupTarget(BACKUP_DIR, this.#config), key };
    await openBackups(place, { create: true });
    this.#place = place;
    return place;
  }

  async #copyNewFiles(place: BackupPlace): Promise<void> {
    const journal = journalFile(this.#config);
    const lines = await this.#readJournal(journal);
    await this.#copyAll(place, lines);
    this.#read += lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (this.#read < mostJournalBytes) return;
    // A writer may just be adding a line to the file under its old name: it is read once more before it goes.
    const former = `${journal}.old`;
    await rename(journal, former);
    this.#read = 0;
    await this.#copyAll(place, await this.#readJournal(former));
    await removeFile(former);
  }

  async #copyAll(place: BackupPlace, lines: readonly string[]): Promise<void> {
    const { filesAtOnce } = place.target;
    const counts = { added: 0, damaged: [] };
    const names = [...new Set(lines)].map((line) => parseFileKey(line)).filter((name) => name !== null);
    for (let at = 0; at < names.length; at += filesAtOnce)
      await Promise.all(names.slice(at, at + filesAtOnce).map((name) => copyFile(this.#files(), place, name, counts)));
  }

  /** Returns the complete lines from the place that was reached. */
  async #readJournal(file: string): Promise<string[]> {
    const size = (await stat(file).catch(() => null))?.size ?? 0;
    if (size <= this.#read) return [];
    const handle = await open(file);
    try {
      const bytes = Buffer.alloc(size - this.#read);
      await handle.read(bytes, 0, bytes.length, this.#read);
      return bytes.toString("latin1").split("\n").slice(0, -1);
    } finally {
      await handle.close();
    }
  }
}

import { constants } from "node:fs";
import { mkdir, open, readdir, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { removeFile, fileSize, syncFile, syncFolder } from "../storage/durable-writes.ts";
import { hashFile } from "../storage/file-store.ts";
import type { StoredFileInfo } from "../storage/file-store.ts";

/** The storage of unfinished uploads: one file each, on this machine or on a disk that all machines share. */
export interface UploadParts {
  pathOf(id: string): string;
  bytes(id: string): Promise<number | null>;
  /** Makes a file; its name would survive a power failure. */
  make(id: string): Promise<void>;
  open(id: string): Promise<FileHandle>;
  /** Makes all earlier names survive a power failure. */
  syncNames(): Promise<void>;
  /** Flushes a file; returns the number of bytes that would survive a power failure. */
  sync(id: string): Promise<number>;
  syncAndHash(id: string): Promise<StoredFileInfo>;
  remove(id: string): Promise<void>;
  /** Returns the time at which bytes last arrived, in milliseconds; null if there are none. */
  touchedAt(id: string): Promise<number | null>;
  list(): Promise<{ id: string; touchedAt: number }[]>;
}

export async function openUploadParts(dataDir: string): Promise<UploadParts> {
  const folder = path.join(dataDir, "uploads");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dataDir);
  const pathOf = (id: string): string => {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError("not an upload's id");
    return path.join(folder, id);
  };
  const openPart = (id: string) => open(pathOf(id), constants.O_RDWR | constants.O_CREAT, 0o600);
  const sync = async (id: string): Promise<number> => {
    const bytes = await fileSize(pathOf(id));
    if (bytes === null) return 0;
    await syncFile(pathOf(id));
    return bytes;
  };
  return {
    pathOf,
    sync,
    open: openPart,
    syncNames: () => syncFolder(folder),
    bytes: (id) => fileSize(pathOf(id)),
    make: async (id) => {
      await (await openPart(id)).close();
      await syncFolder(folder);
    },
    syncAndHash: async (id) => {
      await sync(id);
      return hashFile(pathOf(id));
    },
    remove: (id) => removeFile(pathOf(id)),
    touchedAt: async (id) => (await stat(pathOf(id)).catch(() => null))?.mtimeMs ?? null,
    list: async () => {
      const seen = await Promise.all(
        (await readdir(folder)).map(async (id) => ({ id, found: await stat(path.join(folder, id)).catch(() => null) })),
      );
      return seen.flatMap(({ id, found }) => (found ? [{ id, touchedAt: found.mtimeMs }] : []));
    },
  };
}

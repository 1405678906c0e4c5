import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { DamagedError } from "../backup/backup-key.ts";
import type { BackupTarget, TargetFile } from "./backup-target.ts";
import { removeFile, rethrow, syncFolder } from "../storage/durable-writes.ts";

const chunkBytes = 1024 * 1024;

/** Keeps backups in a folder, which need not exist yet. */
export function createFolderTarget(root: string): BackupTarget {
  const changed = new Set<string>();
  const pathOf = (name: string): string => path.join(root, name);
  const noteChange = (file: string): void => {
    for (let folder = path.dirname(file); folder.startsWith(root); folder = path.dirname(folder)) changed.add(folder);
  };
  return {
    label: root,
    filesAtOnce: 4,
    async write(name, content) {
      const file = pathOf(name);
      const temporary = `${file}.${randomUUID()}${temporarySuffix}`;
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      noteChange(file);
      try {
        await pipeline(content, createWriteStream(temporary, { mode: 0o600, flush: true }));
        await rename(temporary, file);
      } finally {
        await removeFile(temporary);
      }
    },
    async flush() {
      const folders = [...changed];
      changed.clear();
      for (const folder of folders) await syncFolder(folder).catch(ignoreMissing);
    },
    async read(name) {
      const handle = await open(pathOf(name)).catch((error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? null : rethrow(error),
      );
      if (!handle) throw new DamagedError(`${name} is missing`);
      return handle.createReadStream({ highWaterMark: chunkBytes });
    },
    async size(name) {
      return (await stat(pathOf(name)).catch(ignoreMissing))?.size ?? null;
    },
    async listTop() {
      return (await readdir(root).catch(ignoreMissing)) ?? [];
    },
    list: (folder) => listFolder(root, folder),
    async remove(name) {
      noteChange(pathOf(name));
      await removeFile(pathOf(name));
    },
    async removeFolder(name) {
      noteChange(pathOf(name));
      await rm(pathOf(name), { recursive: true, force: true });
    },
  };
}

const temporarySuffix = ".part";

async function* listFolder(root: string, folder: string): AsyncGenerator<TargetFile[]> {
  const entries = (await readdir(path.join(root, folder), { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const files: TargetFile[] = [];
  for (const entry of entries)
    if (entry.isFile()) {
      const name = path.posix.join(folder, entry.name);
      const found = await stat(path.join(root, name)).catch(ignoreMissing);
      if (found) files.push({ name, bytes: found.size, modified: found.mtime });
    }
  if (files.length > 0) yield files;
  for (const entry of entries) if (entry.isDirectory()) yield* listFolder(root, path.posix.join(folder, entry.name));
}

const ignoreMissing = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  return null;
};

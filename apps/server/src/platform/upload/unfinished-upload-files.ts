import { constants } from "node:fs";
import { mkdir, open, readdir, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import {
  createStepwiseFlush,
  fileSize,
  keepFolderOpen,
  refuseIfMissing,
  removeFile,
  syncFile,
  syncFolder,
  writeBlocks,
} from "../storage/durable-writes.ts";
import { hashFile } from "../storage/file-store.ts";
import { isUploadId, requireUploadId } from "./upload-parts.ts";
import type { PartWriter, UploadParts } from "./upload-parts.ts";

/** Opens unfinished uploads as files on this machine, or on a disk that all machines share. */
export async function openUploadFiles(dataDir: string): Promise<UploadParts> {
  const folder = path.join(dataDir, "uploads");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dataDir);
  const names = keepFolderOpen(folder);
  const pathOf = (id: string): string => path.join(folder, requireUploadId(id));
  const openPart = (id: string) => open(pathOf(id), constants.O_RDWR | constants.O_CREAT, 0o600);
  const sync = async (id: string): Promise<number> => {
    const bytes = await fileSize(pathOf(id));
    if (bytes === null) return 0;
    await syncFile(pathOf(id));
    return bytes;
  };
  return {
    workFolder: dataDir,
    sync,
    open: async (id, at = 0) => createFileWriter(await openPart(id), at),
    syncNames: () => names.sync(),
    bytes: (id) => fileSize(pathOf(id)),
    make: async (id) => {
      await (await openPart(id)).close();
      await names.sync();
    },
    syncAndHash: async (id) => {
      await sync(id);
      return hashFile(pathOf(id));
    },
    head: (id, length) => readHead(pathOf(id), length),
    lend: async (id) => ({ path: pathOf(id), release: async () => {} }),
    // A hash is known in advance only if the file arrived as a whole and was flushed before it was acknowledged.
    moveInto: (id, { files, area, iid, sha256, keep }) =>
      files.adopt(area, iid, pathOf(id), { ...(sha256 && { sha256, isFlushed: true }), ...(keep && { keep }) }),
    remove: (id) => removeFile(pathOf(id)),
    touchedAt: async (id) => (await stat(pathOf(id)).catch(() => null))?.mtimeMs ?? null,
    list: async () => {
      const seen = await Promise.all(
        (await readdir(folder))
          .filter(isUploadId)
          .map(async (id) => ({ id, found: await stat(path.join(folder, id)).catch(() => null) })),
      );
      return seen.flatMap(({ id, found }) => (found ? [{ id, touchedAt: found.mtimeMs }] : []));
    },
  };
}

/** Writes from byte `at` on, before which all bytes are on the disk. */
export function createFileWriter(file: FileHandle, at = 0): PartWriter {
  const flush = createStepwiseFlush(file);
  let end = at;
  return {
    write: async (...blocks) => {
      const bytes = await writeBlocks(file, blocks, end);
      end += bytes;
      await flush.wrote(bytes);
    },
    flush: async () => {},
    sync: () =>
      flush.finish().catch(async (error: unknown) => {
        // The system forgets bytes that it could not write, and reports them once: the next sender must not go on after them.
        await file.truncate(at);
        throw error;
      }),
    close: () => file.close(),
  };
}

async function readHead(file: string, length: number): Promise<Buffer> {
  const handle = await open(file).catch(refuseIfMissing);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

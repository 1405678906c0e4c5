import { closeSync, constants, open as openFile, read as readFrom } from "node:fs";
import { copyFile, link, mkdir, open, readFile, rename, stat, readdir } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import {
  removeFile,
  refuseIfMissing,
  refuseWhenFull,
  rethrow,
  fileSize,
  removeStaleFiles,
  syncFile,
  syncFolder,
  temporaryPath,
  readText,
  writeDurably,
  writeHashed,
} from "./durable-writes.ts";
import { fileKey, hashFile, requireSameContent, storageAreas, parseFileKey } from "./file-store.ts";
import type {
  AdoptOptions,
  StorageArea,
  ByteRange,
  FileStore,
  AcquireBuffer,
  StoredFileInfo,
  StoredName,
} from "./file-store.ts";
import { guardStream } from "./guarded-stream.ts";
import { refuse } from "../http/refuse.ts";

const incomingName = ".incoming";

/** A file store in a folder of this machine, or of a network disk. */
export function createDiskStore(root: string): FileStore {
  const incoming = path.join(root, incomingName);
  const at = (area: StorageArea, iid: string, sha256: string): string =>
    path.join(root, ...fileKey(area, iid, sha256).split("/"));

  const put: FileStore["put"] = async (area, iid, source, expected) => {
    const temporary = await temporaryPath(incoming);
    try {
      const stored = await writeHashed(temporary, source);
      requireSameContent(stored, expected);
      await place(root, temporary, at(area, iid, stored.sha256));
      return stored;
    } finally {
      await removeFile(temporary);
    }
  };

  const adopt = async (
    area: StorageArea,
    iid: string,
    localPath: string,
    how: AdoptOptions = {},
  ): Promise<StoredFileInfo> => {
    const stored = how.sha256 ? { sha256: how.sha256, bytes: (await stat(localPath)).size } : await hashFile(localPath);
    if (!how.isFlushed) await syncFile(localPath);
    const target = at(area, iid, stored.sha256);
    if (how.keep || !(await tryMove(root, localPath, target))) await placeCopy(root, localPath, target);
    if (!how.keep) await removeFile(localPath);
    return stored;
  };

  const read = async (area: StorageArea, iid: string, sha256: string, range?: ByteRange): Promise<Readable> => {
    const handle = await open(at(area, iid, sha256)).catch(refuseIfMissing);
    return guardStream(handle.createReadStream({ ...range, highWaterMark: 256 * 1024 }));
  };

  return {
    put: (...given) => refuseWhenFull(put(...given)),
    adopt: (...given) => refuseWhenFull(adopt(...given)),
    read,
    readChunks: (area, iid, sha256, range, acquireBuffer) => readChunks(at(area, iid, sha256), range, acquireBuffer),
    readInto: (area, iid, sha256, start, into) => readInto(at(area, iid, sha256), start, into),
    bytes: (area, iid, sha256) => fileSize(at(area, iid, sha256)),
    local: async (area, iid, sha256, work) => {
      const place = at(area, iid, sha256);
      if ((await fileSize(place)) === null) refuse("notFound");
      return work(place);
    },
    remove: (area, iid, sha256) => removeFile(at(area, iid, sha256)),
    quarantine: (area, iid, sha256) =>
      moveToQuarantine(at(area, iid, sha256), path.join(root, "damaged", ...fileKey(area, iid, sha256).split("/"))),
    probe: () => refuseWhenFull(probe(incoming)),
    list: (before) => listDiskFiles(root, before),
    removeStale: () => removeStaleFiles(incoming),
    storeId: async (write) => {
      const file = path.join(root, "storage.id");
      if (write !== undefined) await writeDurably(file, `${write}\n`, {});
      return readText(file);
    },
  };
}

/** Lists the files of a store on disk that are older than `before`, one folder at a time. */
async function* listDiskFiles(root: string, before: Date): AsyncGenerator<StoredName[]> {
  for (const area of storageAreas)
    for (const iid of await listNames(path.join(root, area)))
      for (const part of await listNames(path.join(root, area, iid))) {
        const old: StoredName[] = [];
        for (const sha256 of await listNames(path.join(root, area, iid, part))) {
          const name = parseFileKey(`${area}/${iid}/${part}/${sha256}`);
          const found = await stat(path.join(root, area, iid, part, sha256)).catch(() => null);
          if (name && found && found.mtimeMs < before.getTime()) old.push(name);
        }
        if (old.length > 0) yield old;
      }
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

// Promise-based file handles cost more, and closing a file that was only read is faster here than on another thread.
const openAsync = promisify(openFile);
const readSome = promisify(readFrom);
async function readInto(file: string, start: number, into: Uint8Array): Promise<void> {
  const handle = await openAsync(file, "r").catch(refuseIfMissing);
  try {
    for (let done = 0; done < into.length;) {
      const { bytesRead } = await readSome(handle, into, done, into.length - done, start + done);
      if (bytesRead === 0) refuse("fileDamaged");
      done += bytesRead;
    }
  } finally {
    closeSync(handle);
  }
}

async function* readChunks(
  file: string,
  { start, end }: ByteRange,
  acquireBuffer: AcquireBuffer,
): AsyncGenerator<Uint8Array> {
  const handle = await openAsync(file, "r").catch(refuseIfMissing);
  try {
    for (let at = start; at <= end;) {
      const into = acquireBuffer();
      const { bytesRead } = await readSome(handle, into, 0, Math.min(into.length, end + 1 - at), at);
      if (bytesRead === 0) return;
      yield into.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    closeSync(handle);
  }
}

async function moveToQuarantine(file: string, quarantine: string): Promise<void> {
  await mkdir(path.dirname(quarantine), { recursive: true, mode: 0o700 });
  await rename(file, quarantine).catch((error: { code?: string }) =>
    error.code === "ENOENT" ? undefined : rethrow(error),
  );
  await syncFolder(path.dirname(file));
}

/**
 * Gives a finished temporary file its name. Replacing an existing file is safe, because the name is the content's hash,
 * and it repairs a damaged file.
 */
async function place(root: string, temporary: string, target: string): Promise<void> {
  await createFolderDurably(root, path.dirname(target));
  await rename(temporary, target);
  await syncFolder(path.dirname(target));
}

async function placeCopy(root: string, localPath: string, target: string): Promise<void> {
  if (await tryLink(root, localPath, target)) return;
  const temporary = await temporaryPath(path.join(root, incomingName));
  try {
    await linkOrCopy(localPath, temporary);
    await place(root, temporary, target);
  } finally {
    await removeFile(temporary);
  }
}

/** Gives the file a second name at once; false if the name exists, or the disk gives no second one. */
async function tryLink(root: string, localPath: string, target: string): Promise<boolean> {
  await createFolderDurably(root, path.dirname(target));
  try {
    await link(localPath, target);
  } catch (error) {
    if (hasCode(error, ["EEXIST", ...withoutLinks])) return false;
    throw error;
  }
  await syncFolder(path.dirname(target));
  return true;
}

/** Moves the file; false if it is on another disk. */
async function tryMove(root: string, localPath: string, target: string): Promise<boolean> {
  try {
    await place(root, localPath, target);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== "EXDEV") throw error;
    return false;
  }
}

/** Folders that are known to be on the disk, so that each is synced once. */
const durableFolders = new Set<string>();
async function createFolderDurably(root: string, folder: string): Promise<void> {
  if (durableFolders.has(folder) && (await fileSize(folder)) !== null) return;
  if (folder !== root) await createFolderDurably(root, path.dirname(folder));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(path.dirname(folder));
  durableFolders.add(folder);
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!hasCode(error, withoutLinks)) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await syncFile(to);
  }
}

/** Another disk, or one without hard links. */
const withoutLinks: readonly string[] = ["EXDEV", "EPERM", "ENOTSUP", "EMLINK", "ENOSYS"];
const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? "");

async function probe(incoming: string): Promise<void> {
  const temporary = await temporaryPath(incoming);
  try {
    await writeHashed(temporary, Buffer.from("arcada"));
    if ((await readFile(temporary, "utf8")) !== "arcada")
      throw new Error("the file store gives back other bytes than were written");
  } finally {
    await removeFile(temporary);
  }
}

import { createHash, randomUUID } from "node:crypto";
import { fsync, openSync } from "node:fs";
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import type { StoredFileInfo } from "./file-store.ts";
import { refuse } from "../http/refuse.ts";

export const refuseIfMissing = (error: unknown): never =>
  (error as { code?: string }).code === "ENOENT" ? refuse("notFound") : rethrow(error);
export const rethrow = (error: unknown): never => {
  throw error;
};

/** Turns a full disk into a refusal with a text instead of an unexpected error. */
export async function refuseWhenFull<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isFull(error)) refuse("storageFull");
    throw error;
  }
}
const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes((error as { code?: string }).code ?? "");

export async function temporaryPath(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, randomUUID());
}

/** Writes and hashes in one pass; the bytes are on the disk when it resolves. */
export async function writeHashed(file: string, source: Readable | Uint8Array): Promise<StoredFileInfo> {
  const hash = createHash("sha256");
  let bytes = 0;
  const handle = await open(file, "wx", 0o600);
  const flush = createStepwiseFlush(handle);
  try {
    for await (const chunk of source instanceof Uint8Array ? splitBytes(source) : source) {
      const block = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array);
      hash.update(block);
      await writeAll(handle, block, bytes);
      bytes += block.length;
      await flush.wrote(block.length);
    }
    await flush.finish();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest("hex"), bytes };
}

function* splitBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 1024 * 1024) yield bytes.subarray(start, start + 1024 * 1024);
}

/** Writes all bytes. A write may be shorter than requested, for example on a disk that is nearly full. */
export async function writeAll(handle: FileHandle, block: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < block.length;) {
    const { bytesWritten } = await handle.write(block, done, block.length - done, position + done);
    done += bytesWritten;
  }
}

/** Writes blocks one after another from `position` on; returns the number of their bytes. */
export async function writeBlocks(
  handle: FileHandle,
  blocks: readonly Uint8Array[],
  position: number,
): Promise<number> {
  const { bytesWritten } = await handle.writev(blocks, position);
  let end = 0;
  for (const block of blocks) {
    const done = Math.min(block.length, Math.max(0, bytesWritten - end));
    // Only on a disk that is nearly full.
    if (done < block.length) await writeAll(handle, block.subarray(done), position + end + done);
    end += block.length;
  }
  return end;
}

/** Bytes after which a flush begins. At most twice as many, and the bytes of two writes, are not on the disk yet. */
const flushEveryBytes = 8 * 1024 * 1024;

/**
 * Flushes a file step by step while it is written. The last flush is short, and a database on the same disk never waits
 * behind hundreds of megabytes.
 */
export function createStepwiseFlush(handle: Pick<FileHandle, "datasync" | "sync">): {
  /** Called after each write. Waits while the disk is slower than the writer. */
  wrote(bytes: number): Promise<void>;
  /** Resolves when all bytes would survive a power failure. */
  finish(): Promise<void>;
} {
  let unflushed = 0;
  // A failed flush fails all later calls: the system reports the loss once, and a second flush would succeed without
  // the bytes.
  let flushing: Promise<void> = Promise.resolve();
  return {
    wrote: async (bytes) => {
      unflushed += bytes;
      if (unflushed < flushEveryBytes) return;
      await flushing;
      unflushed = 0;
      flushing = handle.datasync();
      flushing.catch(() => {});
    },
    finish: async () => {
      await flushing;
      await handle.sync();
    },
  };
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Flushes a folder: a new name is safe only once its folder is on the disk too. One flush serves all callers who came
 * before it began.
 */
export const syncFolder = (folder: string): Promise<void> => shareFlush(folder, () => flushFolder(folder));

/** Flushes a folder as `syncFolder` does, but keeps it open: each opening and closing waits for a thread. */
export function keepFolderOpen(folder: string): { sync(): Promise<void> } {
  const descriptor = process.platform === "win32" ? null : openSync(folder, "r");
  const flush = (): Promise<void> =>
    descriptor === null
      ? flushFolder(folder)
      : flushDescriptor(descriptor).catch((error: { code?: string }) =>
          // Only a network file system answers so. After any other error a second flush could succeed without the names.
          error.code === "ESTALE" ? flushFolder(folder) : rethrow(error),
        );
  return { sync: () => shareFlush(folder, flush) };
}
const flushDescriptor = promisify(fsync);

function shareFlush(folder: string, flushNow: () => Promise<void>): Promise<void> {
  const flush = flushes.get(folder) ?? { running: null, next: null };
  flushes.set(folder, flush);
  if (flush.next) return flush.next;
  const begin = (): Promise<void> => {
    flush.next = null;
    flush.running = flushNow().finally(() => {
      flush.running = null;
      if (!flush.next) flushes.delete(folder);
    });
    return flush.running;
  };
  return flush.running ? (flush.next = flush.running.then(begin, begin)) : begin();
}

const flushes = new Map<string, { running: Promise<void> | null; next: Promise<void> | null }>();

/** Windows cannot open folders, and journals names by itself. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch((error: { code?: string }) =>
    process.platform === "win32" ? null : rethrow(error),
  );
  try {
    await handle?.sync();
  } catch (error) {
    if (process.platform !== "win32") throw error;
  } finally {
    await handle?.close();
  }
}

/** Writes a small file that exists either wholly or not at all. `first`: an existing one stays. */
export async function writeDurably(file: string, text: string, how: { mode?: number; first?: boolean }): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}`;
  const handle = await open(temporary, "wx", how.mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (how.first)
    await link(temporary, file).catch((error: { code?: string }) =>
      error.code === "EEXIST" ? undefined : rethrow(error),
    );
  else await rename(temporary, file);
  await removeFile(temporary);
  await syncFolder(folder);
}

/** Returns a small file's text, without the line end. */
export async function readText(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch((error: { code?: string }) =>
    error.code === "ENOENT" ? null : rethrow(error),
  );
  return text?.trim() ?? null;
}

export async function fileSize(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

export async function removeFile(file: string): Promise<void> {
  await unlink(file).catch((error: { code?: string }) => (error.code === "ENOENT" ? undefined : rethrow(error)));
}

const staleAfter = 60 * 60 * 1000;

/**
 * Removes temporary files to which nobody has written for an hour. A writer that lost its file fails at the rename, so
 * no loss goes unnoticed.
 */
export async function removeStaleFiles(folder: string, now = Date.now()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs < staleAfter) continue;
    await removeFile(file);
    removed++;
  }
  return removed;
}

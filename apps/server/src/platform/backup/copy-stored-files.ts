import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DamagedError, decryptWith, encryptWith, plainSize } from "./backup-key.ts";
import type { BackupKey } from "./backup-key.ts";
import { countBytes, readPart } from "./backup-parts.ts";
import { filesFolder } from "./backup-manifest.ts";
import type { StoredBackup } from "./backup-manifest.ts";
import { Refused } from "../http/refuse.ts";
import { removeFile, syncFolder } from "../storage/durable-writes.ts";
import { fileKey, parseFileKey } from "../storage/file-store.ts";
import type { FileStore, StoredName } from "../storage/file-store.ts";

/** The place of the copies of stored files, which are named by the hash of their content, each in a file of its own. */
export interface FileCopies {
  root: string;
  key: BackupKey | null;
}

interface CopyCounts {
  count: number;
  content: number;
  added: number;
  damaged: string[];
}

const copiesAtOnce = 4;

/** Returns the path of a copy. */
export const copyPath = ({ root, key }: FileCopies, { area, iid, sha256 }: StoredName): string =>
  path.join(filesFolder(root), ...fileKey(area, iid, sha256).split("/")) + (key ? ".enc" : "");

/**
 * Copies the stored files that are not there yet, and yields the list of all of them, a line each. A copy gets its name
 * only when it is complete, so a later run goes on after an interruption.
 */
export async function* copyStoredFiles(
  files: FileStore,
  copies: FileCopies,
  counts: CopyCounts,
): AsyncGenerator<Buffer> {
  const folders = new Set<string>();
  for await (const names of files.list(new Date(Date.now() + 86_400_000)))
    for (let at = 0; at < names.length; at += copiesAtOnce) {
      const some = names.slice(at, at + copiesAtOnce);
      const sizes = await Promise.all(some.map((name) => copyFile(files, copies, name, counts, folders)));
      const lines = some.flatMap(({ area, iid, sha256 }, index) => {
        const bytes = sizes[index] ?? null;
        if (bytes === null) return [];
        counts.count += 1;
        counts.content += bytes;
        return [`${fileKey(area, iid, sha256)} ${bytes}\n`];
      });
      yield Buffer.from(lines.join(""));
    }
  for (const folder of folders) await syncFolder(folder);
}

/** Returns the size of the content; null if the file is gone or its content is not the one that its name promises. */
async function copyFile(
  files: FileStore,
  copies: FileCopies,
  name: StoredName,
  counts: CopyCounts,
  folders: Set<string>,
): Promise<number | null> {
  const target = copyPath(copies, name);
  const known = await copySize(copies, name);
  if (known !== null) return known;
  const temporary = `${target}.${randomUUID()}.part`;
  const hash = createHash("sha256");
  const counter = { bytes: 0 };
  for (let folder = path.dirname(target); folder.startsWith(copies.root); folder = path.dirname(folder))
    folders.add(folder);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  try {
    const source = await files.read(name.area, name.iid, name.sha256);
    const sink = createWriteStream(temporary, { mode: 0o600, flush: true });
    if (copies.key) await pipeline(source, countBytes(hash, counter), encryptWith(copies.key), sink);
    else await pipeline(source, countBytes(hash, counter), sink);
    if (hash.digest("hex") !== name.sha256) {
      counts.damaged.push(fileKey(name.area, name.iid, name.sha256));
      return null;
    }
    await rename(temporary, target);
    counts.added += 1;
    return counter.bytes;
  } catch (error) {
    if (error instanceof Refused && error.refusal === "notFound") return null;
    throw error;
  } finally {
    await removeFile(temporary);
  }
}

/** Returns the size of a copy's content; null: there is no copy. */
export async function copySize(copies: FileCopies, name: StoredName): Promise<number | null> {
  const found = await stat(copyPath(copies, name)).catch(() => null);
  if (!found) return null;
  return copies.key ? plainSize(found.size) : found.size;
}

export interface ListedFile extends StoredName {
  bytes: number;
}

/** Passes the stored files of a backup, some at a time. */
export async function forEachFile(
  backup: StoredBackup,
  key: BackupKey | null,
  work: (file: ListedFile) => Promise<void>,
): Promise<void> {
  await readPart(backup.folder, backup.manifest.files, key, async (content) => {
    let rest = "";
    for await (const chunk of content) {
      const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
      rest = lines.pop()!;
      for (let at = 0; at < lines.length; at += copiesAtOnce)
        await Promise.all(lines.slice(at, at + copiesAtOnce).map((line) => work(parseLine(line))));
    }
    if (rest !== "") throw new DamagedError("it is cut off");
  });
}

function parseLine(line: string): ListedFile {
  const [place = "", bytes = ""] = line.split(" ");
  const name = parseFileKey(place);
  if (!name || !/^\d+$/.test(bytes)) throw new DamagedError("it is not a list of files");
  return { ...name, bytes: Number(bytes) };
}

/** Reads a copy to its end; returns false if it is missing or is not the content that its name promises. */
export async function isCopyIntact(copies: FileCopies, file: ListedFile): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of readCopy(copies, file)) hash.update(chunk as Buffer);
  } catch (error) {
    if (isFaultOfCopy(error)) return false;
    throw error;
  }
  return hash.digest("hex") === file.sha256;
}

/** Puts a copy into a store unless it has it already; returns false if the copy is missing or damaged. */
export async function restoreFile(copies: FileCopies, file: ListedFile, files: FileStore): Promise<boolean> {
  const { area, iid, sha256, bytes } = file;
  if ((await files.bytes(area, iid, sha256)) === bytes) return true;
  try {
    const stored = await files.put(area, iid, readCopy(copies, file));
    if (stored.sha256 === sha256) return true;
    await files.remove(area, iid, stored.sha256);
    return false;
  } catch (error) {
    if (isFaultOfCopy(error)) return false;
    throw error;
  }
}

function readCopy(copies: FileCopies, file: StoredName): Readable {
  const source = createReadStream(copyPath(copies, file), { highWaterMark: 1024 * 1024 });
  // The reader receives the error too; without a listener, a missing file would end the process.
  source.on("error", () => {});
  if (!copies.key) return source;
  const plain = Readable.from(decryptWith(copies.key)(source));
  plain.on("error", () => {});
  return plain;
}

const isFaultOfCopy = (error: unknown): boolean =>
  error instanceof DamagedError || (error as NodeJS.ErrnoException).code === "ENOENT";

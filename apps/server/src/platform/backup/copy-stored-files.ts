import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DamagedError, decryptWith, encryptWith, plainSize } from "./backup-key.ts";
import { countBytes, readPart } from "./backup-parts.ts";
import type { BackupPlace } from "./backup-parts.ts";
import { filesFolder } from "./backup-manifest.ts";
import type { StoredBackup } from "./backup-manifest.ts";
import { Refused } from "../http/refuse.ts";
import { fileKey, parseFileKey } from "../storage/file-store.ts";
import type { FileStore, StoredName } from "../storage/file-store.ts";
import { guardStream } from "../storage/guarded-stream.ts";

interface CopyCounts {
  count: number;
  content: number;
  added: number;
  damaged: string[];
}

/** Returns the name of the copy of a stored file: the hash of the content, in the folder that all backups share. */
export const copyName = ({ key }: BackupPlace, { area, iid, sha256 }: StoredName): string =>
  `${filesFolder}/${fileKey(area, iid, sha256)}${key ? ".enc" : ""}`;

/**
 * Copies the stored files that are not there yet, and yields the list of all of them, a line each. A copy gets its name
 * only when it is complete, so a later run goes on after an interruption.
 */
export async function* copyStoredFiles(
  files: FileStore,
  place: BackupPlace,
  counts: CopyCounts,
): AsyncGenerator<Buffer> {
  const { filesAtOnce } = place.target;
  for await (const names of files.list(new Date(Date.now() + 86_400_000)))
    for (let at = 0; at < names.length; at += filesAtOnce) {
      const some = names.slice(at, at + filesAtOnce);
      const sizes = await Promise.all(some.map((name) => copyFile(files, place, name, counts)));
      const lines = some.flatMap(({ area, iid, sha256 }, index) => {
        const bytes = sizes[index] ?? null;
        if (bytes === null) return [];
        counts.count += 1;
        counts.content += bytes;
        return [`${fileKey(area, iid, sha256)} ${bytes}\n`];
      });
      yield Buffer.from(lines.join(""));
    }
}

/** Returns the size of the content; null if the file is gone or its content is not the one that its name promises. */
export async function copyFile(
  files: FileStore,
  place: BackupPlace,
  name: StoredName,
  counts: Pick<CopyCounts, "added" | "damaged">,
): Promise<number | null> {
  const known = await copySize(place, name);
  if (known !== null) return known;
  const hash = createHash("sha256");
  const counter = { bytes: 0 };
  // The target keeps nothing of a file whose writing ends with an error.
  const check = async function* (content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* countBytes(hash, counter)(content);
    if (hash.digest("hex") !== name.sha256) throw new DamagedError("its content was changed");
  };
  const write = (content: AsyncIterable<Uint8Array>) => place.target.write(copyName(place, name), content);
  try {
    const source = await files.read(name.area, name.iid, name.sha256);
    if (place.key) await pipeline(source, check, encryptWith(place.key), write);
    else await pipeline(source, check, write);
    counts.added += 1;
    return counter.bytes;
  } catch (error) {
    if (error instanceof Refused && error.refusal === "notFound") return null;
    if (!(error instanceof DamagedError)) throw error;
    counts.damaged.push(fileKey(name.area, name.iid, name.sha256));
    return null;
  }
}

/** Returns the size of a copy's content; null: there is no copy. */
export async function copySize(place: BackupPlace, name: StoredName): Promise<number | null> {
  const bytes = await place.target.size(copyName(place, name));
  return bytes !== null && place.key ? plainSize(bytes) : bytes;
}

export interface ListedFile extends StoredName {
  bytes: number;
}

/** Passes the stored files of a backup, some at a time. */
export async function forEachFile(
  place: BackupPlace,
  backup: StoredBackup,
  work: (file: ListedFile) => Promise<void>,
): Promise<void> {
  const { filesAtOnce } = place.target;
  await readPart(place, backup.name, backup.manifest.files, async (content) => {
    let rest = "";
    for await (const chunk of content) {
      const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
      rest = lines.pop()!;
      for (let at = 0; at < lines.length; at += filesAtOnce)
        await Promise.all(lines.slice(at, at + filesAtOnce).map((line) => work(parseLine(line))));
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
export async function isCopyIntact(place: BackupPlace, file: ListedFile): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of readCopy(place, file)) hash.update(chunk as Buffer);
  } catch (error) {
    if (isFaultOfCopy(error)) return false;
    throw error;
  }
  return hash.digest("hex") === file.sha256;
}

/** Puts a copy into a store unless it has it already; returns false if the copy is missing or damaged. */
export async function restoreFile(place: BackupPlace, file: ListedFile, files: FileStore): Promise<boolean> {
  const { area, iid, sha256, bytes } = file;
  if ((await files.bytes(area, iid, sha256)) === bytes) return true;
  try {
    const stored = await files.put(area, iid, guardStream(Readable.from(readCopy(place, file), { objectMode: false })));
    if (stored.sha256 === sha256) return true;
    await files.remove(area, iid, stored.sha256);
    return false;
  } catch (error) {
    if (isFaultOfCopy(error)) return false;
    throw error;
  }
}

async function* readCopy(place: BackupPlace, file: StoredName): AsyncGenerator<Uint8Array> {
  const source = guardStream(await place.target.read(copyName(place, file)));
  yield* place.key ? decryptWith(place.key)(source) : (source as AsyncIterable<Uint8Array>);
}

const isFaultOfCopy = (error: unknown): boolean => error instanceof DamagedError;

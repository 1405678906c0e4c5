import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { DamagedError, decryptWith, encryptWith } from "./backup-key.ts";
import type { BackupKey } from "./backup-key.ts";
import { StartError } from "../runtime/config.ts";

/** A file of a backup: `bytes` and `sha256` are those of the file as it is stored. */
export interface BackupPart {
  name: string;
  bytes: number;
  sha256: string;
}

type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Readable;

/** Compresses a stream into a part, encrypts it if there is a key, and flushes it to the disk. */
export async function writePart(
  folder: string,
  name: string,
  source: Source,
  key: BackupKey | null,
): Promise<BackupPart> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  const counter = { bytes: 0 };
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } });
  const target = createWriteStream(file, { mode: 0o600, flush: true });
  if (key) await pipeline(source, compress, encryptWith(key), countBytes(hash, counter), target);
  else await pipeline(source, compress, countBytes(hash, counter), target);
  return { name, bytes: counter.bytes, sha256: hash.digest("hex") };
}

/** Reads a part, passes its content to `read`, and throws if the file is not the one that was written. */
export async function readPart(
  folder: string,
  part: BackupPart,
  key: BackupKey | null,
  read: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  const counter = { bytes: 0 };
  const source = createReadStream(path.join(folder, part.name), { highWaterMark: 1024 * 1024 });
  try {
    if (key) await pipeline(source, countBytes(hash, counter), decryptWith(key), createZstdDecompress(), read);
    else await pipeline(source, countBytes(hash, counter), createZstdDecompress(), read);
  } catch (error) {
    throw isFaultOfFile(error) ? new DamagedError(`${part.name}: ${(error as Error).message}`) : error;
  }
  if (counter.bytes !== part.bytes || hash.digest("hex") !== part.sha256)
    throw new DamagedError(`${part.name}: its content was changed`);
}

const isFaultOfFile = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return error instanceof DamagedError || code === "ENOENT" || code.startsWith("ZSTD") || code.startsWith("Z_");
};

/** For a pipeline: hashes what passes. */
export const countBytes = (hash: Hash, counter: { bytes: number }) =>
  async function* count(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk);
      counter.bytes += chunk.length;
      yield chunk;
    }
  };

/** Explains a full or read-only disk in one sentence. */
export async function explainDiskErrors<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new StartError(`The disk of ${folder} is full: make room and run the command again. It goes on from here.`);
    if (code === "EACCES" || code === "EROFS" || code === "EPERM")
      throw new StartError(`${folder} cannot be written (${code}): choose another folder or give write access.`);
    throw error;
  }
}

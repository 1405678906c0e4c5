import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { DamagedError, decryptWith, encryptWith } from "./backup-key.ts";
import type { BackupKey } from "./backup-key.ts";
import type { BackupTarget } from "../backup-target/backup-target.ts";
import { StartError } from "../runtime/config.ts";

/** The place of backups, and the key of their content; null: they are not encrypted. */
export interface BackupPlace {
  target: BackupTarget;
  key: BackupKey | null;
}

/** A file of a backup: `bytes` and `sha256` are those of the file as it is stored. */
export interface BackupPart {
  name: string;
  bytes: number;
  sha256: string;
}

type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Readable;

/** Compresses a stream into a part of the backup in this folder, and encrypts it if there is a key. */
export async function writePart(
  { target, key }: BackupPlace,
  folder: string,
  name: string,
  source: Source,
): Promise<BackupPart> {
  const hash = createHash("sha256");
  const counter = { bytes: 0 };
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const write = (content: AsyncIterable<Uint8Array>) => target.write(`${folder}/${name}`, content);
  if (key) await pipeline(source, compress, encryptWith(key), countBytes(hash, counter), write);
  else await pipeline(source, compress, countBytes(hash, counter), write);
  return { name, bytes: counter.bytes, sha256: hash.digest("hex") };
}

/**
 * Reads a part of the backup in this folder, passes its content to `read`, and throws a DamagedError if the file is not
 * the one that was written.
 */
export async function readPart(
  place: BackupPlace,
  folder: string,
  part: BackupPart,
  read: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  const counter = { bytes: 0 };
  await readCompressed(place, `${folder}/${part.name}`, countBytes(hash, counter), read);
  if (counter.bytes !== part.bytes || hash.digest("hex") !== part.sha256)
    throw new DamagedError(`${part.name}: its content was changed`);
}

type Transform = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** Reads a compressed file, and passes the bytes of the file itself through `watch`. */
export async function readCompressed(
  { target, key }: BackupPlace,
  name: string,
  watch: Transform,
  read: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const source = await target.read(name);
  try {
    if (key) await pipeline(source, watch, decryptWith(key), createZstdDecompress(), read);
    else await pipeline(source, watch, createZstdDecompress(), read);
  } catch (error) {
    throw isFaultOfFile(error) ? new DamagedError(`${name}: ${(error as Error).message}`) : error;
  }
}

const isFaultOfFile = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return error instanceof DamagedError || code.startsWith("ZSTD") || code.startsWith("Z_");
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
export async function explainDiskErrors<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new StartError(`The disk of ${label} is full: make room and run the command again. It goes on from here.`);
    if (code === "EACCES" || code === "EROFS" || code === "EPERM")
      throw new StartError(`${label} cannot be written (${code}): choose another folder or give write access.`);
    throw error;
  }
}

/** Explains a bucket that cannot be used in one sentence. */
export async function explainNetworkErrors<T>({ label }: BackupTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, $metadata, name, message } = error as NodeJS.ErrnoException & {
      $metadata?: { httpStatusCode?: number };
    };
    if (!$metadata && !networkErrors.test(code ?? name)) throw error;
    // The answer to HEAD has no text.
    const reason = $metadata?.httpStatusCode ? `HTTP ${$metadata.httpStatusCode} ${name}` : `${code ?? name}`;
    throw new StartError(
      `${label} cannot be used (${reason}: ${message}): check its address, its keys and the network, and run the command again.`,
    );
  }
}
const networkErrors = /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|EPIPE|TimeoutError)/;

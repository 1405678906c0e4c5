import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";

/** Originals came from people and never change; derived files can be made again from them. */
export type StorageArea = "originals" | "converted";
export const storageAreas = ["originals", "converted"] as const satisfies readonly StorageArea[];

export interface StoredFileInfo {
  sha256: string;
  bytes: number;
}
export interface AdoptOptions {
  /** The hash, if it is known, so that the file is not read again. */
  sha256?: string;
  /** True if its bytes are on the disk already. */
  isFlushed?: boolean;
  /** True if the local file stays in place (as a second name of the same bytes if the disk supports it). */
  keep?: boolean;
}
/** A file's name in the store. */
export interface StoredName {
  area: StorageArea;
  iid: string;
  sha256: string;
}
export type ByteRange = { start: number; end: number };
/** Returns memory to read into. It may be reused once the caller has passed the bytes on. */
export type AcquireBuffer = () => Buffer;
const bufferBytes = 512 * 1024;
export const allocateBuffer: AcquireBuffer = () => Buffer.allocUnsafeSlow(bufferBytes);

/**
 * A content-addressed file store: an institution's file is named by the SHA-256 of its bytes, so that the same bytes
 * are stored once.
 */
export interface FileStore {
  /**
   * Resolves only when the bytes would survive a power failure. With `expected`, other content is an error, and a store
   * may pass the bytes on without a temporary file.
   */
  put(
    area: StorageArea,
    iid: string,
    source: Readable | Uint8Array,
    expected?: StoredFileInfo,
  ): Promise<StoredFileInfo>;
  /** Moves a finished local file into the store. */
  adopt(area: StorageArea, iid: string, localPath: string, how?: AdoptOptions): Promise<StoredFileInfo>;
  /** Reads a file; `range.end` is the last byte, inclusive. Refuses `notFound`. */
  read(area: StorageArea, iid: string, sha256: string, range?: ByteRange): Promise<Readable>;
  /** Does the same chunk by chunk, each into lent memory if the store supports it. */
  readChunks(
    area: StorageArea,
    iid: string,
    sha256: string,
    range: ByteRange,
    acquireBuffer: AcquireBuffer,
  ): AsyncIterable<Uint8Array>;
  /** Reads from `start` on until `into` is full; refuses `notFound`, and `fileDamaged` where the file ends before. */
  readInto(area: StorageArea, iid: string, sha256: string, start: number, into: Uint8Array): Promise<void>;
  /** Null: not there. */
  bytes(area: StorageArea, iid: string, sha256: string): Promise<number | null>;
  /** Lends a path to read from; if the store is not on this machine's disk, the path of a temporary copy. */
  local<T>(area: StorageArea, iid: string, sha256: string, work: (path: string) => Promise<T>): Promise<T>;
  /**
   * Returns an address under which the store itself sends a file for a minute; absent if readers may not reach the
   * store.
   */
  directUrl?(file: StoredName, download: { type: string; disposition: string; range?: string }): string;
  remove(area: StorageArea, iid: string, sha256: string): Promise<void>;
  /** Sets a damaged file aside: it is no longer served, but kept for a rescue. */
  quarantine(area: StorageArea, iid: string, sha256: string): Promise<void>;
  /** Writes, reads and removes a small file; throws where that fails. */
  probe(): Promise<void>;
  /** Lists the files that nobody has written to since `before`, in batches of some hundreds. */
  list(before: Date): AsyncIterable<StoredName[]>;
  /** Removes what interrupted writers left behind. */
  removeStale(): Promise<number>;
  /** Reads or writes a small named file at the root: the store's id. Null: it does not exist. */
  storeId(write?: string): Promise<string | null>;
}

const shapes = { iid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, sha256: /^[0-9a-f]{64}$/ };

/** Returns the path of a file below the root. Throws if a part could lead elsewhere. */
export function fileKey(area: StorageArea, iid: string, sha256: string): string {
  if (!storageAreas.includes(area) || !shapes.iid.test(iid) || !shapes.sha256.test(sha256))
    throw new TypeError("not a file's name");
  return `${area}/${iid}/${sha256.slice(0, 2)}/${sha256}`;
}

/** Returns the stored file of a path; null if the path is not one of the store. */
export function parseFileKey(key: string): StoredName | null {
  const [area, iid = "", , sha256 = ""] = key.split("/");
  const known = storageAreas.find((one) => one === area);
  return known && shapes.iid.test(iid) && shapes.sha256.test(sha256) && fileKey(known, iid, sha256) === key
    ? { area: known, iid, sha256 }
    : null;
}

/** Throws if content is not what its hash, computed earlier, says. */
export function requireSameContent(found: StoredFileInfo, expected: StoredFileInfo | undefined): void {
  if (expected && (found.sha256 !== expected.sha256 || found.bytes !== expected.bytes))
    throw new Error("an upload's bytes changed after they had been received");
}

/** Hashes a file in chunks that keep the event loop running: 1 MiB hashes in about 1 ms. */
export async function hashFile(localPath: string): Promise<StoredFileInfo> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(localPath, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
